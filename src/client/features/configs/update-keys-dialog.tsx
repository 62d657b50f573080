import { type Config, CreateConfigInput } from "@shared/configs.ts";
import { trpc } from "@/api/trpc";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import type { DialogState } from "@/lib/use-dialog";
import { AccessTestResult } from "./access-test";
import { KeyFields } from "./config-fields";
import { useAccessTest } from "./connection-test";

const KeysForm = CreateConfigInput.pick({ publicKey: true, privateKey: true });

type UpdateKeysDialogProps = DialogState<Config> & { onSaved: () => void };

/** Another key for the same account, which is tried as soon as it is saved. */
export function UpdateKeysDialog({ subject: config, onSaved, ...dialog }: UpdateKeysDialogProps) {
  const update = trpc.configs.update.useMutation();
  const test = useAccessTest(config);

  return (
    <FormDialog
      {...dialog}
      size="lg"
      title="更新密钥"
      draft={null}
      description={`${config.name}，当前公钥 ${config.publicKey}`}
      schema={KeysForm}
      defaultValues={{ publicKey: "", privateKey: "" }}
      submitLabel="保存并测试"
      errorTitle="更新失败"
      onSubmit={async (keys) => {
        const saved = await update.mutateAsync({ ...keys, id: config.id });
        onSaved();
        test.run(saved);
        return saved;
      }}
      result={(saved, again) => <AccessTestResult config={saved} test={test} onAgain={again} />}
    >
      {() => <KeyFields storedKey={null} />}
    </FormDialog>
  );
}
