import { defineEntity } from "@mikro-orm/core";
import type { AuditOutcome, AuditSubjectType } from "../../../shared/audit.ts";
import type { Actor } from "../../platform/actor.ts";
import type { FieldChange } from "./field-changes.ts";

/**
 * What somebody did, was refused or failed to do. Rows are added and never changed, but for the
 * count of equal failures; only the clean-up removes them. Without foreign keys, and with the names
 * of then: an entry outlives what it tells of.
 */
export const AuditEntryEntity = defineEntity({
  name: "AuditEntry",
  tableName: "audit_entries",
  properties: (p) => ({
    id: p.uuid().primary(),
    /** Within a second it says which came first. */
    seq: p.bigint("number").autoincrement(),
    at: p.bigint("number"),
    actorType: p.text().$type<Actor["type"] | "token">(),
    actorId: p.uuid().nullable(),
    actorName: p.text().nullable(),
    tokenId: p.uuid().nullable(),
    tokenName: p.text().nullable(),
    /** A procedure, `job.<name>` or `command.<subcommand>`. */
    action: p.text().collation("C"),
    subjectType: p.text().$type<AuditSubjectType>().nullable(),
    subjectId: p.uuid().nullable(),
    subjectLabel: p.text().nullable(),
    outcome: p.text().$type<AuditOutcome>(),
    ip: p.text().nullable(),
    userAgent: p.text().nullable(),
    requestId: p.text().nullable(),
    changes: p.json<FieldChange[]>().defaultRaw("'[]'"),
    /** How many equal failures it stands for. */
    count: p.integer().default(1),
    /** Of the failure that equal ones are still counted in (`failure-recorder.ts`). */
    failureKey: p.text().nullable(),
    /** Computed by the database: the names of actor and subject and the address in lower case. */
    searchText: p
      .text()
      .collation("C")
      .generated(
        "(lower(coalesce(actor_name, '') || chr(10) || coalesce(subject_label, '') || chr(10) || coalesce(ip, ''))) stored",
      )
      // Never null, but so that an insert need not name it.
      .nullable()
      .lazy(),
  }),
  indexes: [
    {
      name: "audit_entries_by_time",
      expression: "create index audit_entries_by_time on audit_entries (at desc, seq desc)",
    },
    {
      name: "audit_entries_of_actors",
      expression: `create index audit_entries_of_actors on audit_entries
        (actor_id, at desc, seq desc) where actor_id is not null`,
    },
    {
      name: "audit_entries_of_subjects",
      expression: `create index audit_entries_of_subjects on audit_entries
        (subject_id, at desc, seq desc) where subject_id is not null`,
    },
    {
      name: "audit_entries_of_actions",
      expression: `create index audit_entries_of_actions on audit_entries
        (action, at desc, seq desc)`,
    },
    {
      name: "audit_entries_of_subject_types",
      expression: `create index audit_entries_of_subject_types on audit_entries
        (subject_type, at desc, seq desc)`,
    },
    {
      name: "audit_entries_without_success",
      expression: `create index audit_entries_without_success on audit_entries
        (at desc, seq desc) where outcome <> 'ok'`,
    },
    {
      name: "audit_entries_search",
      expression:
        "create index audit_entries_search on audit_entries using gin (search_text gin_trgm_ops)",
    },
    {
      name: "audit_entries_failures",
      expression: `create unique index audit_entries_failures on audit_entries (failure_key)
        where failure_key is not null`,
    },
  ],
});
