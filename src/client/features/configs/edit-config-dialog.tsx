import type { Config } from "@shared/configs.ts";
import { trpc } from "@/api/trpc";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";
import { ConfigFields } from "./config-fields";
import { configValues, EditConfigForm } from "./config-form";

type EditConfigDialogProps = DialogState<Config> & { onSaved: () => void };

export function EditConfigDialog({ subject: config, onSaved, ...dialog }: EditConfigDialogProps) {
  const update = trpc.configs.update.useMutation();

  async function save(_: EditConfigForm, edited: Partial<EditConfigForm>): Promise<void> {
    const { name } = await update.mutateAsync({ ...edited, id: config.id });
    onSaved();
    notify.success("更新成功", { message: `配置“${name}”已更新` });
  }

  return (
    <FormDialog
      {...dialog}
      size="lg"
      title="编辑配置"
      draft={`configs.update:${config.id}`}
      description={config.name}
      schema={EditConfigForm}
      defaultValues={configValues(config)}
      submitLabel="保存"
      errorTitle="更新失败"
      onSubmit={save}
    >
      {() => <ConfigFields config={config} isFirst={false} />}
    </FormDialog>
  );
}
