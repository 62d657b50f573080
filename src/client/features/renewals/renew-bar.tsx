import type { Host } from "@shared/hosts.ts";
import { CalendarPlus } from "lucide-react";
import { SelectionBar } from "@/components/data-table-tools";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/lib/lazy-dialog";
import { useDialog } from "@/lib/use-dialog";
import type { Selection } from "@/lib/use-row-selection";

const RenewHostsDialog = lazyDialog(() => import("./renew-hosts-dialog").then((m) => m.RenewHostsDialog));

/** For a client's chosen hosts: one request for more time for each. */
export function RenewBar({ selection: { chosen, clear } }: { selection: Selection<Host> }) {
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
        <RenewHostsDialog key={renew.subject.map(({ id }) => id).join()} {...renew} onFinished={clear} />
      )}
    </>
  );
}
