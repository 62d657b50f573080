import { describe, expect, it } from "vitest";
import { appRouter } from "../../src/server/app-router.ts";
import { listProcedures } from "../../src/server/transport/rest/routes.ts";
import { hasAllPermissions } from "../../src/shared/roles.ts";
import { useApp } from "../harness/app.ts";
import { readAsClient } from "./client-fixture.ts";

const USER = [
  ...["id", "username", "name", "role", "email", "phone", "isActive", "adminId", "createdAt", "mustChangePassword"],
  ...["admin.id", "admin.name", "admin.username"],
];
const PAGE = ["page", "limit", "total", "totalPages"];
/** Only super admins see the provider's status and the configuration. */
const HOST = [
  ...["id", "name", "ucloudId", "cpu", "memory", "disk", "osName", "osType", "region", "zone", "zoneName", "status"],
  ...["providerStatus=null", "chargeType", "createTime", "expireTime", "ipSet[].Type", "ipSet[].IP"],
  ...["users[].id", "users[].name", "users[].username", "users[].assignedAt", "users[].assignedExpireTime"],
  ...["configId=null", "syncedAt", "goneAt"],
];
const RENEWAL = [
  ...["id", "host.id", "host.name", "host.ucloudId", "host.cpu", "host.memory", "host.expireTime"],
  ...["user.id", "user.name", "user.username", "user.email", "user.phone"],
  ...["requestedDuration", "status", "remark", "adminRemark", "createdAt", "processedAt", "processedBy=null"],
  "assignedExpireTime",
];
const RENEWAL_STATUSES = ["pending", "approved", "rejected", "completed", "cancelled"];
const EXPIRIES = ["expired", "expiring7", "expiring30"];
const STATUSES = ["Running", "Stopped", "Starting", "Stopping", "Rebooting", "Unknown"];

/** Every field a client may receive, by call and event type. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "auth.login": ["token", ...within("user", USER)],
  "auth.me": USER,
  "auth.changePassword": [],
  "auth.refresh": ["token", ...within("user", USER)],
  "auth.logout": [],
  "auth.sessions": within("[]", ["id", "createdAt", "lastSeenAt", "expiresAt", "ip", "userAgent", "isCurrent"]),
  "auth.endSession": [],
  "auth.endOtherSessions": ["ended"],
  "users.assignments": [
    ...within("assignments[]", ["id", "host.id", "host.name", "host.ucloudId", "assignedAt", "assignedExpireTime"]),
    ...within("assignments[]", ["endedAt", "assignedBy=null", "remark=null"]),
    ...within("pagination", PAGE),
  ],
  "hosts.list": [...within("hosts[]", HOST), ...within("pagination", PAGE)],
  "hosts.get": HOST,
  "hosts.summary": [
    ...["total", "expired", "expiringSoon", "expiringMonth", "unassigned=null", "gone=null", "held=null"],
    ...within("byStatus", STATUSES),
    ...within("provider", EXPIRIES),
    ...within("assigned", EXPIRIES),
    ...within("expiriesByMonth[]", ["month", "count"]),
    ...within("regions[]", ["region", "Running", "Stopped", "Other"]),
  ],
  "renewals.create": RENEWAL,
  "renewals.createBatch": within("results[]", ["hostId", "id", "ok", "code", "message"]),
  "renewals.list": [
    ...within("requests[]", RENEWAL),
    ...within("pagination", PAGE),
    ...within("counts", RENEWAL_STATUSES),
  ],
  "renewals.get": RENEWAL,
  "renewals.cancel": [],
  "settings.get": ["show_network_info_to_client"],
  failure: ["code", "message", "requestId", "errors[].field", "errors[].message"],
  "stream.ready": ["resumed"],
  "hosts.changed": [],
  "assignment.changed": ["hostId"],
  "settings.changed": ["show_network_info_to_client"],
  "renewal.created": ["id", "status"],
  "renewal.processed": ["id", "status"],
  "renewal.cancelled": ["id", "status"],
};

const app = useApp();

describe("fields that a client receives", () => {
  it("there is a field list for every call that a client may make", () => {
    const permitted = listProcedures(appRouter).filter(({ meta: { policy }, type }) => {
      if (type === "subscription" || policy === undefined || policy === "super_admin") return false;
      return typeof policy === "string" || hasAllPermissions("client", policy);
    });
    expect(permitted.map(({ path }) => path).filter((path) => ALLOWED[path] === undefined)).toEqual([]);
  });

  it("a client receives only listed fields in answers and events, and no secret in any of them", async () => {
    const { given, secrets } = await readAsClient(app);
    const fields = given.flatMap(({ by, body }) =>
      fieldsOf(body).map((field) => ({ by, field, entry: allowing(field, ALLOWED[by] ?? []) })),
    );
    const unlisted = fields.filter(({ entry }) => entry === undefined);
    expect(new Set(unlisted.map(({ by, field }) => `${by}: ${field.path}`))).toEqual(new Set());

    const text = JSON.stringify(given);
    expect(Object.entries(secrets).filter(([secret]) => text.includes(secret))).toEqual([]);

    const used = new Set(fields.map(({ by, entry }) => `${by}: ${entry}`));
    const listed = Object.entries(ALLOWED).flatMap(([by, entries]) => entries.map((entry) => `${by}: ${entry}`));
    expect(listed.filter((entry) => !used.has(entry))).toEqual([]);
    const callers = new Set(given.map(({ by }) => by));
    expect(Object.keys(ALLOWED).filter((by) => !callers.has(by))).toEqual([]);
  });
});

function within(path: string, fields: readonly string[]): string[] {
  return fields.map((field) => `${path}.${field}`);
}

/** A field of an answer by its path, such as `hosts[].users[].id`. */
interface Field {
  readonly path: string;
  readonly isNull: boolean;
}

/** Every field with a value, listed separately as null and not null. */
function fieldsOf(value: unknown, path = ""): Field[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOf(item, `${path}[]`));
  if (typeof value !== "object" || value === null) return [{ path, isNull: value === null }];
  return Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, path === "" ? name : `${path}.${name}`));
}

/** The entry that allows the field; `path=null` allows only null, `path` allows null too. */
function allowing({ path, isNull }: Field, allowed: readonly string[]): string | undefined {
  const exact = allowed.find((entry) => entry === path || (isNull && entry === `${path}=null`));
  return exact ?? (isNull ? allowed.find((entry) => entry.startsWith(`${path}.`)) : undefined);
}
