import type { Host, HostList } from "@shared/hosts.ts";
import {
  ArrowRightLeft,
  BellRing,
  CalendarClock,
  type LucideIcon,
  RefreshCw,
  Tags,
  UserMinus,
  UserPlus,
} from "lucide-react";
import { trpc } from "@/api/trpc";
import { BATCH_LABELS, type BatchAct } from "@/components/batch/batch-acts";
import type { BatchSubject } from "@/components/batch/batch-form-dialog";
import { useReadHostsById } from "@/components/batch/use-read-back";
import { useRestOfBatch } from "@/components/batch/use-rest-of-batch";
import { SelectionBar } from "@/components/data-table-tools";
import { SelectAll } from "@/components/select-all";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { lazyDialog } from "@/lib/lazy";
import { useDialog } from "@/lib/use-dialog";
import { useIsLargeScreen } from "@/lib/use-media";
import type { Selection } from "@/lib/use-row-selection";
import { useCurrentUser } from "@/session/session";
import { type HostSearch, readHosts } from "./host-search";

const DIALOGS = {
  sync: lazyDialog(() => import("./batch-sync-dialog").then((m) => m.BatchSyncDialog)),
  assign: lazyDialog(() => import("./batch-assign-dialog").then((m) => m.BatchAssignDialog)),
  transfer: lazyDialog(() =>
    import("@/components/batch/batch-transfer-dialog").then((m) => m.BatchTransferDialog),
  ),
  changeEnd: lazyDialog(() =>
    import("@/components/batch/batch-end-dialog").then((m) => m.BatchEndDialog),
  ),
  unassign: lazyDialog(() =>
    import("@/components/batch/batch-unassign-dialog").then((m) => m.BatchUnassignDialog),
  ),
  remind: lazyDialog(() =>
    import("@/components/batch/batch-remind-dialog").then((m) => m.BatchRemindDialog),
  ),
  tag: lazyDialog(() => import("./batch-tag-dialog").then((m) => m.BatchTagDialog)),
} as const;

const ACTS: readonly { act: BatchAct; icon: LucideIcon }[] = [
  { act: "assign", icon: UserPlus },
  { act: "transfer", icon: ArrowRightLeft },
  { act: "changeEnd", icon: CalendarClock },
  { act: "unassign", icon: UserMinus },
  { act: "remind", icon: BellRing },
  { act: "tag", icon: Tags },
  { act: "sync", icon: RefreshCw },
];

type BatchBarProps = {
  selection: Selection<Host>;
  search: HostSearch;
  /** The page of the list that the address names; undefined while it is loading. */
  list: HostList | undefined;
};

/** The acts on the chosen hosts. On phones they are a menu. */
export function BatchBar({ selection, search, list }: BatchBarProps) {
  const { client } = trpc.useUtils();
  const { role } = useCurrentUser();
  const { show, dialog } = useDialog<BatchAct, BatchSubject>();
  useRestOfBatch(selection, useReadHostsById());
  const open = (act: BatchAct) =>
    show(act, {
      hosts: selection.chosen,
      scope: { kind: "choice", firstId: search.params.userId },
    });

  return (
    <>
      <SelectionBar count={selection.chosen.length} unit="台主机" onClear={selection.clear}>
        <SelectAll
          selection={selection}
          rows={list?.hosts}
          total={list?.pagination.total ?? 0}
          read={(paging) => readHosts(client, role, { ...search.input, ...paging })}
        >
          <ActButtons onAct={open} />
        </SelectAll>
      </SelectionBar>
      {ACTS.map(({ act }) => {
        const Dialog = DIALOGS[act];
        const state = dialog(act);
        return state && <Dialog key={act} {...state} onFinished={selection.keepOnly} />;
      })}
    </>
  );
}

function ActButtons({ onAct }: { onAct: (act: BatchAct) => void }) {
  const isLarge = useIsLargeScreen();
  if (isLarge) {
    return ACTS.map(({ act, icon: Icon }) => (
      <Button key={act} variant="outline" onClick={() => onAct(act)}>
        <Icon />
        {BATCH_LABELS[act]}
      </Button>
    ));
  }

  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button>批量操作</Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {ACTS.map(({ act, icon: Icon }) => (
          <DropdownMenuItem key={act} icon={<Icon />} onSelect={() => onAct(act)}>
            {BATCH_LABELS[act]}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
