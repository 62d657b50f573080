import type { Pagination } from "@shared/page.ts";
import type { LucideIcon } from "lucide-react";
import { type ComponentProps, Fragment, type ReactNode } from "react";
import { type Column, DataTable } from "@/components/data-table";
import { ListView } from "@/components/list-view";
import { Card } from "@/components/ui/card";
import { SkeletonText } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { useIsMediumScreen } from "@/lib/use-media";

/** Rows of a page, in each of the lists. */
export const PAGE_LENGTH = 10;

type PageOfList = { pagination: Pagination };

type ListFrameProps<List extends PageOfList> = {
  noun: string;
  unit?: string;
  icon: LucideIcon;
  list: ComponentProps<typeof ListView<List>>["list"] & { isPlaceholderData: boolean };
  /** A list on this page keeps its page number to itself: three lists share the address. */
  setPage: (page: number) => void;
  /** Beside the heading. */
  aside?: ReactNode;
};

/** The frame of a list of a user's page, around its rows. */
export function ListFrame<List extends PageOfList>({
  noun,
  unit = "条",
  icon,
  list,
  setPage,
  aside,
  rows,
  children,
}: ListFrameProps<List> & {
  rows: ReactNode;
  /** What acts on the rows. */
  children?: ReactNode;
}) {
  return (
    <section aria-label={noun} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 className="text-lg font-semibold">{noun}</h2>
        {aside}
      </div>
      <ListView
        list={list}
        search={{ isNarrowed: false, clear: () => setPage(1), setPage }}
        noun={noun}
        unit={unit}
        empty={{ icon, title: `没有${noun}`, description: `该用户的${noun}会显示在这里。` }}
      >
        {() => rows}
      </ListView>
      {children}
    </section>
  );
}

type ListSectionProps<
  Row extends { id: string },
  List extends PageOfList,
> = ListFrameProps<List> & {
  rows: readonly Row[] | undefined;
  columns: readonly Column<Row>[];
};

/** A list whose rows only tell. On a phone each is a card of its columns. */
export function ListSection<Row extends { id: string }, List extends PageOfList>({
  rows,
  columns,
  ...frame
}: ListSectionProps<Row, List>) {
  const isMedium = useIsMediumScreen();
  const shared = {
    columns,
    rows,
    label: `该用户的${frame.noun}`,
    isStale: frame.list.isPlaceholderData,
  };
  return (
    <ListFrame
      {...frame}
      rows={isMedium ? <DataTable {...shared} /> : <CardsOfColumns {...shared} />}
    />
  );
}

type CardsOfColumnsProps<Row extends { id: string }> = {
  columns: readonly Column<Row>[];
  /** Undefined draws a skeleton. */
  rows: readonly Row[] | undefined;
  label: string;
  isStale: boolean;
};

/** The first column is the head of the card. */
function CardsOfColumns<Row extends { id: string }>(props: CardsOfColumnsProps<Row>) {
  const { columns, rows, label, isStale } = props;
  const [head, ...others] = columns;
  if (rows === undefined) return <SkeletonText lines={6} className="p-3.5" />;

  return (
    <Card>
      <ul
        aria-label={label}
        aria-busy={isStale}
        className={cn("divide-y", isStale && "opacity-55")}
      >
        {rows.map((row) => (
          <li key={row.id} className="grid gap-1.5 px-3.5 py-3">
            {head?.cell(row)}
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
              {others.map(({ id, header, cell }) => (
                <Fragment key={id}>
                  <dt className="text-muted-foreground">{header}</dt>
                  <dd className="tabular-nums">{cell(row)}</dd>
                </Fragment>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export const HOST_COLUMN = {
  id: "host",
  header: "主机",
  className: "max-w-72 min-w-36",
  isRowHead: true,
} as const;
