import type { Host } from "@shared/hosts.ts";
import type { ReactNode } from "react";
import { hostSize, hostTitle } from "@/components/hosts/host-facts";
import { HostName } from "@/components/hosts/host-name";
import { HostStatusCell } from "@/components/hosts/host-status";
import { OpenRenewalBadge } from "@/components/hosts/open-renewal";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/checkbox";
import { SkeletonText } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { pageCheckedState, type Selection } from "@/lib/use-row-selection";
import { HostEndsText } from "./host-ends-text";

type CardSelection = Pick<Selection<Host>, "has" | "toggle" | "togglePage"> & {
  label: (host: Host) => string;
};

type HostCardListProps = {
  /** Undefined draws skeletons. */
  hosts: readonly Host[] | undefined;
  hrefTo: (id: string) => string;
  selection: CardSelection | undefined;
  isStale: boolean;
  toolbar: ReactNode;
};

const SKELETONS = 6;

/** The table of a phone: a card for each row, with whose it is and both ends. */
export function HostCardList(props: HostCardListProps) {
  const { hosts, hrefTo, selection, isStale, toolbar } = props;
  return (
    <Card className="overflow-clip" aria-busy={hosts === undefined || isStale}>
      {toolbar}
      {selection === undefined || hosts === undefined ? null : (
        <SelectPage hosts={hosts} selection={selection} />
      )}
      {hosts === undefined ? (
        Array.from({ length: SKELETONS }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <SkeletonText key={index} lines={3} className="border-b p-3.5" />
        ))
      ) : (
        <ul aria-label="主机列表" className={cn("divide-y", isStale && "opacity-55")}>
          {hosts.map((host) => (
            <HostCard key={host.id} host={host} href={hrefTo(host.id)} selection={selection} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function SelectPage({ hosts, selection }: { hosts: readonly Host[]; selection: CardSelection }) {
  return (
    <div className="flex min-h-10 items-center gap-3 border-b bg-muted/60 px-3.5 text-sm">
      <Checkbox
        id="select-page"
        checked={pageCheckedState(hosts, selection.has)}
        onCheckedChange={selection.togglePage}
      />
      <label htmlFor="select-page">选择本页全部</label>
    </div>
  );
}

type HostCardProps = { host: Host; href: string; selection: CardSelection | undefined };

function HostCard({ host, href, selection }: HostCardProps) {
  const isSelected = selection?.has(host) ?? false;
  return (
    <li
      data-state={isSelected ? "selected" : undefined}
      aria-label={hostTitle(host)}
      className="flex gap-3 px-3.5 py-3 data-[state=selected]:bg-row-selected"
    >
      {selection === undefined ? null : (
        <Checkbox
          className="mt-1 size-5"
          aria-label={selection.label(host)}
          checked={isSelected}
          onClick={({ shiftKey }) => selection.toggle(host, shiftKey)}
        />
      )}
      <div className="grid min-w-0 flex-1 gap-1">
        <div className="flex items-start justify-between gap-2">
          <HostName host={host} href={href} />
          <HostStatusCell host={host} />
        </div>
        <p className="text-sm [overflow-wrap:anywhere] tabular-nums">
          <HostEndsText host={host} />
        </p>
        <div className="flex flex-wrap items-center gap-x-2 text-sm text-muted-foreground tabular-nums">
          <span>{`${host.zoneName} · ${hostSize(host)}`}</span>
          {host.openRenewal === null ? null : <OpenRenewalBadge renewal={host.openRenewal} />}
        </div>
      </div>
    </li>
  );
}
