import type { Host, HostList, ListHostsInput } from "../../shared/hosts.ts";
import { paginate } from "../../shared/page.ts";
import type { Deps } from "../core/deps.ts";
import { AppError, invalidField } from "../core/errors.ts";
import type { Caller } from "../core/ports.ts";
import { selectHostPage } from "./host-page.ts";
import { presentHost } from "./present.ts";
import { selectHost } from "./queries.ts";
import type { Viewer } from "./scope.ts";

export const HOST_NOT_FOUND = "主机不存在或已无权查看";
const OPERATOR_FILTERS = ["gone", "configId", "assigned", "expiring", "expired"] as const;

export async function listHosts(
  deps: Pick<Deps, "em" | "clock">,
  caller: Caller,
  input: ListHostsInput,
): Promise<HostList> {
  const viewer = viewerOf(deps, caller);
  const refused = OPERATOR_FILTERS.find((name) => input[name] !== undefined);
  if (caller.role !== "super_admin" && refused !== undefined) throw invalidField(refused, `不支持的参数 ${refused}`);
  const { rows, total } = await selectHostPage(deps.em, viewer, input);
  return { hosts: rows.map((row) => presentHost(row, viewer)), pagination: paginate(input, total) };
}

/** Someone else's host and none at all are the same NOT_FOUND. */
export async function getHost(
  deps: Pick<Deps, "clock"> & { readonly em: Parameters<typeof selectHost>[0] },
  caller: Caller,
  { id }: { readonly id: string },
): Promise<Host> {
  const viewer = viewerOf(deps, caller);
  const row = await selectHost(deps.em, viewer, id);
  if (row === undefined) throw new AppError("NOT_FOUND", HOST_NOT_FOUND);
  return presentHost(row, viewer);
}

function viewerOf({ clock }: Pick<Deps, "clock">, { id, role }: Caller): Viewer {
  return { id, role, now: clock.now() };
}
