import { defineEntity } from "@mikro-orm/core";
import type { HostChangeKind, HostFieldChange } from "../../../shared/host-history.ts";

/**
 * A change that sync, a refresh or a release made to a host. Acts of people are not stored here:
 * assignments and renewals have them. Without foreign keys: hosts are never deleted, and the
 * history outlives its run.
 */
export const HostChangeEntity = defineEntity({
  name: "HostChange",
  tableName: "host_changes",
  properties: (p) => ({
    /** A UUIDv7 of the time `at`, so that the ids are in the order of time. */
    id: p.uuid().primary(),
    hostId: p.uuid(),
    kind: p.text().$type<HostChangeKind>(),
    at: p.bigint("number"),
    /** The run that found it; null for a refresh, a decision of a person, or a release. */
    runId: p.uuid().nullable(),
    changes: p.json<HostFieldChange[]>().defaultRaw("'[]'"),
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
