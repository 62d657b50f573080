import type { NoticeChannel } from "@shared/notice-channels.ts";
import { trpc } from "@/api/trpc";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";
import { ChannelFields } from "./channel-fields";
import { channelValues, editForm } from "./channel-form";

type EditChannelDialogProps = DialogState<NoticeChannel> & { onSaved: () => void };

/** Only what was changed is sent; the type of a channel never changes. */
export function EditChannelDialog({
  subject: channel,
  onSaved,
  ...dialog
}: EditChannelDialogProps) {
  const update = trpc.noticeChannels.update.useMutation();

  return (
    <FormDialog
      {...dialog}
      size="lg"
      title="编辑渠道"
      description={channel.name}
      // The address of a robot is a secret, too, and is not kept.
      draft={null}
      schema={editForm(channel)}
      defaultValues={channelValues(channel)}
      submitLabel="保存"
      onSubmit={async (_, edited) => {
        const saved = await update.mutateAsync({ ...edited, id: channel.id });
        onSaved();
        notify.success("更新成功", { message: `渠道“${saved.name}”已更新` });
      }}
      errorTitle="更新失败"
    >
      {() => <ChannelFields type={channel.type} channel={channel} />}
    </FormDialog>
  );
}
