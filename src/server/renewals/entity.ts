import { defineEntity } from "@mikro-orm/core";
import type { RenewalStatus } from "../../shared/renewals.ts";
import { AssignmentEntity, HostEntity } from "../hosts/entity.ts";

/** A client's request for more time on an assigned host. Names stand beside ids so that history outlives users and assignments. */
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
});
