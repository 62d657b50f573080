import type {
  Assignment,
  AssignmentList,
  ListAssignmentsInput,
} from "../../../shared/assignments.ts";
import { paginate } from "../../../shared/page.ts";
import { isClient, isSuperAdmin, type Role } from "../../../shared/roles.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { hasBegun } from "../hosts/access.ts";
import { getUser } from "../users/queries.ts";
import type { AssignmentsDeps } from "./deps.ts";

type FoundAssignment = Awaited<ReturnType<typeof readPage>>["rows"][number];

/**
 * What the user has or had, newest first. Throws NOT_FOUND for a user outside of the caller's
 * scope.
 */
export async function listAssignments(
  { em, clock }: Pick<AssignmentsDeps, "em" | "clock">,
  caller: Caller,
  input: ListAssignmentsInput,
): Promise<AssignmentList> {
  await getUser({ em }, caller, input);

  const { rows, total } = await readPage({ em, clock }, caller, input);
  const assignments = rows.map((row) => presentAssignment(row, caller.role));
  return { assignments, pagination: paginate(input, total) };
}

async function readPage(
  { em, clock }: Pick<AssignmentsDeps, "em" | "clock">,
  { role }: Caller,
  { id, page, limit }: ListAssignmentsInput,
) {
  let ofUser = kyselyOf(em).selectFrom("assignments as a").where("a.userId", "=", id);
  if (isClient(role)) ofUser = ofUser.where((eb) => hasBegun(eb, clock.now()));

  const { total } = await ofUser
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await ofUser
    .innerJoin("hosts as h", "h.id", "a.host")
    .select([
      "a.id",
      "a.assignedAt",
      "a.assignedExpireTime",
      "a.endedAt",
      "a.remark",
      "a.assignedBy",
      "a.assignedByName",
      "h.id as hostId",
      "h.name as hostName",
      "h.ucloudId",
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
