import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { providerEnd } from "../../../shared/hosts.ts";
import type { NoticeItem } from "../../../shared/notices.ts";
import { isClient } from "../../../shared/roles.ts";
import { daysLeft } from "../../../shared/time.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { NoticeSubject } from "../channels/group-message.ts";
import { isVisibleAssignment, isVisibleHost, type Viewer } from "../hosts/access.ts";
import type { NoticeRow } from "../notice-records/entity.ts";

type AboutHosts = Pick<NoticeRow, "id" | "subjects">;

interface KnownHost {
  readonly name: string;
  /** At the provider; null where it has none, and for a client, who may not know it. */
  readonly end: number | null;
}

/** What the reader may know now of the hosts that notices are about. */
interface Known {
  readonly hosts: ReadonlyMap<string, KnownHost>;
  /** Ends of assignments that last and are visible. */
  readonly assignmentEnds: ReadonlyMap<string, number>;
}

/**
 * The hosts of notices, by the notice, as their reader may see them now, and not as they were when
 * the notice was made: a host that was taken back since is not named, and an end that was moved is
 * the new one. The ones that end first come first.
 */
export async function readNoticeItems(
  em: SqlEntityManager,
  viewer: Viewer,
  notices: readonly AboutHosts[],
): Promise<ReadonlyMap<string, NoticeItem[]>> {
  const subjects = notices.flatMap((notice) => notice.subjects);
  const known: Known = {
    hosts: await findVisibleHosts(em, viewer, subjects),
    assignmentEnds: await findVisibleEnds(em, viewer, subjects),
  };
  return new Map(notices.map(({ id, subjects: about }) => [id, itemsOf(about, known, viewer.now)]));
}

async function findVisibleHosts(
  em: SqlEntityManager,
  viewer: Viewer,
  subjects: readonly NoticeSubject[],
): Promise<Map<string, KnownHost>> {
  const ids = [...new Set(subjects.map(({ hostId }) => hostId))];
  if (ids.length === 0) return new Map();

  const rows = await kyselyOf(em)
    .selectFrom("hosts as h")
    .select(["h.id", "h.ucloudId", "h.name", "h.chargeType", "h.expireTime"])
    .where("h.id", "=", anyOf(ids))
    .where((eb) => isVisibleHost(eb, viewer))
    .execute();
  return new Map(
    rows.map(({ id, ucloudId, name, ...host }) => [
      id,
      { name: name || ucloudId, end: isClient(viewer.role) ? null : providerEnd(host) },
    ]),
  );
}

async function findVisibleEnds(
  em: SqlEntityManager,
  viewer: Viewer,
  subjects: readonly NoticeSubject[],
): Promise<Map<string, number>> {
  const ids = subjects.flatMap(({ assignmentId }) => (assignmentId === null ? [] : [assignmentId]));
  if (ids.length === 0) return new Map();

  const rows = await kyselyOf(em)
    .selectFrom("assignments as a")
    .select(["a.id", "a.assignedExpireTime"])
    .where("a.id", "=", anyOf(ids))
    .where((eb) => isVisibleAssignment(eb, viewer))
    .execute();
  return new Map(rows.map(({ id, assignedExpireTime }) => [id, assignedExpireTime]));
}

/** Of a host with several clients the first end counts. */
function itemsOf(subjects: readonly NoticeSubject[], known: Known, now: number): NoticeItem[] {
  const items = new Map<string, NoticeItem>();
  for (const subject of subjects) {
    const item = itemOf(subject, known, now);
    const earlier = items.get(subject.hostId);
    if (item === null) continue;
    if (earlier === undefined || endOf(item) < endOf(earlier)) items.set(subject.hostId, item);
  }
  return [...items.values()].toSorted((a, b) => endOf(a) - endOf(b));
}

function itemOf(
  { hostId, assignmentId }: NoticeSubject,
  { hosts, assignmentEnds }: Known,
  now: number,
): NoticeItem | null {
  const host = hosts.get(hostId);
  const end = assignmentId === null ? host?.end : assignmentEnds.get(assignmentId);
  if (host === undefined || end === undefined) return null;

  return {
    hostId,
    hostName: host.name,
    expireTime: end,
    daysLeft: end === null ? null : daysLeft(end, now),
  };
}

/** Those without an end come last. */
function endOf({ expireTime }: NoticeItem): number {
  return expireTime ?? Number.POSITIVE_INFINITY;
}
