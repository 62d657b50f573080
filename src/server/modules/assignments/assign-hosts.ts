import { v7 as newId } from "uuid";
import type { AssignHostInput } from "../../../shared/hosts.ts";
import { localDate } from "../../../shared/shanghai.ts";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { type AuditRecord, recordAudits } from "../audit-records/record-audit.ts";
import {
  findPeriodProblem,
  periodOf,
  resolvePeriod,
  type StoredPeriod,
} from "../hosts/assigned-period.ts";
import { assignmentChanges } from "../hosts/assignment-changes.ts";
import type { AssignmentRow, HostRow } from "../hosts/entity.ts";
import { publishAssignmentEvents } from "../hosts/events.ts";
import { assertPresent, lockAssignmentsOfPairs, shareLockHosts } from "../hosts/locks.ts";
import { hostNotFound } from "../hosts/queries.ts";
import { beginAssignments, changeAssignments } from "../hosts/write-assignments.ts";
import type { UserRow } from "../users/entity.ts";
import { lockUsers, requireActiveClient } from "../users/locks.ts";
import type { AssignmentsDeps } from "./deps.ts";
import { notifyOfAssignments } from "./notices.ts";
import { keyOf } from "./pair.ts";

const CHANGED_MEANWHILE =
  "该用户的有效期已被改动（如续费刚刚完成，或分配已被取消），未作改动；请关闭窗口，按现在的有效期重新修改";

export const HOST_GONE = "主机在云服务商处已不存在，不能分配";

export interface AssignHost extends AssignHostInput {
  /** An assignment that ends later stays as it is, and the call is refused. */
  readonly refusesShorter?: boolean;
  /** The caller decided that the user does not have the host; it may have got it since. */
  readonly expectsNone?: boolean;
}

export type AssignOutcome =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly failure: AppError };

/**
 * Assigns hosts to clients, or changes the clients' current assignments of them, in the transaction
 * of `em`; a pair of host and client may come once. Answers what became of each, in their order.
 *
 * Locks users, assignments and hosts, in this order and each kind by one statement. Then all are
 * decided, and only then those that are not refused are written: what is wrong with one leaves
 * nothing behind and the others alone, without a savepoint. However many there are, their rows,
 * acts, entries, notices and events take a few statements.
 */
export async function assignHosts(
  deps: AssignmentsDeps,
  caller: Caller,
  inputs: readonly AssignHost[],
): Promise<AssignOutcome[]> {
  const { em, clock } = deps;
  const clients = await lockUsers(
    em,
    inputs.map(({ userId }) => userId),
  );
  const assignments = await lockAssignmentsOfPairs(em, inputs);
  // Of two acts that wait for each other the later one has the later time.
  const now = clock.now();
  const hosts = await shareLockHosts(
    em,
    inputs.map(({ hostId }) => hostId),
  );
  for (const { id, name } of hosts.values()) noteSubject(deps, { type: "host", id, label: name });

  const locked = new LockedRows(clients, assignments, hosts);
  const decisions = inputs.map((input) => decide(input, locked, now));
  const accepted = decisions.filter((decision) => decision.kind === "accepted");
  if (accepted.length > 0) await write(deps, caller, { accepted, now });

  return decisions.map((decision) => {
    return decision.kind === "accepted" ? { kind: "done" } : decision;
  });
}

class LockedRows {
  readonly #clients: ReadonlyMap<string, UserRow>;
  readonly #assignments: ReadonlyMap<string, AssignmentRow>;
  readonly #hosts: ReadonlyMap<string, HostRow>;

  constructor(
    clients: ReadonlyMap<string, UserRow>,
    assignments: readonly AssignmentRow[],
    hosts: ReadonlyMap<string, HostRow>,
  ) {
    this.#clients = clients;
    this.#hosts = hosts;
    this.#assignments = new Map(
      assignments.map((each) => [keyOf({ hostId: each.host.id, userId: each.userId }), each]),
    );
  }

  clientOf({ userId }: AssignHost): UserRow {
    return requireActiveClient(this.#clients.get(userId));
  }

  hostOf({ hostId }: AssignHost): HostRow {
    const host = this.#hosts.get(hostId);
    if (host === undefined) throw hostNotFound();

    assertPresent(host, HOST_GONE);
    return host;
  }

  currentOf(input: AssignHost): AssignmentRow | null {
    return this.#assignments.get(keyOf(input)) ?? null;
  }
}

interface Accepted {
  readonly kind: "accepted";
  readonly input: AssignHost;
  readonly client: UserRow;
  readonly host: HostRow;
  readonly current: AssignmentRow | null;
  /** As it was before: `current` is written in place. */
  readonly stored: (StoredPeriod & Pick<AssignmentRow, "remark">) | null;
  readonly period: StoredPeriod;
}

type Decision = Accepted | Extract<AssignOutcome, { kind: "refused" }>;

function decide(input: AssignHost, locked: LockedRows, now: number): Decision {
  try {
    return accept(input, locked, now);
  } catch (error) {
    if (error instanceof AppError) return { kind: "refused", failure: error };
    throw error;
  }
}

function accept(input: AssignHost, locked: LockedRows, now: number): Accepted {
  const client = locked.clientOf(input);
  const current = locked.currentOf(input);
  const { start, end } = resolvePeriod(input, current, now);
  const problem = findPeriodProblem(input, current, now);
  if (problem !== null) throw problem;

  const host = locked.hostOf(input);
  assertAsExpected(input, current);
  assertNotShortened(input, current, end);

  const stored = current === null ? null : { ...periodOf(current), remark: current.remark };
  const period = { assignedAt: start, assignedExpireTime: end };
  return { kind: "accepted", input, client, host, current, stored, period };
}

interface Writing {
  readonly accepted: readonly Accepted[];
  readonly now: number;
}

async function write(
  deps: AssignmentsDeps,
  caller: Caller,
  { accepted, now }: Writing,
): Promise<void> {
  const { em, actor } = deps;
  const context = { actor, at: now };
  const assigned = accepted.map((each) => ({ ...each, id: each.current?.id ?? newId() }));

  const begun = assigned.filter(({ current }) => current === null);
  const newAssignments = begun.map(({ id, input: { hostId, remark }, client, period }) => {
    return { id, hostId, client, assignedBy: caller, period, remark };
  });
  await beginAssignments(em, newAssignments, context);

  const changes = assigned.flatMap(({ current, input: { remark }, period }) => {
    return current === null ? [] : [{ current, period, remark }];
  });
  const changedIds = await changeAssignments(em, changes, context);

  await recordAudits(deps, accepted.map(auditRecordOf), now);

  const told = assigned.filter(({ id, current }) => current === null || changedIds.has(id));
  const changesToTell = told.map(({ id, input: { hostId, userId }, stored, period }) => {
    return { assignmentId: id, hostId, userId, before: stored, after: period };
  });
  await notifyOfAssignments(deps, changesToTell, now);

  const events = told.map(({ input: { hostId, userId }, host }) => {
    return { hostId, userId, configId: host.config?.id ?? null };
  });
  await publishAssignmentEvents(em, events, now);
}

/** After it is written. */
function auditRecordOf({ input, client, host, current, stored, period }: Accepted): AuditRecord {
  const after = current ?? { ...period, remark: input.remark || null };
  return {
    action: "hosts.assign",
    subject: { type: "host", id: input.hostId, label: host.name },
    changes: assignmentChanges(client.name, stored, after),
  };
}

/** The caller decided by an end that it has seen; a renewal may have moved it since. */
function assertAsExpected(
  { expectedExpireTime, expectsNone = false }: AssignHost,
  current: StoredPeriod | null,
): void {
  if (expectsNone && current !== null) throw new AppError("STATE_CONFLICT", CHANGED_MEANWHILE);
  if (expectedExpireTime !== undefined && expectedExpireTime !== current?.assignedExpireTime) {
    throw new AppError("STATE_CONFLICT", CHANGED_MEANWHILE);
  }
}

function assertNotShortened(
  { refusesShorter = false }: AssignHost,
  current: StoredPeriod | null,
  end: number,
): void {
  if (refusesShorter && current !== null && current.assignedExpireTime > end) {
    throw endsLater(current, end);
  }
}

function endsLater({ assignedExpireTime }: StoredPeriod, end: number): AppError {
  const dates = `该用户现有的有效期到 ${localDate(assignedExpireTime)}，晚于这次的 ${localDate(end)}`;
  return new AppError("STATE_CONFLICT", `${dates}，未作改动；如确需缩短，请允许缩短后再次分配`);
}
