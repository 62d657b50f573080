import { defineEntity, type InferEntity } from "@mikro-orm/core";
import type { InferKyselyTable } from "@mikro-orm/postgresql";
import type { HostIp, HostStatus } from "../../shared/hosts.ts";

/** A virtual host as the provider last described it. Never deleted: a host that vanished has `goneAt`. */
export const HostEntity = defineEntity({
  name: "Host",
  tableName: "hosts",
  properties: (p) => ({
    id: p.uuid().primary(),
    /** The provider's id, the same through whichever configuration the host is seen. */
    ucloudId: p.text(),
    /** The configuration it is read through; null once that configuration was deleted. */
    configId: p.uuid().nullable(),
    /** Empty for the account's default project. */
    projectId: p.text(),
    region: p.text(),
    zone: p.text(),
    name: p.text(),
    cpu: p.integer(),
    /** MB */
    memory: p.integer(),
    /** GB, boot and data disks */
    disk: p.integer(),
    osName: p.text(),
    osType: p.text(),
    status: p.text().$type<HostStatus>(),
    providerStatus: p.text(),
    chargeType: p.text(),
    createTime: p.bigint("number").nullable(),
    expireTime: p.bigint("number").nullable(),
    ipSet: p.json<HostIp[]>(),
    /** When the provider was asked for what this row says, or it was marked; a later complete reading of its partition confirms it without a write. */
    changedAt: p.bigint("number"),
    goneAt: p.bigint("number").nullable(),
  }),
});
export type HostRow = InferEntity<typeof HostEntity>;

/** A host handed to a client for a period. Ended ones stay as history, readable without the user. */
export const AssignmentEntity = defineEntity({
  name: "Assignment",
  tableName: "assignments",
  properties: (p) => ({
    id: p.uuid().primary(),
    hostId: p.uuid(),
    userId: p.uuid(),
    userName: p.text(),
    userUsername: p.text(),
    assignedAt: p.bigint("number"),
    assignedExpireTime: p.bigint("number"),
    remark: p.text().nullable(),
    assignedBy: p.uuid(),
    assignedByName: p.text(),
    createdAt: p.bigint("number"),
    endedAt: p.bigint("number").nullable(),
  }),
});

export interface HostTables {
  hosts: InferKyselyTable<typeof HostEntity>;
  assignments: InferKyselyTable<typeof AssignmentEntity>;
}
