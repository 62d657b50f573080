import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import { z } from "zod";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { now } from "./data.ts";
import { insertRows, type Queryable } from "./database.ts";

/** When they were made, in ms: long before everything else, so that lists have them last. */
const MADE_AT = 1_600_000_000_000;

/** Beyond the days in which the clean-up looks for acts of the version before. */
const LONG_AGO = 40 * DAY_SECONDS;

/** Ids of rows that are over. */
export interface FormerRows {
  readonly hosts: readonly string[];
  readonly assignments: readonly string[];
  readonly requests: readonly string[];
}

/**
 * For each present assignment two earlier ones of the same client and host, each with a request:
 * one that ended before its period did, and one that was taken back before it began. For each
 * present host one that is gone and that nobody has. Nothing but their end tells them from present
 * ones.
 */
export async function insertFormerRows(database: Queryable): Promise<FormerRows> {
  const hosts = await insertGoneHosts(database);
  const assignments = await insertFormerAssignments(database);
  const rows = await database.query(
    "select id, ended_at > assigned_at as has_begun from assignments where id = any($1)",
    [assignments],
  );

  const requests: string[] = [];
  for (const { id, has_begun } of rows) {
    requests.push(await insertRequest(database, String(id), has_begun ? "rejected" : "cancelled"));
  }
  return { hosts, assignments, requests };
}

async function insertGoneHosts(database: Queryable): Promise<string[]> {
  const present = await database.query(
    `select to_jsonb(h) - '{sort_name,search_text,address_text,fingerprint}'::text[] as host
     from hosts h where gone_at is null`,
  );
  const gone = present.map(({ host }) => ({
    ...z.record(z.string(), z.unknown()).parse(host),
    id: v7({ msecs: MADE_AT }),
    ucloud_id: `uhost-${randomUUID()}`,
    gone_at: now() - LONG_AGO,
    missing_since: null,
    held_reason: null,
    held_run_id: null,
    dismissed_at: null,
  }));
  await insertRows(database, "hosts", gone);
  return gone.map(({ id }) => id);
}

export async function insertFormerAssignments(database: Queryable): Promise<string[]> {
  const present = await database.query("select id from assignments where ended_at is null");
  const periods = [
    { assigned_at: now() - 90 * DAY_SECONDS, assigned_expire_time: now() + 3 * DAY_SECONDS },
    { assigned_at: now() + 20 * DAY_SECONDS, assigned_expire_time: now() + 50 * DAY_SECONDS },
  ];

  const ids: string[] = [];
  for (const { id: presentId } of present) {
    for (const period of periods) {
      const id = v7({ msecs: MADE_AT });
      const over = { ...period, id, ended_at: now() - LONG_AGO };
      await database.query(
        `insert into assignments
         select (jsonb_populate_record(a, $2)).* from assignments a where a.id = $1`,
        [presentId, JSON.stringify({ ...over, created_at: MADE_AT / 1000 })],
      );
      ids.push(id);
    }
  }
  return ids;
}

async function insertRequest(
  database: Queryable,
  assignmentId: string,
  status: "rejected" | "cancelled",
): Promise<string> {
  const id = v7({ msecs: MADE_AT });
  await database.query(
    `insert into renewals (id, assignment_id, host_id, user_id, user_name, user_username, host_name,
       host_cpu, host_memory, requested_duration, status, remark, created_at, processed_at)
     select $1, a.id, a.host_id, a.user_id, a.user_name, a.user_username, h.name,
       h.cpu, h.memory, 365, $3, '以前的申请', $4, $4
     from assignments a join hosts h on h.id = a.host_id
     where a.id = $2`,
    [id, assignmentId, status, MADE_AT / 1000],
  );
  return id;
}
