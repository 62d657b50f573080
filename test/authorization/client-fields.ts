const USER = [
  ...[
    "id",
    "username",
    "name",
    "role",
    "email",
    "phone",
    "isActive",
    "adminId",
    "createdAt",
    "mustChangePassword",
  ],
  ...["admin.id", "admin.name", "admin.username"],
];
const PAGE = ["page", "limit", "total", "totalPages"];
/** Super admins and admins see the provider's status and the configuration; a client gets null. */
const HOST = [
  ...[
    "id",
    "name",
    "ucloudId",
    "cpu",
    "memory",
    "disk",
    "osName",
    "osType",
    "region",
    "zone",
    "zoneName",
    "status",
  ],
  ...[
    "providerStatus=null",
    "chargeType",
    "createTime",
    "expireTime",
    "ipSet[].Type",
    "ipSet[].IP",
  ],
  ...[
    "users[].id",
    "users[].name",
    "users[].username",
    "users[].assignedAt",
    "users[].assignedExpireTime",
  ],
  ...["openRenewal.id", "openRenewal.status"],
  ...["openRenewal.requestedDuration", "openRenewal.createdAt"],
  ...["configId=null", "syncedAt", "goneAt"],
];
const RENEWAL = [
  ...["id", "host.id", "host.name", "host.ucloudId", "host.cpu", "host.memory", "host.expireTime"],
  ...["user.id", "user.name", "user.username", "user.email", "user.phone"],
  ...[
    "requestedDuration",
    "status",
    "remark",
    "adminRemark",
    "createdAt",
    "processedAt",
    "processedBy=null",
  ],
  "assignedExpireTime",
];
const RENEWAL_STATUSES = ["pending", "approved", "rejected", "completed", "cancelled"];
const EXPIRIES = ["expired", "expiring7", "expiring30"];
const STATUSES = ["Running", "Stopped", "Starting", "Stopping", "Rebooting", "Unknown"];

/** Every field of the answers that a client may receive, by call; `=null` marks those whose value it must not see. Who receives what of an event: api/event-recipients. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "auth.login": ["token", ...within("user", USER)],
  "auth.me": USER,
  "auth.changePassword": [],
  "auth.refresh": ["token", ...within("user", USER)],
  "auth.logout": [],
  "auth.sessions": within("[]", [
    "id",
    "createdAt",
    "lastSeenAt",
    "expiresAt",
    "ip",
    "userAgent",
    "isCurrent",
  ]),
  "auth.endSession": [],
  "auth.endOtherSessions": ["ended"],
  "users.assignments": [
    ...within("assignments[]", [
      "id",
      "host.id",
      "host.name",
      "host.ucloudId",
      "assignedAt",
      "assignedExpireTime",
    ]),
    ...within("assignments[]", ["endedAt", "assignedBy=null", "remark=null"]),
    ...within("pagination", PAGE),
  ],
  "hosts.list": [...within("hosts[]", HOST), ...within("pagination", PAGE)],
  "hosts.get": HOST,
  "hosts.summary": [
    ...[
      "total",
      "expired",
      "expiringSoon",
      "expiringMonth",
      "providerEndsFirst=null",
      "unassigned=null",
      "gone=null",
      "held=null",
    ],
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
  "events.stream": ["id", "data.type", "data.data.resumed"],
};

/** The paths of fields that a client must not receive in an answer to this call. */
export function forbiddenFields(call: string, body: unknown): string[] {
  const allowed = ALLOWED[call] ?? [];
  return fieldsOf(body).flatMap((field) => (isAllowed(field, allowed) ? [] : [field.path]));
}

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
  return Object.entries(value).flatMap(([name, inner]) =>
    fieldsOf(inner, path === "" ? name : `${path}.${name}`),
  );
}

/** `path=null` allows only null, `path` allows null too, and so does a field inside. */
function isAllowed({ path, isNull }: Field, allowed: readonly string[]): boolean {
  if (allowed.includes(path)) return true;
  return (
    isNull && allowed.some((entry) => entry === `${path}=null` || entry.startsWith(`${path}.`))
  );
}
