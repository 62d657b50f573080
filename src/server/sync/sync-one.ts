import type { Host } from "../../shared/hosts.ts";
import type { IdInput } from "../../shared/ids.ts";
import { AppError } from "../core/errors.ts";
import type { Caller } from "../core/ports.ts";
import { getHost } from "../hosts/queries.ts";
import type { RefreshDeps } from "./refresh-group.ts";
import { refreshHosts } from "./refresh-hosts.ts";

/** The host after asking the provider for it; gone when it was not found twice. */
export async function syncOneHost(deps: RefreshDeps, caller: Caller, { id }: IdInput): Promise<Host> {
  await getHost(deps, caller, { id });
  const outcome = (await refreshHosts(deps, [id])).get(id);
  if (outcome instanceof AppError) throw outcome;
  return await getHost(deps, caller, { id });
}
