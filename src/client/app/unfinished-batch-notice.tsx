import { useState } from "react";
import {
  forgetBatch,
  type UnfinishedBatch,
  unfinishedBatches,
} from "@/components/batch/unfinished-batch";
import { openRestOfBatch } from "@/components/batch/use-rest-of-batch";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { formatNumber } from "@/lib/format-number";
import { useCurrentUser } from "@/session/session";

/**
 * Tells, after a reload or a new sign-in, which acts on several hosts were cut off, and offers to
 * choose the hosts that are left. As of when the console was drawn: a batch that is running now
 * speaks for itself.
 */
export function UnfinishedBatchNotice() {
  const { id } = useCurrentUser();
  const [batches, setBatches] = useState(() => unfinishedBatches(id));

  function dismiss(batch: UnfinishedBatch): void {
    forgetBatch(id, batch.path);
    setBatches((shown) => shown.filter((each) => each !== batch));
  }

  function choose(batch: UnfinishedBatch): void {
    dismiss(batch);
    openRestOfBatch(batch.path, batch.hostIds);
  }

  return (
    <div role="status" className="print:hidden">
      {batches.map((batch) => (
        <Alert
          key={batch.path}
          tone="warning"
          variant="banner"
          title={`批量${batch.label}没有执行完`}
        >
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <span>{restText(batch)}</span>
            <span className="flex flex-wrap gap-2">
              <Button size="sm" variant="outline" onClick={() => choose(batch)}>
                {`选择这 ${formatNumber(batch.hostIds.length)} 台`}
              </Button>
              <Button size="sm" variant="ghost" onClick={() => dismiss(batch)}>
                不再提示
              </Button>
            </span>
          </div>
        </Alert>
      ))}
    </div>
  );
}

function restText({ total, hostIds }: UnfinishedBatch): string {
  const left = formatNumber(hostIds.length);
  return `执行被中断：共 ${formatNumber(total)} 台，其中 ${left} 台没有成功，或没有得到结果。请核对后继续。`;
}
