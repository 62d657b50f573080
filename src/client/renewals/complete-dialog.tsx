import type { Renewal } from "@shared/renewals.ts";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogClose,
  DialogContent,
  DialogFooter,
  DialogForm,
  DialogHeader,
} from "@/components/ui/dialog";
import { failureCode } from "@/failure";
import { notifyFailure } from "@/failure-notice";
import { hostTitle } from "@/hosts/host-tab";
import { CompletionPreview } from "./completion-preview";
import { OvertakenNote, useOvertaken } from "./overtaken-note";
import { useEndedAssignment } from "./use-ended-assignment";
import { useProcessRenewal } from "./use-process-renewal";

type CompleteDialogProps = { renewal: Renewal; open: boolean; onOpenChange: (open: boolean) => void };

/** Asks whether an approved request has been paid for; the answer moves the client's end. */
export function CompleteDialog({ renewal, open, onOpenChange }: CompleteDialogProps) {
  const { user, host } = renewal;
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader
          title="标记完成"
          description={`确认已收到 ${user.name} 对 ${hostTitle(host)} 的续费付款？完成后立即延长到期时间，不能撤销。`}
        />
        <CompleteForm renewal={renewal} onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

function CompleteForm({ renewal, onDone }: { renewal: Renewal; onDone: () => void }) {
  const isEnded = useEndedAssignment(renewal);
  const complete = useProcessRenewal({
    onSuccess: onDone,
    onError(error) {
      notifyFailure("处理失败", error);
      // Somebody else was faster: there is nothing left to ask.
      if (failureCode(error) === "STATE_CONFLICT") onDone();
    },
  });
  const overtaken = useOvertaken(renewal, complete.isPending || complete.isSuccess);
  return (
    <DialogForm
      onSubmit={(event) => {
        event.preventDefault();
        return complete.mutateAsync({ id: renewal.id, status: "completed" });
      }}
    >
      <DialogBody>
        {overtaken !== null ? (
          <OvertakenNote renewal={overtaken} look="box" />
        ) : isEnded ? (
          <Alert tone="warning" live>
            该申请所属的分配已结束，不能完成续费；若用户仍需使用，请到主机管理中重新分配或修改有效期
          </Alert>
        ) : (
          <CompletionPreview renewal={renewal} when="标记完成后" />
        )}
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="outline">取消</Button>
        </DialogClose>
        <Button type="submit" disabled={isEnded || overtaken !== null} loading={complete.isPending}>
          标记完成
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}
