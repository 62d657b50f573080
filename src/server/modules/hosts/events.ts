import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { event } from "../../../shared/events.ts";
import { Id } from "../../../shared/ids.ts";
import { isSuperAdmin } from "../../../shared/roles.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import { appendEvent, appendEvents } from "../../platform/events/append.ts";
import type { EventPresenter } from "../../platform/events/event.ts";
import { hasBegun } from "./access.ts";

/** How many hosts an event names. With more, reading it would cost more than it saves. */
export const MAX_NAMED_HOSTS = 1_000;

/**
 * With `userId` only that client's assignments of the hosts changed; `formerAdminId` no longer sees
 * them. `areTooMany`: the hosts are not named, so that everybody whom they may concern reads again.
 */
export const HostsChanged = event(
  "hosts.changed",
  z.object({
    configId: Id.nullable(),
    hostIds: z.array(Id),
    areTooMany: z.boolean().optional(),
    userId: Id.optional(),
    formerAdminId: Id.nullish(),
  }),
);
type HostsChanged = z.infer<typeof HostsChanged>;

export const AssignmentChanged = event("assignment.changed", z.object({ hostId: Id, userId: Id }));
type AssignmentChanged = z.infer<typeof AssignmentChanged>;

/** `areTagsChanged` is false where the note alone was changed. */
export const AnnotationsChanged = event(
  "annotations.changed",
  z.object({ hostId: Id, areTagsChanged: z.boolean() }),
);
type AnnotationsChanged = z.infer<typeof AnnotationsChanged>;

export const RemovalsChanged = event("removals.changed", z.object({ configId: Id }));

const HOSTS_CHANGED = { type: "hosts.changed", data: {} } as const;

interface ChangedAssignment {
  readonly hostId: string;
  readonly userId: string;
  readonly configId: string | null;
}

/**
 * Assignments began, changed or ended. The hosts of one client and configuration are told of
 * together. `at` in Unix seconds.
 */
export async function publishAssignmentEvents(
  em: SqlEntityManager,
  changed: readonly ChangedAssignment[],
  at: number,
): Promise<void> {
  const groups = Map.groupBy(changed, ({ userId, configId }) => `${userId} ${configId}`);
  for (const [first, ...others] of groups.values()) {
    if (first === undefined) continue;

    const { userId, configId } = first;
    const hostIds = [first, ...others].map(({ hostId }) => hostId);
    await publishHostEvents(em, { configId, hostIds, userId }, at);

    const each = hostIds.map((hostId) => {
      return { type: "assignment.changed", data: { hostId, userId } } as const;
    });
    await appendEvents(em, each, at);
  }
}

/**
 * Rows of hosts were written, or who sees them changed. No hosts, no event. `at` in Unix seconds.
 */
export async function publishHostEvents(
  em: SqlEntityManager,
  data: HostsChanged["data"],
  at: number,
): Promise<void> {
  if (data.hostIds.length > 0) await appendHostsChanged(em, data, at);
}

/** Super admins are told also when no host is named. `at` in Unix seconds. */
export async function appendHostsChanged(
  em: SqlEntityManager,
  data: HostsChanged["data"],
  at: number,
): Promise<void> {
  const areTooMany = data.hostIds.length > MAX_NAMED_HOSTS;
  const stored = areTooMany ? { ...data, hostIds: [], areTooMany } : data;
  await appendEvent(em, { type: "hosts.changed", data: stored }, at);
}

/** `at` in Unix seconds. */
export async function publishAnnotations(
  em: SqlEntityManager,
  data: AnnotationsChanged["data"],
  at: number,
): Promise<void> {
  await appendEvent(em, { type: "annotations.changed", data }, at);
}

/** The held hosts of these configurations are not the same any more. `at` in Unix seconds. */
export async function publishRemovals(
  em: SqlEntityManager,
  configIds: Iterable<string>,
  at: number,
): Promise<void> {
  const events = Array.from(configIds, (configId) => ({
    type: "removals.changed" as const,
    data: { configId },
  }));
  await appendEvents(em, events, at);
}

/** Only super admins see which hosts are held. */
export function presentRemovalsChanged(changed: z.infer<typeof RemovalsChanged>): EventPresenter {
  return ({ role }) => (isSuperAdmin(role) ? changed : null);
}

/**
 * Super admins see tags and notes, and admins of the host's clients the tags. Clients see neither,
 * so they are not told that something changed, either.
 */
export async function presentAnnotationsChanged(
  em: SqlEntityManager,
  { type, data: { hostId, areTagsChanged } }: AnnotationsChanged,
): Promise<EventPresenter> {
  const shown = { type, data: { hostId } };
  const admins = areTagsChanged ? await readAdminIds(em, hostId) : [];
  return ({ id, role }) => (isSuperAdmin(role) || admins.includes(id) ? shown : null);
}

/** Who is responsible for a client who has the host. */
async function readAdminIds(em: SqlEntityManager, hostId: string): Promise<readonly string[]> {
  const clients = await kyselyOf(em)
    .selectFrom("assignments as a")
    .innerJoin("users as c", "c.id", "a.userId")
    .select("c.admin as adminId")
    .distinct()
    .where("a.host", "=", hostId)
    .where("a.endedAt", "is", null)
    .execute();
  return clients.flatMap(({ adminId }) => adminId ?? []);
}

/**
 * Super admins see every change; clients and admins those of hosts in their row scope. Only super
 * admins see the configuration.
 */
export async function presentHostsChanged(
  em: SqlEntityManager,
  { data }: HostsChanged,
  now: number,
): Promise<EventPresenter> {
  const { configId, userId, formerAdminId, areTooMany = false } = data;
  const forSuperAdmins =
    configId === null ? HOSTS_CHANGED : ({ type: "hosts.changed", data: { configId } } as const);
  if (areTooMany && userId === undefined) {
    return ({ role }) => (isSuperAdmin(role) ? forSuperAdmins : HOSTS_CHANGED);
  }

  const recipients = await readRecipients(em, data, now);
  return ({ id, role }) => {
    if (isSuperAdmin(role)) return forSuperAdmins;
    return id === formerAdminId || recipients.has(id) ? HOSTS_CHANGED : null;
  };
}

/**
 * Also for those who lost the assignment. A client whose assignment never began refetches its list:
 * the host's id is hidden.
 */
export async function presentAssignmentChanged(
  em: SqlEntityManager,
  { data: { hostId, userId } }: AssignmentChanged,
  now: number,
): Promise<EventPresenter> {
  const shown = { type: "assignment.changed", data: { hostId } } as const;
  const client = await kyselyOf(em)
    .selectFrom("users as u")
    .select("u.admin as adminId")
    .where("u.id", "=", userId)
    .executeTakeFirst();
  const isSeenByClient = await hasClientSeen(em, { hostId, userId }, now);

  return ({ id, role }) => {
    if (id === userId) return isSeenByClient ? shown : HOSTS_CHANGED;
    return isSuperAdmin(role) || id === client?.adminId ? shown : null;
  };
}

/** Whether the present assignment, or else the last one, had begun when it ended. */
async function hasClientSeen(
  em: SqlEntityManager,
  { hostId, userId }: AssignmentChanged["data"],
  now: number,
): Promise<boolean> {
  const assignment = await kyselyOf(em)
    .selectFrom("assignments as a")
    .select((eb) => hasBegun(eb, eb.fn.coalesce("a.endedAt", eb.val(now))).as("hasBegun"))
    .where("a.host", "=", hostId)
    .where("a.userId", "=", userId)
    .orderBy((eb) => eb("a.endedAt", "is", null), "desc")
    .orderBy("a.id", "desc")
    .limit(1)
    .executeTakeFirst();
  return assignment === undefined || assignment.hasBegun === true;
}

/** The clients who have these hosts and know of it, and the admins of all who have them. */
async function readRecipients(
  em: SqlEntityManager,
  { hostIds, userId, areTooMany = false }: HostsChanged["data"],
  now: number,
): Promise<ReadonlySet<string>> {
  let assignments = kyselyOf(em)
    .selectFrom("assignments as a")
    .innerJoin("users as c", "c.id", "a.userId")
    .where("a.endedAt", "is", null);
  if (!areTooMany) assignments = assignments.where("a.host", "=", anyOf(hostIds));
  if (userId !== undefined) assignments = assignments.where("a.userId", "=", userId);

  const clients = await assignments
    .select((eb) => ["c.id", "c.admin as adminId", hasBegun(eb, now).as("hasBegun")])
    .distinct()
    .execute();

  const recipients = new Set<string>();
  for (const { id, adminId, hasBegun } of clients) {
    if (hasBegun) recipients.add(id);
    if (adminId !== null) recipients.add(adminId);
  }
  return recipients;
}
