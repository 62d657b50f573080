import { defineEntity, type InferEntity } from "@mikro-orm/core";
import type { HeldReason } from "../../../shared/held-hosts.ts";
import type { HostIp, HostStatus } from "../../../shared/hosts.ts";
import { ConfigEntity } from "../provider-configs/entity.ts";
import { fingerprintSql } from "./fingerprint.ts";

const ADDRESS_TEXT = "(lower(jsonb_path_query_array(ip_set, '$[*].IP') #>> '{}')) stored";

/**
 * A virtual host as the provider last described it. Never deleted: a host that vanished has
 * `goneAt`.
 */
export const HostEntity = defineEntity({
  name: "Host",
  tableName: "hosts",
  properties: (p) => ({
    id: p.uuid().primary(),
    ucloudId: p.text().unique(),
    /** The configuration it is read through; null once that configuration was deleted. */
    config: () => p.manyToOne(ConfigEntity).nullable(),
    projectId: p.text().default(""),
    region: p.text(),
    zone: p.text(),
    name: p.text(),
    /** Computed by the database: the name, or the provider's id where there is none. */
    sortName: p
      .text()
      .collation("name_order")
      .generated("(left(coalesce(nullif(name, ''), ucloud_id), 64)) stored")
      .lazy(),
    /** Computed by the database: name and provider's id in lower case. */
    searchText: p
      .text()
      .collation("C")
      .generated("(lower(name || chr(10) || ucloud_id)) stored")
      .lazy(),
    /** Computed by the database: all addresses in lower case, as a JSON array. */
    addressText: p.text().collation("C").generated(ADDRESS_TEXT).lazy(),
    /** Computed by the database from what the provider says of the host (`fingerprint.ts`). */
    fingerprint: p.text().generated(`(${fingerprintSql()}) stored`).lazy(),
    cpu: p.integer(),
    /** MB */
    memory: p.integer(),
    /** GB, boot and data disks */
    disk: p.integer(),
    osName: p.text(),
    osType: p.text(),
    status: p.text().$type<HostStatus>(),
    /**
     * When sync first saw this status, in Unix seconds; null when that is not known. An insert gives
     * it, and the trigger `date_status` moves it with the status.
     */
    statusSince: p.bigint("number").nullable(),
    providerStatus: p.text(),
    chargeType: p.text(),
    createTime: p.bigint("number").nullable(),
    expireTime: p.bigint("number").nullable(),
    /** Null also until the first reading since the column was added. */
    autoRenew: p.boolean().nullable(),
    ipSet: p.json<HostIp[]>(),
    /**
     * When this row was last requested from the provider and written, or marked gone. Finding it
     * unchanged writes nothing.
     */
    changedAt: p.bigint("number"),
    goneAt: p.bigint("number").nullable(),
    /**
     * Since when its configuration has it, in Unix seconds; 0 when that was not recorded. A host that
     * was gone for less than a day keeps it.
     */
    presentSince: p.bigint("number").defaultRaw("0"),
    /** When a person confirmed that it is gone; null when sync found that by itself. */
    removalConfirmedAt: p.bigint("number").nullable(),
    /**
     * Since when sync holds a host that may be gone; null when it was seen since. The column has an
     * older name: to rename it is not worth a migration that replicas of the old version do not
     * survive.
     */
    heldAt: p.bigint("number").fieldName("missing_since").nullable(),
    heldReason: p.text().$type<HeldReason>().nullable(),
    /** The run that held it, null for a refresh. Without a foreign key: it is history. */
    heldRunId: p.uuid().nullable(),
    /** When a person chose to keep it; runs do not hold it or mark it gone until it was seen. */
    dismissedAt: p.bigint("number").nullable(),
    /** What people order hosts by, in the order in which they are shown. */
    tags: p.json<string[]>().defaultRaw("'[]'"),
    /** Computed by the database: the tags in lower case. */
    tagKeys: p.json<string[]>().generated("(lower(tags #>> '{}')::jsonb) stored").lazy(),
    /** What super admins write for each other. */
    note: p.text().nullable(),
  }),
  indexes: [
    {
      name: "hosts_partition",
      expression: `create index hosts_partition on hosts (config_id, project_id, region)
        where gone_at is null`,
    },
    {
      name: "hosts_gone",
      expression: `create index hosts_gone on hosts (config_id, gone_at)
        where gone_at is not null`,
    },
    {
      name: "hosts_unsettled",
      expression: `create index hosts_unsettled on hosts (config_id)
        where gone_at is null and status in ('Starting', 'Stopping', 'Rebooting')`,
    },
    {
      name: "hosts_by_name",
      expression: "create index hosts_by_name on hosts (sort_name, id) where gone_at is null",
    },
    {
      name: "hosts_held",
      expression: `create index hosts_held on hosts (config_id, missing_since)
        where missing_since is not null`,
    },
    {
      name: "hosts_by_tag",
      expression: `create index hosts_by_tag on hosts using gin (tag_keys jsonb_path_ops)
        where tags <> '[]'`,
    },
    {
      name: "hosts_search",
      expression: "create index hosts_search on hosts using gin (search_text gin_trgm_ops)",
    },
  ],
  /**
   * The database dates a status that changes, whoever writes it. A replica of a version before 0028
   * does not know the column: a status that it changes, and perhaps changes back, would keep the
   * date of another one. A status that stays fires nothing, so most rows of a sync cost nothing.
   */
  triggers: [
    {
      name: "date_status",
      timing: "before",
      events: ["update"],
      // As PostgreSQL prints it: MikroORM compares the two texts.
      when: "(old.status IS DISTINCT FROM new.status)",
      body: "new.status_since := new.changed_at; return new",
    },
  ],
});

export type HostRow = InferEntity<typeof HostEntity>;

/**
 * A host handed to a client for a period. Ended ones stay as history, readable without the user.
 */
export const AssignmentEntity = defineEntity({
  name: "Assignment",
  tableName: "assignments",
  properties: (p) => ({
    id: p.uuid().primary(),
    host: () => p.manyToOne(HostEntity),
    /** Without a foreign key: history outlives the user. */
    userId: p.uuid(),
    userName: p.text(),
    userUsername: p.text(),
    assignedAt: p.bigint("number"),
    assignedExpireTime: p.bigint("number"),
    /** The present one. Every act on an assignment, with its own remark, is in `host_acts`. */
    remark: p.text().nullable(),
    /** Who began it. */
    assignedBy: p.uuid(),
    assignedByName: p.text(),
    createdAt: p.bigint("number"),
    endedAt: p.bigint("number").nullable(),
  }),
  indexes: [
    {
      name: "assignments_current",
      expression: `create unique index assignments_current on assignments (host_id, user_id)
        where ended_at is null`,
    },
    { name: "assignments_by_end", properties: ["assignedExpireTime", "id"] },
    { name: "assignments_of_hosts", properties: "host" },
    {
      name: "assignments_ends",
      expression: `create index assignments_ends
        on assignments (host_id, assigned_expire_time, assigned_at, user_id)
        where ended_at is null`,
    },
    {
      name: "assignments_history",
      expression: "create index assignments_history on assignments (user_id, id desc)",
    },
    {
      name: "assignments_user",
      expression: `create index assignments_user on assignments (user_id, host_id)
        where ended_at is null`,
    },
  ],
  checks: [{ name: "assignments_check", expression: "assigned_expire_time > assigned_at" }],
});

export type AssignmentRow = InferEntity<typeof AssignmentEntity>;
