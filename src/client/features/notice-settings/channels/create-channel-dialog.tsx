import {
  CHANNEL_TYPE_LABELS,
  type ChannelType,
  type CreateChannelInput,
} from "@shared/notice-channels.ts";
import { trpc } from "@/api/trpc";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";
import { ChannelFields } from "./channel-fields";
import { createForm, newChannelValues } from "./channel-form";
import { CHANNEL_GUIDES } from "./channel-guides";

type CreateChannelDialogProps = DialogState<ChannelType> & {
  /** By the button that asks for a test. */
  onTest: (channelId: string) => void;
};

/** A new channel of the type that was chosen before. */
export function CreateChannelDialog({
  subject: type,
  onTest,
  ...dialog
}: CreateChannelDialogProps) {
  const create = trpc.noticeChannels.create.useMutation();

  async function save(values: CreateChannelInput): Promise<string> {
    const { id, name } = await create.mutateAsync(values);
    notify.success("新增成功", { message: `渠道“${name}”已保存` });
    return id;
  }

  return (
    <FormDialog
      {...dialog}
      size="lg"
      title={`新增渠道：${CHANNEL_TYPE_LABELS[type]}`}
      description={CHANNEL_GUIDES[type].summary}
      // The address of a robot is a secret, too, and is not kept.
      draft={null}
      schema={createForm(type)}
      defaultValues={newChannelValues(type)}
      submitLabel="新增"
      onSubmit={save}
      otherSubmit={{
        label: "新增并测试",
        onSubmit: async (values) => {
          const id = await save(values);
          onTest(id);
          return id;
        },
      }}
      errorTitle="新增失败"
    >
      {() => <ChannelFields type={type} />}
    </FormDialog>
  );
}
