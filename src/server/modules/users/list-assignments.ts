import type {
  Assignment,
  AssignmentList,
  ListAssignmentsInput,
} from "../../../shared/assignments.ts";
import { paginate } from "../../../shared/page.ts";
import { isClient, isSuperAdmin, type Role } from "../../../shared/roles.ts";
import { columnsOf } from "../../platform/database/columns.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { hasBegun } from "../hosts/access.ts";
import { getUser } from "./queries.ts";

type FoundAssignment = Awaited<ReturnType<typeof readPage>>["rows"][number];

/**
 * What the user has or had, newest first. Throws NOT_FOUND for a user outside of the caller's
 * scope.
 */
export async function listAssignments(
  { em, clock }: Pick<Deps, "em" | "clock">,
  caller: Caller,
  input: ListAssignmentsInput,
): Promise<AssignmentList> {
  await getUser({ em }, caller, input.id);

  const { rows, total } = await readPage({ em, clock }, caller, input);
  const assignments = rows.map((row) => presentAssignment(row, caller.role));
  return { assignments, pagination: paginate(input, total) };
}

async function readPage(
  { em, clock }: Pick<Deps, "em" | "clock">,
  { role }: Caller,
  { id, page, limit }: ListAssignmentsInput,
) {
  let ofUser = columnsOf(em).selectFrom("assignments as a").where("a.user_id", "=", id);
  if (isClient(role)) ofUser = ofUser.where((eb) => hasBegun(eb, clock.now()));

  const { total } = await ofUser
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await ofUser
    .innerJoin("hosts as h", "h.id", "a.host_id")
    .select([
      "a.id",
      "a.assigned_at as assignedAt",
      "a.assigned_expire_time as assignedExpireTime",
      "a.ended_at as endedAt",
      "a.remark",
      "a.assigned_by as assignedBy",
      "a.assigned_by_name as assignedByName",
      "h.id as hostId",
      "h.name as hostName",
      "h.ucloud_id as ucloudId",
    ])
    .orderBy("a.id", "desc")
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { rows, total };
}

function presentAssignment(row: FoundAssignment, role: Role): Assignment {
  const hidesAdmins = isClient(role);
  // A host that was taken back may be named for its next user.
  const showsName = row.endedAt === null || isSuperAdmin(role);
  return {
    id: row.id,
    host: {
      id: row.hostId,
      name: showsName ? row.hostName : row.ucloudId,
      ucloudId: row.ucloudId,
    },
    assignedAt: row.assignedAt,
    assignedExpireTime: row.assignedExpireTime,
    endedAt: row.endedAt,
    assignedBy: hidesAdmins ? null : { id: row.assignedBy, name: row.assignedByName },
    remark: hidesAdmins ? null : row.remark,
  };
}
