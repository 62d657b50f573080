const USER = [
  "id",
  "username",
  "name",
  "role",
  "email",
  "phone",
  "isActive",
  "adminId",
  "admin.id",
  "admin.name",
  "admin.username",
  "createdAt",
  "mustChangePassword",
  "secondFactorEnabled",
  "note=null",
];
const PAGE = ["page", "limit", "total", "totalPages"];
const SESSION = ["id", "createdAt", "lastSeenAt", "expiresAt", "ip", "userAgent", "isCurrent"];
const TOKEN = [
  "id",
  "name",
  "hint",
  "scope",
  "allowedAddresses[]",
  "createdAt",
  "expiresAt",
  "lastUsedAt",
  "lastUsedAddress",
];
const ASSIGNMENT = [
  "id",
  "host.id",
  "host.name",
  "host.ucloudId",
  "assignedAt",
  "assignedExpireTime",
  "endedAt",
  "assignedBy=null",
  "remark=null",
];
/**
 * Super admins and admins see the provider's status and the configuration; a client gets null, and
 * an empty list of tags.
 */
const HOST = [
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
  "statusSince",
  "providerStatus=null",
  "chargeType",
  "createTime",
  "expireTime",
  "autoRenew=null",
  "ipSet[].Type",
  "ipSet[].IP",
  "users[].id",
  "users[].name",
  "users[].username",
  "users[].assignedAt",
  "users[].assignedExpireTime",
  "openRenewal.id",
  "openRenewal.status",
  "openRenewal.requestedDuration",
  "openRenewal.createdAt",
  "configId=null",
  "syncedAt",
  "isStale",
  "goneAt",
  "note=null",
];
const EXPORTED_HOST = [
  "主机",
  "资源 ID",
  "状态",
  "地域",
  "可用区",
  "CPU 核数",
  "内存（GB）",
  "磁盘（GB）",
  "操作系统",
  "IP",
  "计费",
  "分配用户",
  "用户开始",
  "用户到期",
];
const EXPORTED_RENEWAL = [
  "主机",
  "资源 ID",
  "CPU 核数",
  "内存（GB）",
  "状态",
  "续费天数",
  "我的到期时间",
  "续费后到期时间",
  "提交时间",
  "处理时间",
  "备注",
  "管理员备注",
];
const RENEWAL = [
  "id",
  "host.id",
  "host.name",
  "host.ucloudId",
  "host.cpu",
  "host.memory",
  "host.expireTime",
  "user.id",
  "user.name",
  "user.username",
  "user.email",
  "user.phone",
  "requestedDuration",
  "status",
  "remark",
  "adminRemark",
  "createdAt",
  "processedAt",
  "processedBy=null",
  "undoableUntil=null",
  "assignedExpireTime",
];
const RENEWAL_DETAILS = [
  ...RENEWAL,
  "undoneDecisions[].decision",
  "undoneDecisions[].restoredStatus",
  "undoneDecisions[].at",
  "undoneDecisions[].undoneBy=null",
];
/** Which run found it is for those who see the runs. */
const HISTORY_ENTRY = [
  "id",
  "at",
  "kind",
  "runId=null",
  "actor.id",
  "actor.name",
  "remark",
  "changes[].field",
  "changes[].from",
  "changes[].to",
];
const NOTICE = [
  "id",
  "type",
  "severity",
  "title",
  "message",
  "link",
  "createdAt",
  "readAt",
  "hostCount",
];
/** The end is that of the assignment. */
const NOTICE_ITEM = ["hostId", "hostName", "expireTime", "daysLeft"];
const RENEWAL_STATUSES = ["pending", "approved", "rejected", "completed", "cancelled"];
const EXPIRIES = ["expired", "expiring7", "expiring30"];
const STATUSES = ["Running", "Stopped", "Starting", "Stopping", "Rebooting", "Unknown"];

/** An object of an answer, or a list of objects when its name ends with `[]`, and its fields. */
type Inside = Readonly<Record<string, readonly string[]>>;

/** What a client may receive: fields on top, and those inside other objects. */
interface Allowed {
  readonly fields?: readonly string[];
  readonly inside?: Inside;
}

/**
 * Every field of the answers that a client may receive, by call; `=null` marks those whose value it
 * must not see. Who receives what of an event: api/event-recipients.
 */
const ALLOWED: Readonly<Record<string, Allowed>> = {
  "auth.login": { fields: ["token"], inside: { user: USER } },
  "auth.me": {
    fields: [...USER, "admin.email", "admin.phone", "preferences.email", "mustSetUpSecondFactor"],
  },
  "auth.changePassword": {},
  "auth.updatePreferences": { fields: ["email"] },
  "auth.refresh": { fields: ["token"], inside: { user: USER } },
  "auth.logout": {},
  "auth.sessions": { inside: { "[]": SESSION } },
  "auth.endSession": {},
  "auth.endOtherSessions": { fields: ["ended"] },
  "auth.secondFactor": { fields: ["token"], inside: { user: USER } },
  "auth.setUpTotp": { fields: ["secret", "otpauthUrl"] },
  "auth.confirmTotp": { fields: ["recoveryCodes[]"] },
  "auth.renewRecoveryCodes": { fields: ["recoveryCodes[]"] },
  "auth.disableTotp": {},
  "auth.tokens": { inside: { "[]": TOKEN } },
  "auth.createToken": { fields: [...TOKEN, "token"] },
  "auth.revokeToken": {},
  "auth.activity": {
    inside: {
      "entries[]": ["id", "at", "action", "outcome", "ip", "userAgent", "changes", "count"],
      "entries[].changes[]": ["field", "from", "to"],
      pagination: PAGE,
    },
  },
  "users.assignments": { inside: { "assignments[]": ASSIGNMENT, pagination: PAGE } },
  "hosts.list": { inside: { "hosts[]": HOST, pagination: PAGE } },
  "hosts.export": { inside: { "[]": EXPORTED_HOST } },
  "hosts.get": { fields: HOST },
  "hosts.history": {
    inside: {
      "entries[]": HISTORY_ENTRY,
      "entries[].changes[].from[]": ["Type", "IP"],
      "entries[].changes[].to[]": ["Type", "IP"],
      pagination: PAGE,
    },
  },
  "hosts.summary": {
    fields: [
      "total",
      "expired",
      "expiringSoon",
      "expiringMonth",
      "providerEndsFirst=null",
      "unassigned=null",
      "gone=null",
      "held=null",
    ],
    inside: {
      byStatus: STATUSES,
      provider: [...EXPIRIES, "renewing7", "renewing30"],
      assigned: EXPIRIES,
      "expiriesByMonth[]": ["month", "count"],
      "regions[]": ["region", "Running", "Stopped", "Other"],
    },
  },
  "renewals.create": { fields: RENEWAL },
  "renewals.createBatch": { inside: { "results[]": ["hostId", "id", "ok", "code", "message"] } },
  "renewals.list": {
    inside: { "requests[]": RENEWAL, pagination: PAGE, counts: RENEWAL_STATUSES },
  },
  "renewals.export": { inside: { "[]": EXPORTED_RENEWAL } },
  "renewals.get": { fields: RENEWAL_DETAILS },
  "renewals.cancel": {},
  "notices.list": {
    fields: ["unreadCount"],
    inside: { "notices[]": NOTICE, "notices[].items[]": NOTICE_ITEM, pagination: PAGE },
  },
  "notices.read": { fields: ["unreadCount"] },
  "notices.delete": {},
  "settings.get": { fields: ["show_network_info_to_client"] },
  "events.stream": { fields: ["id", "data.type", "data.data.resumed"] },
};

/** The paths of fields that a client must not receive in an answer to this call. */
export function forbiddenFields(call: string, body: unknown): string[] {
  const allowed = pathsOf(ALLOWED[call] ?? {});
  return fieldsOf(body).flatMap((field) => (isAllowed(field, allowed) ? [] : [field.path]));
}

function pathsOf({ fields = [], inside = {} }: Allowed): readonly string[] {
  const paths = Object.entries(inside).flatMap(([object, names]) =>
    names.map((name) => `${object}.${name}`),
  );
  return fields.concat(paths);
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
