import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { ListHostsInput } from "../../shared/hosts.ts";
import type { Deps } from "../core/deps.ts";
import { PREPARED } from "../core/prepared-statements.ts";
import type { CountedTotal } from "../core/totals.ts";
import { isWanted, searchOf } from "./filters.ts";
import { isByName, orderOf } from "./order.ts";
import { columns, type HostRecord } from "./queries.ts";
import type { Viewer } from "./scope.ts";

/** Up to so many matches are collected and sorted; of more the page is read in the order of names. */
const FEW = 1_000;

/** Of the hosts' rows, changed by whatever writes them; null where none was ever written. */
const VERSION = sql`(select v.version from hosts_version v where v.id = 1)`;

/** How many are not gone, kept by whatever writes them. */
const PRESENT = sql`(select v.present from hosts_version v where v.id = 1)`;

/** The list of all hosts that are not gone. */
const WHOLE = nameOf({});

export interface HostPage {
  readonly rows: HostRecord[];
  readonly total: number;
}

/** `total` is null where the known one is still true. */
type PageRow = HostRecord & { readonly version: string | null; readonly total: number | null };

interface Wish {
  readonly viewer: Viewer;
  readonly input: ListHostsInput;
  /** Condition on hosts `h`. */
  readonly wanted: RawBuilder<SqlBool>;
  /** What tells it from others of which the hosts' rows know all; null when they do not. */
  readonly list: string | null;
  readonly known: CountedTotal | undefined;
  /** Of hosts `h`. */
  readonly order: RawBuilder<unknown>;
}

/**
 * One page, and how many there are in all, in one statement. Counting is most of its work: it is left out while the
 * hosts are those that were counted before.
 */
export async function selectHostPage(
  { em, totals }: Pick<Deps, "em" | "totals">,
  viewer: Viewer,
  input: ListHostsInput,
): Promise<HostPage> {
  const list = dependsOnHostsAlone(viewer, input) ? nameOf(input) : null;
  const known = list === null ? undefined : totals.find(list);
  const wish = { viewer, input, list, known, wanted: isWanted(viewer, input), order: orderOf(viewer, input) };
  const { rows } = await (searchOf(input) === "" ? browse(wish) : search(wish)).execute(em.getKysely());
  const [first] = rows;
  if (first === undefined) return { rows, total: input.page === 1 ? 0 : await countHosts(em, wish) };
  const { version, total = null } = first;
  if (total === null) return { rows, total: known?.total ?? 0 };
  if (list !== null && version !== null) totals.keep(list, { version, total });
  return { rows, total };
}

function browse({ viewer, input, list, wanted, known, order }: Wish): RawBuilder<PageRow> {
  const total = list === WHOLE ? PRESENT : totalUnless(known, wanted);
  return sql<PageRow>`
    ${isByName(input) ? PREPARED : sql``} with page as materialized (
      select h.id from hosts h where ${wanted} order by ${order} ${slice(input)}
    )
    select ${columns(viewer)}, ${VERSION} as version, ${total} as total
    from page join hosts h on h.id = page.id order by ${order}`;
}

/**
 * Reading in the order of names until a page is full is best when a text is in many rows and worst when it is in few, and the
 * planner cannot know; so a few are looked for first.
 */
function search(wish: Wish): RawBuilder<PageRow> {
  const { viewer, input, wanted, known, order } = wish;
  // In any other order all that match are read, however many.
  if (!isByName(input)) return browse(wish);
  const count = sql`(select count from counted)`;
  const isFew = sql`${count} <= ${sql.lit(FEW)}`;
  return sql<PageRow>`
    with few as materialized (select h.id, h.sort_name from hosts h where ${wanted} limit ${sql.lit(FEW + 1)}),
    counted as materialized (select count(*) as count from few),
    page as materialized (
      (select h.id from few h where ${isFew} order by ${order} ${slice(input)})
      union all
      (select h.id from hosts h where not ${isFew} and ${wanted} order by ${order} ${slice(input)})
    )
    select ${columns(viewer)}, ${VERSION} as version,
      case when ${isFew} then ${count} else ${totalUnless(known, wanted)} end as total
    from page join hosts h on h.id = page.id order by ${order}`;
}

function totalUnless(known: CountedTotal | undefined, wanted: RawBuilder<SqlBool>): RawBuilder<unknown> {
  return sql`case when ${VERSION} = ${known?.version ?? null}::uuid then null else (${countOf(wanted)}) end`;
}

function countOf(wanted: RawBuilder<SqlBool>): RawBuilder<{ total: number }> {
  return sql<{ total: number }>`select count(*) as total from hosts h where ${wanted}`;
}

/** The limit stands in the text, for with a parameter the planner would reckon with a tenth of all rows. */
function slice({ page, limit }: ListHostsInput): RawBuilder<unknown> {
  const offset = page === 1 ? sql`` : sql`offset ${(page - 1) * limit}`;
  return sql`limit ${sql.lit(limit)} ${offset}`;
}

/** A page beyond the last has no row to carry the total. */
async function countHosts(em: Deps["em"], { wanted }: Wish): Promise<number> {
  const { rows } = await countOf(wanted).execute(em.getKysely());
  return rows[0]?.total ?? 0;
}

/** Others see what is assigned to whom, and some filters ask for the time: of neither do the hosts' rows know. */
function dependsOnHostsAlone({ role }: Viewer, { assigned, expiring, expired }: ListHostsInput): boolean {
  return role === "super_admin" && assigned === undefined && expiring === undefined && expired === undefined;
}

function nameOf(input: Pick<ListHostsInput, "search" | "status" | "region" | "gone" | "configId">): string {
  const { status, region, gone = false, configId } = input;
  return JSON.stringify(["hosts", searchOf(input), status, region, gone, configId]);
}
