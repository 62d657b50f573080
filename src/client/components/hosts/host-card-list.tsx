import type { Host } from "@shared/hosts.ts";
import type { ReactNode } from "react";
import { TagLinks } from "@/components/tags/tag-links";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/checkbox";
import { SkeletonText } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { pageCheckedState, type Selection } from "@/lib/use-row-selection";
import { useCurrentUser } from "@/session/session";
import { HostExpiryBadge } from "./expiry-badge";
import { HostEndsText } from "./host-ends-text";
import { hostOfUser, hostSize, hostTitle } from "./host-facts";
import { FirstIp } from "./host-ips";
import { HostName } from "./host-name";
import { HostStatusCell } from "./host-status";
import { OpenRenewalBadge } from "./open-renewal";

type CardSelection = Pick<Selection<Host>, "has" | "toggle" | "togglePage"> & {
  label: (host: Host) => string;
};

type HostCardListProps = {
  /** Undefined draws skeletons. */
  hosts: readonly Host[] | undefined;
  hrefTo: (id: string) => string;
  selection: CardSelection | undefined;
  isStale: boolean;
  /** The one user whose hosts are listed. */
  userId?: string | undefined;
  toolbar?: ReactNode;
};

const SKELETONS = 6;

/** The table of a phone: a card for each row, with whose it is and both ends. */
export function HostCardList(props: HostCardListProps) {
  const { hosts, hrefTo, selection, isStale, userId, toolbar } = props;
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
            <HostCard
              key={host.id}
              host={host}
              href={hrefTo(host.id)}
              selection={selection}
              userId={userId}
            />
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

type HostCardProps = Pick<HostCardListProps, "selection" | "userId"> & { host: Host; href: string };

function HostCard({ host, href, selection, userId }: HostCardProps) {
  const { role } = useCurrentUser();
  const isSelected = selection?.has(host) ?? false;

  return (
    <li
      data-state={isSelected ? "selected" : undefined}
      aria-label={hostTitle(host)}
      className="flex gap-3 px-3.5 py-3 not-print:data-[state=selected]:bg-row-selected"
    >
      {selection === undefined ? null : (
        // All that is beside the card's text.
        <div className="relative -my-3 -mr-3 -ml-3.5 w-12 shrink-0 pt-4 pl-3.5 print:hidden">
          <Checkbox
            fillsParent
            className="size-5"
            aria-label={selection.label(host)}
            checked={isSelected}
            onClick={({ shiftKey }) => selection.toggle(host, shiftKey)}
          />
        </div>
      )}
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1">
        <div className="flex items-start justify-between gap-2">
          <HostName host={host} href={href} />
          <HostStatusCell host={host} />
        </div>
        <p className="text-sm [overflow-wrap:anywhere] tabular-nums">
          <HostEndsText host={host} userId={userId} />
        </p>
        <div className="flex flex-wrap items-center gap-x-2 text-sm text-muted-foreground tabular-nums">
          <span>{`${host.zoneName} · ${hostSize(host)}`}</span>
          {host.ipSet.length === 0 ? null : <FirstIp ips={host.ipSet} />}
          <HostExpiryBadge role={role} host={hostOfUser(host, userId)} />
          {host.openRenewal === null ? null : <OpenRenewalBadge renewal={host.openRenewal} />}
        </div>
        <TagLinks tags={host.tags} />
      </div>
    </li>
  );
}
