import type { Host, HostList } from "@shared/hosts.ts";
import { RefreshCw, UserMinus, UserPlus } from "lucide-react";
import { useState } from "react";
import { SelectionBar } from "@/components/data-table-tools";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { formatNumber } from "@/lib/format-number";
import { lazyDialog } from "@/lib/lazy-dialog";
import { useIsMediumScreen } from "@/lib/use-media";
import type { Selection } from "@/lib/use-row-selection";
import type { BatchSubject } from "./batch-dialog";
import { BATCH_LABELS } from "./batch-run";
import type { HostSearch } from "./host-search";
import { MAX_SELECTED, useAllHosts } from "./use-all-hosts";

const BatchDialog = lazyDialog(() => import("./batch-dialog").then((m) => m.BatchDialog));

const OPERATIONS = [
  { operation: "sync", icon: RefreshCw },
  { operation: "assign", icon: UserPlus },
  { operation: "unassign", icon: UserMinus },
] as const;

type BatchBarProps = {
  selection: Selection<Host>;
  search: HostSearch;
  /** The page of the list that the address names; undefined while it is loading. */
  list: HostList | undefined;
};

/** The operations for the chosen hosts. On phones one button; the dialog lets one choose. */
export function BatchBar({ selection, search, list }: BatchBarProps) {
  const isMedium = useIsMediumScreen();
  const [isOpen, setOpen] = useState(false);
  const [subject, setSubject] = useState<BatchSubject>({ hosts: [], operation: "" });
  const all = useAllHosts(search, selection.replace);
  const total = list?.pagination.total ?? 0;
  const most = Math.min(total, MAX_SELECTED);
  const isPageChosen = list?.hosts.every(selection.has) ?? false;

  function open(operation: BatchSubject["operation"]): void {
    setSubject({ hosts: selection.chosen, operation });
    setOpen(true);
  }

  function clear(): void {
    all.stop();
    selection.clear();
  }

  return (
    <>
      <SelectionBar count={selection.chosen.length} unit="台主机" onClear={clear}>
        {all.count !== null ? (
          <SelectAllProgress count={all.count} total={most} onStop={all.stop} />
        ) : (
          <>
            {isPageChosen && most > (list?.hosts.length ?? 0) && most !== selection.chosen.length ? (
              <Button variant="ghost" className="text-primary-ink" onClick={all.selectAll}>
                选择{most < total ? "前" : "全部"} {formatNumber(most)} 台符合条件的主机
              </Button>
            ) : null}
            {isMedium ? (
              OPERATIONS.map(({ operation, icon: Icon }) => (
                <Button key={operation} variant="outline" onClick={() => open(operation)}>
                  <Icon aria-hidden="true" />
                  {BATCH_LABELS[operation]}
                </Button>
              ))
            ) : (
              <Button onClick={() => open("")}>批量操作</Button>
            )}
          </>
        )}
      </SelectionBar>
      <BatchDialog subject={subject} open={isOpen} onOpenChange={setOpen} onFinished={selection.keepOnly} />
    </>
  );
}

function SelectAllProgress({ count, total, onStop }: { count: number; total: number; onStop: () => void }) {
  const text = `正在读取 ${formatNumber(count)} / ${formatNumber(total)} 台`;
  return (
    <>
      <div className="grid w-44 gap-1.5">
        <p className="text-sm text-muted-foreground tabular-nums">{text}</p>
        <Progress value={total === 0 ? null : count / total} label="读取符合条件的主机" valueText={text} size="xs" />
      </div>
      <Button variant="outline" onClick={onStop}>
        停止
      </Button>
    </>
  );
}
