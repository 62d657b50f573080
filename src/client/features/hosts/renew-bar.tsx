import type { Host } from "@shared/hosts.ts";
import { CalendarPlus } from "lucide-react";
import { SelectionBar } from "@/components/data-table-tools";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/lib/lazy";
import { useDialog } from "@/lib/use-dialog";
import type { Selection } from "@/lib/use-row-selection";

const RenewHostsDialog = lazyDialog(() =>
  import("@/components/renewals/renew-hosts-dialog").then((m) => m.RenewHostsDialog),
);

/** For a client's chosen hosts: one request for each that has no open one. */
export function RenewBar({ selection: { chosen, clear } }: { selection: Selection<Host> }) {
  const { show, dialog } = useDialog<"renew", readonly Host[]>();
  const renew = dialog("renew");
  const renewable = chosen.filter(({ openRenewal }) => openRenewal === null);
  const waiting = chosen.length - renewable.length;

  return (
    <>
      <SelectionBar count={chosen.length} unit="台主机" onClear={clear}>
        <Button disabled={renewable.length === 0} onClick={() => show("renew", renewable)}>
          <CalendarPlus />
          申请续费
        </Button>
        {waiting > 0 ? (
          <p className="text-sm text-muted-foreground">{`其中 ${waiting} 台已有未完成的申请`}</p>
        ) : null}
      </SelectionBar>
      {renew === null ? null : <RenewHostsDialog {...renew} onFinished={clear} />}
    </>
  );
}
