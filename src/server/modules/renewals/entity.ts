import { defineEntity, type InferEntity } from "@mikro-orm/core";
import type { RenewalStatus } from "../../../shared/renewal-status.ts";
import { AssignmentEntity, HostEntity } from "../hosts/entity.ts";

/**
 * A client's request for more time on an assigned host. Names stand beside ids so that history
 * outlives users and assignments.
 */
export const RenewalEntity = defineEntity({
  name: "Renewal",
  tableName: "renewals",
  properties: (p) => ({
    id: p.uuid().primary(),
    assignment: () => p.manyToOne(AssignmentEntity),
    host: () => p.manyToOne(HostEntity),
    userId: p.uuid(),
    userName: p.text(),
    userUsername: p.text(),
    userEmail: p.text().nullable(),
    userPhone: p.text().nullable(),
    hostName: p.text(),
    hostCpu: p.integer(),
    hostMemory: p.integer(),
    hostExpireTime: p.bigint("number").nullable(),
    /** days */
    requestedDuration: p.integer(),
    status: p.text().$type<RenewalStatus>(),
    remark: p.text().nullable(),
    adminRemark: p.text().nullable(),
    createdAt: p.bigint("number"),
    processedAt: p.bigint("number").nullable(),
    processedBy: p.uuid().nullable(),
    processedByName: p.text().nullable(),
  }),
  indexes: [
    {
      name: "renewals_open",
      expression: `create unique index renewals_open on renewals (user_id, host_id)
        where status in ('pending', 'approved')`,
    },
    { name: "renewals_count", properties: "status" },
    { name: "renewals_of_users", properties: ["userId", "status", "host"] },
    { name: "renewals_of_hosts", properties: "host" },
    {
      name: "renewals_of_assignments",
      expression: `create index renewals_of_assignments
        on renewals (assignment_id, id desc, status)`,
    },
    {
      name: "renewals_user",
      expression: "create index renewals_user on renewals (user_id, id desc)",
    },
    { name: "renewals_status", columns: [{ name: "status" }, { name: "id", sort: "desc" }] },
  ],
  checks: [
    {
      name: "renewals_requested_duration_check",
      expression: "requested_duration >= 1 and requested_duration <= 365",
    },
    {
      name: "renewals_status_check",
      expression: "status in ('pending', 'approved', 'rejected', 'completed', 'cancelled')",
    },
  ],
});

export type RenewalRow = InferEntity<typeof RenewalEntity>;
