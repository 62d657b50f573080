import { z } from "zod";
import { Host } from "./hosts.ts";
import { Id } from "./ids.ts";
import { PageQuery, Pagination } from "./page.ts";
import { UnixSeconds } from "./time.ts";
import { ActorReference } from "./users.ts";

/** A period in which a user has or had a host. */
export const Assignment = z
  .object({
    id: Id,
    host: Host.pick({ id: true, name: true, ucloudId: true }).describe(
      "主机；分配结束后，只有超级管理员能看到主机现在的名称",
    ),
    assignedAt: UnixSeconds.describe("分配开始时间"),
    assignedExpireTime: UnixSeconds.describe("分配到期时间"),
    endedAt: UnixSeconds.nullable().describe("分配结束（收回）的时间，仍有效时为 null"),
    assignedBy: ActorReference.nullable().describe("分配人；对C端用户为 null"),
    remark: z.string().nullable().describe("分配备注；对C端用户为 null"),
  })
  .meta({ id: "Assignment", description: "主机分配给某用户的一段时间" });
export type Assignment = z.infer<typeof Assignment>;

export const ListAssignmentsInput = z
  .strictObject({ id: Id.describe("用户的标识"), ...PageQuery.shape })
  .meta({ id: "ListAssignmentsInput" });
export type ListAssignmentsInput = z.infer<typeof ListAssignmentsInput>;

export const AssignmentList = z
  .object({ assignments: z.array(Assignment).describe("分配记录"), pagination: Pagination })
  .meta({ id: "AssignmentList", description: "一页分配记录" });
export type AssignmentList = z.infer<typeof AssignmentList>;
