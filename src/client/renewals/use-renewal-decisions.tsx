import type { Renewal } from "@shared/renewals.ts";
import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { notifyFailure } from "@/failure-notice";
import { hostTitle } from "@/hosts/host-tab";
import { currentSeconds } from "@/lib/format";
import { ExpiryPreview } from "./expiry-preview";
import { ProcessDialog } from "./process-dialog";
import { useProcessRenewal } from "./use-process-renewal";

/** Always the same functions: the table's columns hold them, and new columns would draw every cell anew. */
export type RenewalDecisions = { process: (renewal: Renewal) => void; complete: (renewal: Renewal) => void };

type Asked = { decision: "process" | "complete"; renewal: Renewal };

/**
 * Opens what decides a request. Render `dialogs` once on the page, not in the rows: a row may leave the live list while its dialog
 * is being filled in.
 */
export function useRenewalDecisions(): { decisions: RenewalDecisions; dialogs: ReactNode } {
  // What was asked last stays while its dialog fades out.
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [decisions] = useState<RenewalDecisions>(() => {
    const ask = (decision: Asked["decision"]) => (renewal: Renewal) => {
      setAsked({ decision, renewal });
      setOpen(true);
    };
    return { process: ask("process"), complete: ask("complete") };
  });
  return { decisions, dialogs: asked === null ? null : dialogOf(asked, { open: isOpen, onOpenChange: setOpen }) };
}

type OpenProps = { open: boolean; onOpenChange: (open: boolean) => void };

function dialogOf({ decision, renewal }: Asked, openProps: OpenProps): ReactNode {
  switch (decision) {
    case "process":
      return <ProcessDialog key={renewal.id} renewal={renewal} {...openProps} />;
    case "complete":
      return <CompleteDialog renewal={renewal} {...openProps} />;
  }
}

function CompleteDialog({ renewal, ...openProps }: OpenProps & { renewal: Renewal }) {
  const { mutateAsync } = useProcessRenewal({ onError: (error) => notifyFailure("处理失败", error) });
  return (
    <ConfirmDialog
      {...openProps}
      title="标记完成"
      tone="primary"
      description={<CompletionQuestion renewal={renewal} />}
      confirmLabel="标记完成"
      onConfirm={() => mutateAsync({ id: renewal.id, status: "completed" })}
    />
  );
}

function CompletionQuestion({ renewal }: { renewal: Renewal }) {
  const { user, host, assignedExpireTime, requestedDuration } = renewal;
  return (
    <div className="grid gap-3">
      <p>
        确认已收到 <strong>{user.name}</strong> 对 <strong>{hostTitle(host)}</strong>{" "}
        的续费付款？完成后立即延长到期时间，不能撤销。
      </p>
      <ExpiryPreview expiry={assignedExpireTime} days={requestedDuration} now={currentSeconds()} when="标记完成后" />
    </div>
  );
}
