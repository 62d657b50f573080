import type { Assignment, AssignmentList, ListAssignmentsInput } from "../../shared/assignments.ts";
import { paginate } from "../../shared/page.ts";
import { isClient, isSuperAdmin } from "../../shared/roles.ts";
import type { Deps } from "../core/deps.ts";
import type { Caller } from "../core/ports.ts";
import { AssignmentEntity } from "../hosts/entity.ts";
import { getUser } from "./queries.ts";

/** What the user has or had, newest first. Throws NOT_FOUND for a user outside of the caller's scope. */
export async function listAssignments(
  { em, clock }: Pick<Deps, "em" | "clock">,
  caller: Caller,
  { id, page, limit }: ListAssignmentsInput,
): Promise<AssignmentList> {
  await getUser({ em }, caller, id);
  const begun = isClient(caller.role) ? { assignedAt: { $lte: clock.now() } } : {};
  const [found, total] = await em.findAndCount(
    AssignmentEntity,
    { userId: id, ...begun },
    { populate: ["host"], orderBy: { id: "desc" }, limit, offset: (page - 1) * limit, disableIdentityMap: true },
  );
  const assignments = found.map((row): Assignment => {
    const { assignedAt, assignedExpireTime, remark = null, assignedBy, assignedByName } = row;
    const { id: hostId, name, ucloudId } = row.host;
    const endedAt = row.endedAt ?? null;
    // A host that was taken back may be named for its next user.
    const shownName = endedAt === null || isSuperAdmin(caller.role) ? name : ucloudId;
    const forAdmins = { assignedBy: { id: assignedBy, name: assignedByName }, remark };
    return {
      id: row.id,
      host: { id: hostId, name: shownName, ucloudId },
      assignedAt,
      assignedExpireTime,
      endedAt,
      ...(isClient(caller.role) ? { assignedBy: null, remark: null } : forAdmins),
    };
  });
  return { assignments, pagination: paginate({ page, limit }, total) };
}
