import { sql } from "kysely";
import type { ProviderDeps } from "../configs/connect-provider.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { inTransaction } from "../database/transaction.ts";
import { publishHostEvents } from "../hosts/publish-events.ts";
import { ProviderFailure } from "../provider/failure.ts";
import { countCurrentHosts } from "./current-hosts.ts";
import { forgetEmptiness } from "./empty-places.ts";
import { type Asking, isNotAmong, lookAtPlace, type PlaceLook, type StoredHost } from "./look-at-place.ts";
import { lookElsewhere } from "./look-elsewhere.ts";
import { markRows } from "./mark-gone.ts";
import { exceedsGoneGuard, GONE_GUARD_TEXT, mostGoneAtOnce, type Place } from "./rules.ts";
import { confirmHosts, upsertHosts } from "./write-hosts.ts";

export type RefreshDeps = ProviderDeps & Pick<Deps, "em" | "bus">;

/** What became of a host; an AppError says why it was left as it is. */
export type Refreshed = "present" | "gone" | AppError;

/** Asks for hosts of one configuration, place by place. Trouble with the provider is the outcome of each host of that place. */
export async function refreshGroup(
  deps: RefreshDeps,
  asking: Asking,
  hosts: readonly StoredHost[],
): Promise<ReadonlyMap<string, Refreshed>> {
  const byPlace = [...Map.groupBy(hosts, ({ region, projectId }) => JSON.stringify([region, projectId])).values()];
  const looks = await Promise.all(
    byPlace.flatMap((inPlace) => inPlace.slice(0, 1).map((place) => lookOrExplain(deps, asking, place, inPlace))),
  );
  await writeSeen(deps, asking.configId, looks);
  const certain = looks.flatMap(({ missing, doubt }) =>
    doubt === null ? missing.filter(({ isGone }) => !isGone) : [],
  );
  const objection = await objectionToGone(deps, asking.configId, certain.length);
  const gone = objection === null ? await markGone(deps, asking.configId, certain) : [];
  const become = ({ id, isGone }: StoredHost) => (isGone || gone.includes(id) ? "gone" : (objection ?? "present"));
  const outcomes = looks.flatMap(({ missing, doubt }) =>
    missing.map((host): [string, Refreshed] => [host.id, doubt ?? become(host)]),
  );
  return new Map([...hosts.map(({ id }): [string, Refreshed] => [id, "present"]), ...outcomes]);
}

interface ExplainedLook extends PlaceLook {
  readonly place: Place;
}

async function lookOrExplain(
  deps: RefreshDeps,
  asking: Asking,
  { region, projectId }: Place,
  hosts: readonly StoredHost[],
): Promise<ExplainedLook> {
  const place = { region, projectId };
  try {
    const look = await lookAtPlace(deps, asking, place, hosts);
    return { place, ...(look.missing.length === 0 ? look : await withThoseElsewhere(deps, asking, place, look)) };
  } catch (error) {
    return { place, seen: [], missing: hosts, isInhabited: false, doubt: providerTrouble(error) };
  }
}

async function withThoseElsewhere(
  { em }: RefreshDeps,
  asking: Asking,
  place: Place,
  look: PlaceLook,
): Promise<PlaceLook> {
  try {
    const elsewhere = await lookElsewhere(em, asking, place, look.missing);
    return { ...look, seen: [...look.seen, ...elsewhere], missing: look.missing.filter(isNotAmong(elsewhere)) };
  } catch (error) {
    return { ...look, doubt: look.doubt ?? providerTrouble(error) };
  }
}

/** The guard is for all that was asked for at once, wherever it is. */
async function objectionToGone({ em }: RefreshDeps, configId: string, missing: number): Promise<AppError | null> {
  if (missing === 0) return null;
  const current = await countCurrentHosts(em, configId);
  if (!exceedsGoneGuard(missing, current)) return null;
  const message = `一次有 ${missing} 台主机未找到，超过该配置现有 ${current} 台主机的 ${GONE_GUARD_TEXT}，均保持原状；请到云平台核实，若确已删除，请分批同步，每批已删除的不超过 ${mostGoneAtOnce(current)} 台`;
  return new AppError("PROVIDER_ERROR", message);
}

async function writeSeen(deps: RefreshDeps, configId: string, looks: readonly ExplainedLook[]): Promise<void> {
  const seen = looks.flatMap((look) => look.seen);
  const inhabited = looks.filter(({ isInhabited }) => isInhabited).map(({ place }) => place);
  const places = [...inhabited, ...seen.map(({ place }) => place)];
  if (places.length === 0) return;
  const eachOnce = [...new Map(seen.map((one) => [one.host.ucloudId, one])).values()];
  const at = deps.clock.now();
  await inTransaction(deps, async (em) => {
    // No place keeps its hosts: each was looked for in its own before any other.
    const { ids: hostIds } = await upsertHosts(em, { configId, regions: [], projectIds: [] }, eachOnce, at);
    await confirmHosts(em, { configId, seen: eachOnce });
    await forgetEmptiness(em, { configId, places });
    await publishHostEvents(em, { configId, hostIds }, at);
  });
}

/** @returns the ids of those that are gone now, whoever marked them; the others were met by somebody else meanwhile. */
async function markGone(deps: RefreshDeps, configId: string, hosts: readonly StoredHost[]): Promise<readonly string[]> {
  if (hosts.length === 0) return [];
  const at = deps.clock.now();
  return await inTransaction(deps, async (em) => {
    const hostIds = await markRows(em, { configId, hosts, at });
    await publishHostEvents(em, { configId, hostIds }, at);
    const { rows } = await sql<{ id: string }>`
      select id from hosts where id = any(${hosts.map(({ id }) => id)}::uuid[]) and gone_at is not null
    `.execute(em.getKysely());
    return rows.map(({ id }) => id);
  });
}

function providerTrouble(error: unknown): AppError {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof DOMException && error.name === "TimeoutError") return new ProviderFailure("timeout");
  throw error;
}
