import { KeptDialog } from "@/components/kept-dialog";
import { RecoveryCodes } from "./recovery-codes";

type RecoveryCodesDialogProps = {
  /** Null while there are none to show. */
  codes: readonly string[] | null;
  username: string;
  /** They are those of a set-up, not of a renewal. */
  isStep: boolean;
  onClose: () => void;
};

export function RecoveryCodesDialog(props: RecoveryCodesDialogProps) {
  const { codes, username, isStep, onClose } = props;

  return (
    <KeptDialog
      open={codes !== null}
      size="md"
      title={isStep ? "开启两步验证" : "新的恢复码"}
      description={isStep ? "两步验证已开启" : "原来的恢复码已全部失效"}
      noun="恢复码"
      onDone={onClose}
    >
      {codes === null ? null : <RecoveryCodes codes={codes} username={username} isStep={isStep} />}
    </KeptDialog>
  );
}
