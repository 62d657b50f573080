import type { Config } from "@shared/configs.ts";
import { trpc } from "@/api/trpc";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";
import { AccessTestResult } from "./access-test";
import { ConfigFields } from "./config-fields";
import { configValues, EditConfigForm } from "./config-form";
import { useAccessTest } from "./connection-test";

/** What was saved, and whether that is to be tried. */
type Saved = { config: Config; hasOtherAccess: boolean };

type EditConfigDialogProps = DialogState<Config> & { onSaved: () => void };

export function EditConfigDialog({ subject: config, onSaved, ...dialog }: EditConfigDialogProps) {
  const update = trpc.configs.update.useMutation();
  const test = useAccessTest(config);

  async function save(_: EditConfigForm, edited: Partial<EditConfigForm>): Promise<Saved> {
    const saved = await update.mutateAsync({ ...edited, id: config.id });
    const hasOtherAccess = isOtherAccess(edited);
    onSaved();
    if (hasOtherAccess) test.run(saved);
    else notify.success("更新成功", { message: `配置“${saved.name}”已更新` });

    return { config: saved, hasOtherAccess };
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
      closesAfter={({ hasOtherAccess }) => !hasOtherAccess}
      result={(saved, again) => (
        <AccessTestResult config={saved.config} test={test} onAgain={again} />
      )}
    >
      {() => <ConfigFields config={config} isFirst={false} />}
    </FormDialog>
  );
}

/** Keys that were emptied again stay as they are stored. */
function isOtherAccess({ publicKey, privateKey, apiUrl }: Partial<EditConfigForm>): boolean {
  return Boolean(publicKey || privateKey || apiUrl);
}
