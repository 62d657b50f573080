import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Compilable, Expression, InferResult, SelectQueryBuilder } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import type { Host, HostList, ListHostsInput } from "../../shared/hosts.ts";
import { paginate } from "../../shared/page.ts";
import type { Deps } from "../core/deps.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Caller } from "../core/ports.ts";
import { kyselyOf } from "../database/kysely.ts";
import { wantedHosts } from "./filters.ts";
import { orderOf } from "./order.ts";
import { presentHost } from "./present.ts";
import { isVisibleHost, type Viewer, viewerOf, visibleAssignments } from "./scope.ts";

const OPERATOR_FILTERS = ["gone", "configId", "assigned", "expiring", "expired"] as const;

type ReadDeps = Pick<Deps, "em" | "clock">;
export type FoundHost = InferResult<ReturnType<typeof selectHosts>>[number];

export function hostNotFound(): AppError {
  return new AppError("NOT_FOUND", "主机不存在或已无权查看");
}

export async function listHosts(deps: ReadDeps, caller: Caller, input: ListHostsInput): Promise<HostList> {
  const refused = OPERATOR_FILTERS.find((name) => input[name] !== undefined);
  if (caller.role !== "super_admin" && refused !== undefined) throw invalidField(refused, `不支持的参数 ${refused}`);
  const viewer = viewerOf(deps, caller);
  const hosts = kyselyOf(deps.em).selectFrom("hosts as h").where(wantedHosts(viewer, input));
  const { total } = await hosts.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const order = orderOf(viewer, input);
  // The page is found by ids alone: PostgreSQL would read the details of all hosts before it as well.
  const ids = inOrder(hosts.select("h.id"), order)
    .limit(input.limit)
    .offset((input.page - 1) * input.limit);
  const rows = await read(deps.em, inOrder(selectHosts(deps.em, viewer).where("h.id", "in", ids), order));
  return { hosts: rows.map((row) => presentHost(row, viewer)), pagination: paginate(input, total) };
}

/** Throws NOT_FOUND for hosts of others as for those that do not exist. */
export async function getHost(deps: ReadDeps, caller: Caller, { id }: { readonly id: string }): Promise<Host> {
  const viewer = viewerOf(deps, caller);
  const [row] = await read(deps.em, selectHosts(deps.em, viewer).where("h.id", "=", id).where(isVisibleHost(viewer)));
  if (row === undefined) throw hostNotFound();
  return presentHost(row, viewer);
}

/** Hosts `h` with the assignments that the viewer may know of, before fields are withheld. Every column has its alias, see `read`. */
function selectHosts(em: SqlEntityManager, viewer: Viewer) {
  return kyselyOf(em)
    .selectFrom("hosts as h")
    .select(["h.id", "h.name", "h.ucloudId as ucloudId", "h.cpu", "h.memory", "h.disk", "h.osName as osName"])
    .select(["h.osType as osType", "h.region", "h.zone", "h.status", "h.providerStatus as providerStatus"])
    .select(["h.chargeType as chargeType", "h.createTime as createTime", "h.expireTime as expireTime"])
    .select(["h.ipSet as ipSet", "h.config as configId", "h.changedAt as changedAt", "h.goneAt as goneAt"])
    .select((eb) => [
      // A complete reading of the partition confirms its hosts without writing them.
      eb
        .selectFrom("sync_partitions as p")
        .select("p.readAt")
        .whereRef("p.config", "=", "h.config")
        .whereRef("p.projectId", "=", "h.projectId")
        .whereRef("p.region", "=", "h.region")
        .as("partitionReadAt"),
      jsonArrayFrom(
        visibleAssignments(viewer)
          .innerJoin("users as u", "u.id", "a.userId")
          .where("a.host", "=", eb.ref("h.id"))
          .select(["u.id", "u.name", "u.username"])
          .select(["a.assignedAt as assignedAt", "a.assignedExpireTime as assignedExpireTime"])
          .orderBy("a.assignedAt")
          .orderBy("a.id"),
      ).as("users"),
      eb
        .selectFrom("settings as s")
        .select("s.showNetworkInfoToClient")
        .where("s.id", "=", 1)
        .as("showsNetworkToClients"),
    ]);
}

function inOrder<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: readonly Expression<unknown>[],
): SelectQueryBuilder<DB, TB, Row> {
  let ordered = query;
  for (const step of order) ordered = ordered.orderBy(step);
  return ordered;
}

/** Without MikroORM's renaming of result columns: some 30 µs a row, more than PostgreSQL takes for it. */
async function read<Row>(em: SqlEntityManager, query: Compilable<Row>): Promise<Row[]> {
  const { rows } = await kyselyOf(em).withoutPlugins().executeQuery(query.compile());
  return rows;
}
