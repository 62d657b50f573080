import type { Host } from "@shared/hosts.ts";
import { CalendarPlus } from "lucide-react";
import { SelectionBar } from "@/components/data-table-tools";
import { Button } from "@/components/ui/button";
import type { HostSelection } from "@/hosts/use-host-selection";
import { lazyDialog } from "@/lib/lazy-dialog";
import { useDialog } from "@/lib/use-dialog";

const RenewHostsDialog = lazyDialog(() => import("./batch-dialogs").then((m) => m.RenewHostsDialog));

/** For a client's chosen hosts: one request for more time for each. */
export function RenewBar({ selection: { chosen, clear } }: { selection: HostSelection }) {
  const { show, dialog } = useDialog<"renew", readonly Host[]>();
  const renew = dialog("renew");
  return (
    <>
      <SelectionBar count={chosen.length} unit="台主机" onClear={clear}>
        <Button onClick={() => show("renew", chosen)}>
          <CalendarPlus aria-hidden="true" />
          申请续费
        </Button>
      </SelectionBar>
      {renew === null ? null : (
        <RenewHostsDialog
          key={renew.subject.map(({ id }) => id).join()}
          hosts={renew.subject}
          open={renew.open}
          onOpenChange={renew.onOpenChange}
          onFinished={clear}
        />
      )}
    </>
  );
}
