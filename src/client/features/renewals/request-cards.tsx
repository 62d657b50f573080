import type { Renewal } from "@shared/renewals.ts";
import type { ComponentProps } from "react";
import { CardGrid } from "@/components/card-grid";
import type { DataTable } from "@/components/data-table";
import { HostName } from "@/components/hosts/host-name";
import { PersonName } from "@/components/person-name";
import { RenewalStatusBadge } from "@/components/renewals/renewal-status-badge";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/checkbox";
import { Skeleton } from "@/components/ui/skeleton";
import { pageCheckedState } from "@/lib/use-row-selection";
import { DecisionButtons, DetailsLink, detailsLabel, type OnAct } from "./decision-buttons";
import { EndOfRequest, RequestedDays, WaitingAge } from "./renewal-display";
import { RENEWAL_LIST } from "./renewal-rules";

type Selection = NonNullable<ComponentProps<typeof DataTable<Renewal>>["selection"]>;

type RequestCardsProps = {
  rows: readonly Renewal[] | undefined;
  isStale?: boolean | undefined;
  selection?: Selection | undefined;
  hrefTo: (id: string) => string;
  onAct: OnAct | null;
};

/** The rows of the table for a small screen, with the same links, choices and buttons. */
export function RequestCards({ rows, isStale = false, ...card }: RequestCardsProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {card.selection === undefined ? null : (
        <SelectPage rows={rows ?? []} selection={card.selection} />
      )}
      <CardGrid
        rows={rows}
        label={RENEWAL_LIST}
        isStale={isStale}
        className="gap-3 sm:grid-cols-2"
        skeleton={<Skeleton className="m-4 h-32" />}
      >
        {(renewal) => <RequestCard renewal={renewal} {...card} />}
      </CardGrid>
    </div>
  );
}

type SelectPageProps = { rows: readonly Renewal[]; selection: Selection };

function SelectPage({ rows, selection }: SelectPageProps) {
  return (
    <label htmlFor="select-page" className="flex w-fit items-center gap-3 px-3.5 py-1 text-sm">
      <Checkbox
        id="select-page"
        checked={pageCheckedState(rows, selection.has)}
        disabled={rows.length === 0}
        onCheckedChange={selection.togglePage}
      />
      <span>选择本页全部</span>
    </label>
  );
}

type RequestCardProps = Pick<RequestCardsProps, "selection" | "hrefTo" | "onAct"> & {
  renewal: Renewal;
};

function RequestCard({ renewal, selection, hrefTo, onAct }: RequestCardProps) {
  const { id, host, user, status } = renewal;
  const isSelected = selection?.has(renewal) ?? false;

  return (
    <Card
      data-state={isSelected ? "selected" : undefined}
      className="gap-2.5 p-3.5 has-[[data-request]:focus-visible]:border-primary data-[state=selected]:border-primary data-[state=selected]:bg-row-selected"
    >
      <div className="flex items-start gap-3">
        {selection === undefined ? null : (
          <Checkbox
            className="mt-1"
            aria-label={selection.label(renewal)}
            checked={isSelected}
            onClick={({ shiftKey }) => selection.toggle(renewal, shiftKey)}
          />
        )}
        <PersonName person={user} href={`/users/${user.id}`} className="flex-1" />
        <RenewalStatusBadge status={status} />
      </div>
      <HostName host={host} href={`/hosts?host=${host.id}`} />
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <RequestedDays renewal={renewal} label="续费 " />
        <EndOfRequest renewal={renewal} label="用户到期 " />
      </div>
      <div className="mt-auto flex flex-wrap items-center justify-between gap-2">
        <WaitingAge renewal={renewal} />
        <div className="ml-auto flex flex-wrap justify-end gap-2">
          {onAct === null ? null : <DecisionButtons renewal={renewal} onAct={onAct} />}
          <DetailsLink href={hrefTo(id)} aria-label={detailsLabel(renewal)} />
        </div>
      </div>
    </Card>
  );
}
