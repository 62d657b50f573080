import { defineEntity } from "@mikro-orm/core";
import type { HostActKind, HostChangeKind, HostFieldChange } from "../../../shared/host-history.ts";
import type { Actor } from "../../platform/actor.ts";

/**
 * A change that sync, a refresh or a release made to a host. Without foreign keys: hosts are never
 * deleted, and the history outlives its run.
 */
export const HostChangeEntity = defineEntity({
  name: "HostChange",
  tableName: "host_changes",
  properties: (p) => ({
    /** A UUIDv7 of the time `at`, so that the ids are in the order of time. */
    id: p.uuid().primary(),
    /** As of acts; null for changes that are older than the sequence. */
    seq: p.bigint("number").autoincrement().nullable(),
    hostId: p.uuid(),
    kind: p.text().$type<HostChangeKind>(),
    at: p.bigint("number"),
    /** The run that found it; null for a refresh, a decision of a person, or a release. */
    runId: p.uuid().nullable(),
    changes: p.json<HostFieldChange[]>().defaultRaw("'[]'"),
    /** Whose decision made it; null for what a sync or a refresh found. */
    actorId: p.uuid().nullable(),
    /** As named then. */
    actorName: p.text().nullable(),
  }),
  indexes: [
    {
      name: "host_changes_of_hosts",
      expression: "create index host_changes_of_hosts on host_changes (host_id, at desc, id desc)",
    },
    {
      name: "host_changes_of_runs",
      expression: `create index host_changes_of_runs on host_changes (run_id, kind, id)
        where run_id is not null`,
    },
  ],
});

/**
 * What a person did with a host: an assignment or a renewal of a client began, changed or ended.
 * Rows are added and never changed: an assignment and a renewal keep who acted last and what was
 * said last, and here is what each act was. Without foreign keys, and with the names of then:
 * history outlives what it tells of.
 */
export const HostActEntity = defineEntity({
  name: "HostAct",
  tableName: "host_acts",
  properties: (p) => ({
    /** A UUIDv7 of the time `at`. */
    id: p.uuid().primary(),
    /**
     * From the sequence `host_history_seq`, which counts changes and acts together: within a second
     * it says which came first.
     */
    seq: p.bigint("number").autoincrement(),
    hostId: p.uuid(),
    kind: p.text().$type<HostActKind>(),
    at: p.bigint("number"),
    /** All three are null for acts of earlier versions, which did not store who acted. */
    actorType: p.text().$type<Actor["type"]>().nullable(),
    actorId: p.uuid().nullable(),
    actorName: p.text().nullable(),
    /** The client whom the act concerns. */
    userId: p.uuid(),
    userName: p.text(),
    assignmentId: p.uuid(),
    renewalId: p.uuid().nullable(),
    changes: p.json<HostFieldChange[]>().defaultRaw("'[]'"),
    remark: p.text().nullable(),
  }),
  indexes: [
    {
      name: "host_acts_of_hosts",
      expression: "create index host_acts_of_hosts on host_acts (host_id, at desc, seq desc)",
    },
  ],
});
