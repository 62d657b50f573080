import type { Host, HostList } from "@shared/hosts.ts";
import { RefreshCw, UserMinus, UserPlus } from "lucide-react";
import { trpc } from "@/api/trpc";
import { SelectionBar } from "@/components/data-table-tools";
import { SelectAll } from "@/components/select-all";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/lib/lazy";
import { useDialog } from "@/lib/use-dialog";
import { useIsMediumScreen } from "@/lib/use-media";
import type { Selection } from "@/lib/use-row-selection";
import { useCurrentUser } from "@/session/session";
import type { BatchSubject } from "./batch-dialog";
import { BATCH_LABELS } from "./batch-labels";
import { type HostSearch, listInput } from "./host-search";

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
  const { chosen } = selection;
  const { client } = trpc.useUtils();
  const { role } = useCurrentUser();
  const isMedium = useIsMediumScreen();
  const { show, dialog } = useDialog<"batch", BatchSubject>();
  const batch = dialog("batch");
  const open = (operation: BatchSubject["operation"]) =>
    show("batch", { hosts: chosen, operation });

  return (
    <>
      <SelectionBar count={chosen.length} unit="台主机" onClear={selection.clear}>
        <SelectAll
          selection={selection}
          rows={list?.hosts}
          total={list?.pagination.total ?? 0}
          read={async (paging) =>
            (await client.hosts.list.query({ ...listInput(role, search.input), ...paging })).hosts
          }
        >
          {isMedium ? (
            OPERATIONS.map(({ operation, icon: Icon }) => (
              <Button key={operation} variant="outline" onClick={() => open(operation)}>
                <Icon />
                {BATCH_LABELS[operation]}
              </Button>
            ))
          ) : (
            <Button onClick={() => open("")}>批量操作</Button>
          )}
        </SelectAll>
      </SelectionBar>
      {batch && <BatchDialog {...batch} onFinished={selection.keepOnly} />}
    </>
  );
}
