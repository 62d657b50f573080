import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { inTransaction } from "../database/transaction.ts";
import type { ProviderClient } from "../provider/client.ts";
import { ProviderFailure } from "../provider/failure.ts";
import { findHosts, listHosts, listProjects, MAX_PAGE_SIZE } from "../provider/uhost-api.ts";
import type { CurrentHost } from "./current-hosts.ts";
import { isEmptyForLong } from "./empty-places.ts";
import { type Reading, readPlace } from "./read-place.ts";
import { EMPTY_CONFIRM_TEXT, isCompletePass, type Place } from "./rules.ts";
import type { SeenHost } from "./write-hosts.ts";

export interface StoredHost extends CurrentHost, Place {
  readonly configId: string | null;
  readonly isGone: boolean;
}

export interface Asking {
  readonly configId: string;
  /** Those that the configuration names; none: every project that the key can list. */
  readonly projectIds: readonly string[];
  readonly client: ProviderClient;
  readonly signal: AbortSignal;
}

/** What asking for hosts of one place gave. */
export interface PlaceLook {
  readonly seen: readonly SeenHost[];
  readonly missing: readonly StoredHost[];
  /** A host was met there, one of those asked for or another. */
  readonly isInhabited: boolean;
  /** Why those that are missing are still not taken for gone; null when nothing speaks against it. */
  readonly doubt: AppError | null;
}

/**
 * Asks for hosts of one place by id. Who is not found must also be missing from the whole place, read from first to last page, and
 * from a second look by id; a list that leaves out who is found proves nothing. @throws ProviderFailure, or the signal's reason.
 */
export async function lookAtPlace(
  deps: Pick<Deps, "em" | "bus" | "clock">,
  asking: Asking,
  place: Place,
  hosts: readonly StoredHost[],
): Promise<PlaceLook> {
  const found = await findByIds(asking, place, hosts).catch((error: unknown) => explainMissingProject(error));
  if (found instanceof ProviderFailure) {
    const doubt = await doubtOfMissingProject(deps, asking, place, found);
    return { seen: [], missing: hosts, isInhabited: false, doubt };
  }
  const notFound = hosts.filter(isNotAmong(found));
  if (notFound.length === 0) return { seen: found, missing: [], isInhabited: true, doubt: null };
  const listed = await listPlace(asking, place, hosts);
  const again = await findByIds(asking, place, notFound.filter(isNotAmong(listed.seen)));
  // The last that was heard of a host comes last.
  const seen = [...found, ...listed.seen, ...again];
  const missing = hosts.filter(isNotAmong(seen));
  const look = { seen, missing, isInhabited: seen.length > 0 || listed.total > 0 };
  if (missing.length === 0 || listed.doubt !== null) return { ...look, doubt: listed.doubt };
  const isLeftOut = hosts.filter(isNotAmong(listed.seen)).length > missing.length;
  if (isLeftOut) return { ...look, doubt: incompleteList() };
  return { ...look, doubt: listed.total > 0 ? null : await doubtOfEmptiness(deps, asking, place) };
}

export function isNotAmong(seen: readonly SeenHost[]): (host: StoredHost) => boolean {
  const ids = new Set(seen.map(({ host }) => host.ucloudId));
  return ({ ucloudId }) => !ids.has(ucloudId);
}

export async function findByIds(
  { client, signal }: Asking,
  place: Place,
  hosts: readonly StoredHost[],
): Promise<SeenHost[]> {
  const page = await findHosts(client, { ...place, ids: hosts.map(({ ucloudId }) => ucloudId) }, signal);
  // Something is there under one of these ids, even if it cannot be read.
  if (page.rejected.length > 0) {
    throw new ProviderFailure("malformed", { message: "云服务商返回的主机数据无法识别，主机保持原状，请稍后重试" });
  }
  return page.hosts.map((host) => ({ host, place, askedAt: page.askedAt }));
}

interface PlaceList {
  /** Those of the wanted hosts that are there. */
  readonly seen: readonly SeenHost[];
  /** Hosts in the place. */
  readonly total: number;
  /** Why the list does not prove that a host is missing. */
  readonly doubt: AppError | null;
}

async function listPlace({ client, signal }: Asking, place: Place, wanted: readonly StoredHost[]): Promise<PlaceList> {
  const ids = new Set(wanted.map(({ ucloudId }) => ucloudId));
  const seen = new Map<string, SeenHost>();
  const failures: ProviderFailure[] = [];
  const reading = await readPlace({
    fetchPage: (offset) => listHosts(client, { ...place, offset, limit: MAX_PAGE_SIZE }, signal),
    onPass: () => undefined,
    onTotal: () => undefined,
    onPage({ hosts, askedAt }) {
      for (const host of hosts) if (ids.has(host.ucloudId)) seen.set(host.ucloudId, { host, place, askedAt });
    },
    onFailedPage: (failure) => void failures.push(failure),
  });
  const total = reading.kind === "read" ? reading.pass.total : 0;
  return { seen: [...seen.values()], total, doubt: failures[0] ?? doubtOf(reading) };
}

function doubtOf(reading: Reading): AppError | null {
  if (reading.kind === "not-opened") return new ProviderFailure("not-opened");
  if (reading.kind === "read" && isCompletePass(reading.pass)) return null;
  return incompleteList();
}

function incompleteList(): AppError {
  return new AppError("PROVIDER_ERROR", "未能完整读取该地域的主机列表，主机保持原状；请稍后做一次完整同步确认");
}

function explainMissingProject(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure && error.kind === "project-missing") return error;
  throw error;
}

/** A project that is named by no list and refused by its id, and still is ten minutes later, holds no hosts any more. */
async function doubtOfMissingProject(
  deps: Pick<Deps, "em" | "bus" | "clock">,
  asking: Asking,
  place: Place,
  refusal: ProviderFailure,
): Promise<AppError | null> {
  const { items, rejected } = await listProjects(asking.client, asking.signal);
  const isNamed = rejected > 0 || items.length === 0 || items.some(({ id }) => id === place.projectId);
  if (isNamed || place.projectId === "") return refusal;
  if (await isBelievedEmpty(deps, asking, place)) return null;
  return new AppError(
    "PROVIDER_ERROR",
    `云服务商称主机所在的项目已不存在，主机保持原状；请到云平台核实，若确已删除，请在 ${EMPTY_CONFIRM_TEXT}后再次同步确认`,
  );
}

async function doubtOfEmptiness(
  deps: Pick<Deps, "em" | "bus" | "clock">,
  asking: Asking,
  place: Place,
): Promise<AppError | null> {
  if (await isBelievedEmpty(deps, asking, place)) return null;
  return new AppError(
    "PROVIDER_ERROR",
    `云服务商对该地域返回了空列表，主机保持原状；请在 ${EMPTY_CONFIRM_TEXT}后再次同步确认`,
  );
}

async function isBelievedEmpty(
  deps: Pick<Deps, "em" | "bus" | "clock">,
  { configId }: Asking,
  place: Place,
): Promise<boolean> {
  const now = deps.clock.now();
  return await inTransaction(deps, (em) => isEmptyForLong(em, { configId, place, now }));
}
