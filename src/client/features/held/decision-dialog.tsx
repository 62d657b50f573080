import type { BatchHostResult } from "@shared/batch.ts";
import type { Host } from "@shared/hosts.ts";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter, DialogHeader } from "@/components/ui/dialog";
import { ResultList } from "@/features/hosts/result-list";
import { formatNumber } from "@/lib/format-number";
import { DECISION_LABELS, type Decision, useDecision } from "./use-decision";

/** Some hosts, or all of a configuration, of which `hosts` are those at hand. */
export type DecisionSubject = {
  hosts: readonly Host[];
  config: { id: string; name: string; total: number } | null;
};

const EXPLANATIONS: Readonly<Record<Decision, string>> = {
  confirm:
    "系统先按资源 ID 向云服务商逐台核实：找不到的标记为“已消失”，分配和历史记录不受影响；仍能找到的恢复正常；没有得到应答的继续待确认。",
  dismiss: "主机保持存在。在云平台重新出现之前，同步不再将其列为待确认，也不会标记为“已消失”。",
};

type DecisionDialogProps = {
  decision: Decision;
  subject: DecisionSubject;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** With the hosts that stay undecided. */
  onFinished: (failed: readonly string[]) => void;
};

/** What the decision means, then the result of each host. */
export function DecisionDialog({ decision, subject, open, onOpenChange, onFinished }: DecisionDialogProps) {
  const { results, decide, isRunning, reset } = useDecision(decision);
  const { hosts, config } = subject;
  const count = config?.total ?? hosts.length;
  const assigned = hosts.filter(({ users }) => users.length > 0).length;

  function change(next: boolean): void {
    if (isRunning) return;
    if (!next && results !== null) {
      onFinished(results.filter(({ ok }) => !ok).map(({ hostId }) => hostId));
      reset();
    }
    onOpenChange(next);
  }

  function submit(): void {
    const input =
      config === null ? { hostIds: hosts.map(({ id }) => id) } : { all: true as const, configId: config.id };
    // The mutation shows its own toast; the dialog stays for another try.
    decide(input).catch(() => undefined);
  }

  return (
    <Dialog open={open} onOpenChange={change}>
      <DialogContent>
        <DialogHeader
          title={DECISION_LABELS[decision]}
          description={`${config === null ? "已选择" : `配置 ${config.name} 的全部`} ${formatNumber(count)} 台主机`}
        />
        <DialogBody>
          {results === null ? (
            <div className="grid gap-2 text-muted-foreground">
              <p>{EXPLANATIONS[decision]}</p>
              {assigned > 0 && config === null ? <p>其中 {formatNumber(assigned)} 台已分配给用户。</p> : null}
            </div>
          ) : (
            <Results results={results} hosts={hosts} decision={decision} />
          )}
        </DialogBody>
        <DialogFooter>
          {results === null ? (
            <>
              <Button variant="outline" disabled={isRunning} onClick={() => change(false)}>
                取消
              </Button>
              <Button variant={decision === "confirm" ? "danger" : "primary"} loading={isRunning} onClick={submit}>
                {DECISION_LABELS[decision]} {formatNumber(count)} 台
              </Button>
            </>
          ) : (
            <DialogClose asChild>
              <Button>完成</Button>
            </DialogClose>
          )}
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}

type ResultsProps = { results: readonly BatchHostResult[]; hosts: readonly Host[]; decision: Decision };

/** Failures first; hosts that were on no page are only counted. */
function Results({ results, hosts, decision }: ResultsProps) {
  const failed = results.filter(({ ok }) => !ok);
  const found = results.filter(({ ok, message }) => ok && message !== undefined);
  const lines = [...failed, ...found, ...results.filter((result) => result.ok && !found.includes(result))].flatMap(
    ({ hostId, ok, message }) => {
      const host = hosts.find(({ id }) => id === hostId);
      return host === undefined ? [] : [{ id: hostId, host, ok, message }];
    },
  );
  const done = results.length - failed.length - found.length;
  return (
    <div className="grid gap-3">
      <p role="status" className="flex flex-wrap gap-x-3 font-medium tabular-nums">
        <span className="text-success-ink">
          {decision === "confirm" ? "已标记消失" : "已保留"} {formatNumber(done)} 台
        </span>
        {found.length > 0 ? <span>仍存在 {formatNumber(found.length)} 台</span> : null}
        {failed.length > 0 ? <span className="text-danger-ink">失败 {formatNumber(failed.length)} 台</span> : null}
      </p>
      {lines.length > 0 ? <ResultList label="每台主机的结果" lines={lines} /> : null}
      {lines.length < results.length ? (
        <p className="text-sm text-muted-foreground">
          未逐台列出其余 {formatNumber(results.length - lines.length)} 台；失败的仍在待确认之列，可再次处理。
        </p>
      ) : null}
    </div>
  );
}
