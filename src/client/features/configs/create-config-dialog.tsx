import type { Config } from "@shared/configs.ts";
import type { z } from "zod";
import { trpc } from "@/api/trpc";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { notify } from "@/lib/notify";
import type { DialogProps } from "@/lib/use-dialog";
import { ConfigFields } from "./config-fields";
import { CreateConfigForm, NEW_CONFIG_VALUES } from "./config-form";

type CreateConfigDialogProps = DialogProps & {
  /** The first one becomes the default, whatever is chosen. */
  isFirst: boolean;
  /** `thenTest`: by the button that asks for a test of the connection. */
  onCreated: (config: Config, options: { thenTest: boolean }) => void;
};

export function CreateConfigDialog({ isFirst, onCreated, ...dialog }: CreateConfigDialogProps) {
  const create = trpc.configs.create.useMutation();

  async function save(
    values: z.output<typeof CreateConfigForm>,
    { thenTest }: { thenTest: boolean },
  ): Promise<void> {
    const config = await create.mutateAsync(values);
    const next = thenTest ? "正在测试连接" : "可以先测试连接再同步主机";
    notify.success("创建成功", { message: `配置“${config.name}”已保存，${next}` });
    onCreated(config, { thenTest });
  }

  return (
    <FormDialog
      {...dialog}
      size="lg"
      title="新增配置"
      draft="configs.create"
      description="填写云账号的 API 密钥，用于读取主机信息"
      schema={CreateConfigForm}
      defaultValues={NEW_CONFIG_VALUES}
      submitLabel="创建"
      onSubmit={(values) => save(values, { thenTest: false })}
      otherSubmit={{
        label: "创建并测试",
        onSubmit: (values) => save(values, { thenTest: true }),
      }}
      errorTitle="创建失败"
    >
      {() => <ConfigFields config={undefined} isFirst={isFirst} />}
    </FormDialog>
  );
}
