import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { appRouter } from "../../src/server/app-router.ts";
import { restProcedures } from "../../src/server/platform/http/rest/routes.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp } from "../harness/app.ts";
import { apiContract } from "../harness/contract.ts";
import { buildChannel, buildConfig, buildUser, failureOf, MISSING, now } from "../harness/data.ts";
import { inputFields } from "../harness/input-fields.ts";
import { buildReminderSettings } from "../harness/reminders.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { callRest, procedureOf } from "../harness/transports.ts";

type Input = Readonly<Record<string, unknown>>;
/**
 * A mistake in a valid input, the field that the answer names, the message, and why the API
 * document does not state it, if it does not.
 */
type Mistake = readonly [
  wrong: Input,
  field: string,
  message: string | RegExp,
  unstated?: string | undefined,
];

const CROSS_FIELD = "it depends on another field";
const TEXT = "which texts can be stored is no rule of a schema";
const DECIMALS = "a schema divides in floating point";
const TWO_FIELDS = "a schema does not compare two fields";
const DROPPED = "what is invisible is dropped before the length is checked";
const COMMON = "the list of common passwords is the server's";
const TIME = "it depends on the time";
const ADDRESS = "a pattern does not parse an address";

const COMMON_PASSWORD = "该密码过于常见，请更换一个更复杂的密码";
const PASSWORD_LENGTH = "密码长度必须为 8-128 个字符";
const NOT_STORABLE = "包含无效字符";
const EMAIL = "邮箱格式不正确";
const PHONE = "手机号格式不正确";
const DAYS_OF_ASSIGNMENT = "分配天数必须在1-365天之间";
const ONE_END = "分配到期时间与分配天数必须且只能填写一个";
const DAYS_OF_RENEWAL = "续费天数必须是整数";
const DECISION = "请选择处理结果";
const REASON = "拒绝申请时必须填写备注说明";
const SORT = "不支持按该字段排序";
const ORDER = "排序方向只能是 asc 或 desc";
const TARGETS = "?page=%ff ?%=1 ?%E0%A4=1 ?page[]=1 ?__proto__[x]=1 /%ff /%ED%A0%80 /a%00";
const INTERVAL = "同步间隔只能是 15、60、360 或 1440 分钟，或为空";
const ID_FORMAT = "标识格式不正确";
const CHINESE = /\p{Script=Han}/u;

const END = now() + 30 * DAY_SECONDS;
const ASSIGNMENT = { hostId: MISSING, userId: MISSING, assignedAt: now(), assignedExpireTime: END };
const TOKEN = { name: "脚本", scope: "read", expiresAt: END };
const BATCH = { hostIds: [MISSING], userId: MISSING, assignedExpireTime: END };
const TRANSFER = {
  operation: "transfer",
  hostIds: [MISSING],
  fromUserId: MISSING,
  userId: randomUUID(),
};
const ROBOT = { url: "https://8.8.8.8/robot" };
const MAIL = {
  host: "8.8.4.4",
  port: 465,
  security: "tls",
  user: null,
  password: null,
  sender: "notice@example.com",
};
const BAD_ID: Mistake = [{ id: "1" }, "id", ID_FORMAT];
const MANY_IDS = Array.from({ length: 101 }, () => randomUUID());
const PAGES: readonly Mistake[] = ["0", "1e3", "1.5", ""].flatMap((wrong): Mistake[] => [
  [{ page: wrong }, "page", CHINESE],
  [{ limit: wrong }, "limit", CHINESE],
]);
const OF_SEARCH: readonly Mistake[] = [
  [{ search: "a".repeat(101) }, "search", CHINESE],
  [{ search: "\0" }, "search", CHINESE, TEXT],
  [{ nope: "1" }, "nope", "不支持的参数 nope"],
];
const LISTS: readonly Mistake[] = [...PAGES, [{ limit: "101" }, "limit", CHINESE], ...OF_SEARCH];
/** An export is the whole list. */
const WITHOUT_PAGES: readonly Mistake[] = [
  [{ page: "1" }, "page", "不支持的参数 page"],
  [{ limit: "20" }, "limit", "不支持的参数 limit"],
];
const TAG_FILTER = "标签最多 20 个，每个最多 30 个字符，用逗号分隔";
const OF_HOST_FILTERS: readonly Mistake[] = [
  ...["gone", "assigned", "expired", "assignedExpired", "autoRenew", "providerEndsFirst"].map(
    (flag): Mistake => [{ [flag]: "yes" }, flag, CHINESE],
  ),
  [{ status: "Off" }, "status", CHINESE],
  [{ region: "r".repeat(51) }, "region", CHINESE],
  [{ configId: "1" }, "configId", ID_FORMAT],
  [{ userId: "1" }, "userId", ID_FORMAT],
  [{ noticeId: "1" }, "noticeId", ID_FORMAT],
  [{ outsideProjects: "\0" }, "outsideProjects", CHINESE, TEXT],
  [{ tag: "\0" }, "tag", CHINESE, TEXT],
  [{ tag: "t".repeat(51) }, "tag", TAG_FILTER],
  [{ tag: ",".repeat(20) }, "tag", TAG_FILTER],
  [{ expiring: "0" }, "expiring", CHINESE],
  [{ assignedExpiring: "0" }, "assignedExpiring", CHINESE],
  [{ assignedExpiring: "366" }, "assignedExpiring", CHINESE],
  [{ sort: "expire_time" }, "sort", SORT],
  [{ order: "ASC" }, "order", ORDER],
];
const OF_USER_FILTERS: readonly Mistake[] = [
  [{ role: "nobody" }, "role", "不是可选的值"],
  [{ isActive: "yes" }, "isActive", CHINESE],
  [{ adminId: "1" }, "adminId", ID_FORMAT],
  [{ secondFactorEnabled: "yes" }, "secondFactorEnabled", CHINESE],
  [{ sort: "phone" }, "sort", SORT],
  [{ order: "up" }, "order", ORDER],
];
const OF_RENEWAL_FILTERS: readonly Mistake[] = [
  [{ status: "done" }, "status", CHINESE],
  [{ userId: "1" }, "userId", ID_FORMAT],
  [{ sort: "assignedExpireTime" }, "sort", SORT],
  [{ order: "ASC" }, "order", ORDER],
];
const OF_AUDIT_FILTERS: readonly Mistake[] = [
  [{ actorId: "1" }, "actorId", ID_FORMAT],
  [{ action: "" }, "action", CHINESE],
  [{ action: "hosts.assign.more" }, "action", CHINESE],
  [{ subjectType: "renewal" }, "subjectType", CHINESE],
  [{ subjectId: "1" }, "subjectId", ID_FORMAT],
  [{ outcome: "OK" }, "outcome", CHINESE],
  [{ from: "-1" }, "from", CHINESE],
  [{ to: "1e9" }, "to", CHINESE],
  [{ from: 2, to: 1 }, "to", "结束时间不能早于开始时间", TWO_FIELDS],
  [{ search: "a".repeat(101) }, "search", CHINESE],
  [{ userId: MISSING }, "userId", "不支持的参数 userId"],
];
const FILE = "a schema does not read files";
const USER_COLUMNS = "请使用模板中的列：用户名、姓名、角色、邮箱、手机号、负责管理员、初始密码";
const ASSIGNMENT_COLUMNS = "请使用模板中的列：主机、用户名、到期、天数、备注";
const OF_FILES: readonly Mistake[] = [
  [{ dryRun: "yes" }, "dryRun", "参数 dryRun 必须是 true 或 false"],
  [{ nope: "1" }, "nope", "不支持的参数 nope"],
  [{ file: "" }, "file", "文件是空的", FILE],
];
const CASE = "a schema does not compare without regard to case";
const COMMA = "a schema does not say which characters are refused";
const TAG_MISTAKES = (field: string): readonly Mistake[] => [
  [{ [field]: "a" }, field, "标签必须是列表"],
  [{ [field]: [1] }, `${field}.0`, "请输入文本"],
  [{ [field]: ["\u200b"] }, `${field}.0`, "标签不能为空", DROPPED],
  [{ [field]: ["t".repeat(31)] }, `${field}.0`, "标签最多 30 个字符"],
  [{ [field]: ["a,b"] }, `${field}.0`, "标签不能包含逗号", COMMA],
  [{ [field]: ["Web", "web"] }, field, "标签不能重复，不区分大小写", CASE],
  [{ [field]: Array.from({ length: 21 }, (_, at) => `t${at}`) }, field, "标签最多 20 个"],
];
const NO_REMARKS = [undefined, null, "", "  \n", "\u200b\u2060"];
/**
 * A joiner, a byte order mark, direction marks, fillers of Hangul and Braille, and a selector of
 * forms.
 */
const INVISIBLE = [
  "\u200b",
  "\u200d \u2060",
  "\ufeff",
  "\u200f\u202e",
  "\u3164",
  "\u2800",
  "\ufe0f",
  "\u00ad\u0001",
];
const LONG_KEYS = ["publicKey", "privateKey"].map(
  (key): Mistake => [{ [key]: "k".repeat(256) }, key, CHINESE],
);

/** Of a call that is about one row and has no field beside its id. */
const BY_ID = [
  "auth.endSession",
  "auth.revokeToken",
  "users.get",
  "users.delete",
  "users.resetSecondFactor",
  "users.tokens",
  "hosts.get",
  "hosts.syncOne",
  "hosts.syncRun",
  "hosts.cancelSync",
  "configs.delete",
  "configs.test",
  "noticeChannels.delete",
  "noticeChannels.test",
  "renewals.get",
  "renewals.cancel",
  "notices.delete",
].map((call) => of(call, { id: MISSING }, [BAD_ID]));

const CODES: readonly Mistake[] = [
  [{ code: "" }, "code", "验证码不能为空"],
  [{ code: " － " }, "code", "验证码不能为空", DROPPED],
  [{ code: 123456 }, "code", "请输入文本"],
  [{ code: "1".repeat(101) }, "code", "验证码最多 100 个字符"],
  [{ nope: "1" }, "nope", "不支持的字段 nope"],
];
const OWN_PASSWORDS: readonly Mistake[] = [
  [{ password: "" }, "password", "密码不能为空"],
  [{ password: "\ud800" }, "password", NOT_STORABLE, TEXT],
];

/** Of both decisions about held removals. */
const DECISIONS: readonly Mistake[] = [
  [{ hostIds: [] }, "hostIds", CHINESE],
  [{ hostIds: undefined }, "hostIds", CHINESE],
  [{ hostIds: undefined, all: true }, "configId", CHINESE],
  [{ all: true, configId: MISSING }, "hostIds", "不支持的字段 hostIds"],
  [{ all: "true" }, "all", CHINESE],
  [{ configId: MISSING }, "configId", "不支持的字段 configId"],
];

const MISTAKES = [
  ...BY_ID,
  of("auth.login", { username: "root", password: "x" }, [
    [{ username: "" }, "username", "用户名不能为空"],
    [{ username: " \u200b" }, "username", "用户名不能为空", DROPPED],
    [{ password: "" }, "password", "密码不能为空"],
    [{ password: 1 }, "password", "请输入文本"],
    [{ password: "\ud800" }, "password", NOT_STORABLE, TEXT],
  ]),
  of("auth.changePassword", { currentPassword: PASSWORD, newPassword: "Another2Horse" }, [
    [{ currentPassword: "" }, "currentPassword", CHINESE],
    [{ newPassword: PASSWORD }, "newPassword", "新密码不能与当前密码相同", CROSS_FIELD],
    [{ newPassword: "Short1a" }, "newPassword", PASSWORD_LENGTH],
    [{ newPassword: `Aa1${"x".repeat(126)}` }, "newPassword", PASSWORD_LENGTH],
    [{ newPassword: "ALLUPPER12" }, "newPassword", "密码必须包含至少一个小写字母"],
    [{ newPassword: "alllower12" }, "newPassword", "密码必须包含至少一个大写字母"],
    [{ newPassword: "NoDigitsHere" }, "newPassword", "密码必须包含至少一个数字"],
    [{ newPassword: "Password123" }, "newPassword", COMMON_PASSWORD, COMMON],
    [{ newPassword: "wOAINI1314" }, "newPassword", COMMON_PASSWORD, COMMON],
    // The last one of the list.
    [{ newPassword: "Winter2023" }, "newPassword", COMMON_PASSWORD, COMMON],
  ]),
  of("auth.updatePreferences", { email: false }, [
    [{ email: undefined }, "email", "请选择是或否"],
    [{ email: "false" }, "email", "请选择是或否"],
  ]),
  of("auth.secondFactor", { challenge: "x", code: "123456" }, [
    [{ challenge: "" }, "challenge", "登录验证不能为空"],
    [{ challenge: "\0" }, "challenge", NOT_STORABLE, TEXT],
    ...CODES,
  ]),
  of("auth.setUpTotp", { password: PASSWORD }, OWN_PASSWORDS),
  of("auth.confirmTotp", { code: "123456" }, CODES),
  of("auth.renewRecoveryCodes", { password: PASSWORD, code: "123456" }, [
    ...OWN_PASSWORDS,
    ...CODES,
  ]),
  of("auth.disableTotp", { password: PASSWORD, code: "123456" }, [...OWN_PASSWORDS, ...CODES]),
  of("auth.logout", {}, [[{ all: true }, "all", "不支持的字段 all"]]),
  of("auth.createToken", TOKEN, [
    [{ name: " " }, "name", "名称不能为空"],
    [{ name: "名".repeat(101) }, "name", "名称最多 100 个字符"],
    [{ scope: "write" }, "scope", "权限只能是 read 或 full"],
    [{ expiresAt: now() - 1 }, "expiresAt", "到期时间必须在将来", TIME],
    [{ expiresAt: now() + 367 * DAY_SECONDS }, "expiresAt", "到期时间最多在 366 天之后", TIME],
    [{ expiresAt: undefined }, "expiresAt", CHINESE],
    ...["203.0.113", "203.0.113.0/33", "example.com", "fe80::1%eth0", ""].map(
      (wrong): Mistake => [
        { allowedAddresses: [wrong] },
        "allowedAddresses.0",
        "请填写 IP 地址或网段，例如 203.0.113.7 或 203.0.113.0/24",
        ADDRESS,
      ],
    ),
    [
      { allowedAddresses: Array.from({ length: 21 }, () => "203.0.113.7") },
      "allowedAddresses",
      "最多填写 20 个地址或网段",
    ],
  ]),
  of("users.revokeToken", { id: MISSING, tokenId: MISSING }, [
    BAD_ID,
    [{ tokenId: "1" }, "tokenId", ID_FORMAT],
  ]),
  of("users.create", buildUser(), [
    [{ username: "" }, "username", "用户名不能为空"],
    [{ username: "ab" }, "username", "用户名至少 3 个字符"],
    [{ username: "a".repeat(51) }, "username", "用户名最多 50 个字符"],
    [{ username: "zhāng" }, "username", "用户名只能包含字母、数字和下划线"],
    [{ username: "zhang\n" }, "username", "用户名只能包含字母、数字和下划线"],
    [{ username: "ｚｈａｎｇ" }, "username", "用户名只能包含字母、数字和下划线"],
    [{ password: "Password1" }, "password", COMMON_PASSWORD, COMMON],
    [{ name: " " }, "name", "姓名不能为空"],
    ...INVISIBLE.map((name): Mistake => {
      const unstated = /\S/.test(name) ? DROPPED : undefined;
      return [{ name }, "name", "姓名不能为空", unstated];
    }),
    [{ name: "名".repeat(101) }, "name", "姓名最多 100 个字符"],
    [{ role: "super_admin" }, "role", "角色只能是管理员或C端用户"],
    [{ email: "zhang" }, "email", EMAIL],
    [{ email: "zhang@example" }, "email", EMAIL],
    [{ email: `${"z".repeat(244)}@example.com` }, "email", "邮箱最多 255 个字符"],
    [{ phone: "12800000000" }, "phone", PHONE],
    [{ phone: "138000000001" }, "phone", PHONE],
    ...["１３８００００００００", "138 0000 0000", "+8613800000000"].map(
      (phone): Mistake => [{ phone }, "phone", PHONE],
    ),
    [{ adminId: "1" }, "adminId", ID_FORMAT],
  ]),
  of("users.update", { id: MISSING }, [
    [{ name: "" }, "name", "姓名不能为空"],
    [{ name: "\u200b" }, "name", "姓名不能为空", DROPPED],
    [{ name: 1 }, "name", "请输入文本"],
    ...["x@", 5, "\0"].map((email): Mistake => [{ email }, "email", EMAIL]),
    ...["1", true, "\0"].map((phone): Mistake => [{ phone }, "phone", PHONE]),
    [{ isActive: "false" }, "isActive", "请选择启用或停用"],
    [{ adminId: "1" }, "adminId", ID_FORMAT],
    [{ note: "好".repeat(2_001) }, "note", "内部备注最多 2000 个字符"],
    [{ note: 1 }, "note", "请输入文本"],
    BAD_ID,
  ]),
  of("users.import", { file: "用户名\r\nzhang\r\n" }, [
    ...OF_FILES,
    [{ file: "姓名\r\n张三\r\n" }, "file", `缺少必填的列：用户名。${USER_COLUMNS}`, FILE],
  ]),
  of("assignments.import", { file: "主机,用户名,天数\r\nuhost-1,zhang,30\r\n" }, [
    ...OF_FILES,
    [{ file: "主机\r\nweb\r\n" }, "file", `缺少必填的列：用户名。${ASSIGNMENT_COLUMNS}`, FILE],
  ]),
  of("users.assignments", { id: MISSING }, [...PAGES, BAD_ID]),
  of("users.resetPassword", { id: MISSING }, [
    BAD_ID,
    [{ newPassword: "Chosen1Horse" }, "newPassword", "不支持的字段 newPassword"],
  ]),
  of("users.list", {}, [...LISTS, ...OF_USER_FILTERS]),
  of("users.export", {}, [...OF_SEARCH, ...WITHOUT_PAGES, ...OF_USER_FILTERS]),
  of("settings.update", { show_network_info_to_client: true }, [
    [{ show_network_info_to_client: "true" }, "show_network_info_to_client", CHINESE],
    [{ other: true }, "other", "不支持的字段 other"],
  ]),
  of("securitySettings.update", { secondFactorRequiredRoles: [] }, [
    [{ secondFactorRequiredRoles: undefined }, "secondFactorRequiredRoles", "请选择角色"],
    [{ secondFactorRequiredRoles: ["nobody"] }, "secondFactorRequiredRoles.0", "不是可选的值"],
    [{ secondFactorRequiredRoles: Array(4).fill("admin") }, "secondFactorRequiredRoles", CHINESE],
  ]),
  of("reminders.updateSettings", { ...buildReminderSettings() }, [
    [{ isActive: "true" }, "isActive", CHINESE],
    [{ isActive: undefined }, "isActive", CHINESE],
    [{ assignmentMarks: [7, 7] }, "assignmentMarks", "分配到期提醒不能重复"],
    [{ assignmentMarks: [91] }, "assignmentMarks.0", CHINESE],
    [{ assignmentMarks: [1.5] }, "assignmentMarks.0", CHINESE],
    [{ hostMarks: [-1] }, "hostMarks.0", CHINESE],
    [{ hostMarks: [0, 1, 2, 3, 4, 5, 6, 7, 8] }, "hostMarks", "云端到期提醒最多 8 个"],
    [{ hostMarks: undefined }, "hostMarks", "云端到期提醒必须是列表"],
    [{ sendAt: "24:00" }, "sendAt", "发送时间格式应为 HH:mm，例如 09:00"],
    [{ sendAt: "9:00" }, "sendAt", "发送时间格式应为 HH:mm，例如 09:00"],
    [{ recipients: { client: true, admin: true } }, "recipients.superAdmin", CHINESE],
    [{ coveredDay: 1 }, "coveredDay", "不支持的字段 coveredDay"],
  ]),
  of("reminders.list", {}, [
    ...PAGES,
    [{ userId: "1" }, "userId", ID_FORMAT],
    [{ hostId: "1" }, "hostId", ID_FORMAT],
    [{ status: "lost" }, "status", CHINESE],
    [{ search: "a" }, "search", "不支持的参数 search"],
  ]),
  of("reminders.send", { hostIds: [MISSING] }, [
    [{ hostIds: [] }, "hostIds", "请至少选择一台主机"],
    [{ hostIds: ["x"] }, "hostIds.0", ID_FORMAT],
    [{ hostIds: [MISSING, MISSING] }, "hostIds", "主机不能重复"],
    [{ hostIds: MANY_IDS }, "hostIds", "每次最多选择 100 台主机"],
  ]),
  of("configs.create", buildConfig(), [
    ...[-0.01, 1_000_000_000.01, "100"].map(
      (balanceAlert): Mistake => [{ balanceAlert }, "balanceAlert", CHINESE],
    ),
    [{ name: " " }, "name", "配置名称不能为空"],
    [{ name: "\u200b" }, "name", "配置名称不能为空", DROPPED],
    [{ name: "x".repeat(101) }, "name", CHINESE],
    [{ publicKey: " " }, "publicKey", CHINESE],
    [{ publicKey: "\u200b" }, "publicKey", "公钥不能为空", DROPPED],
    [{ privateKey: "\ufeff" }, "privateKey", "私钥不能为空"],
    [{ defaultRegion: "\u200b" }, "defaultRegion", "默认地域不能为空", DROPPED],
    [{ publicKey: "k".repeat(256) }, "publicKey", CHINESE],
    [{ privateKey: undefined }, "privateKey", CHINESE],
    [{ defaultRegion: "" }, "defaultRegion", CHINESE],
    [{ defaultRegion: "r".repeat(51) }, "defaultRegion", CHINESE],
    [{ apiUrl: "ftp://api.ucloud.cn" }, "apiUrl", "API 地址必须以 http:// 或 https:// 开头"],
    [{ apiUrl: "https://" }, "apiUrl", CHINESE, ADDRESS],
    [{ apiUrl: `https://api.ucloud.cn/${"a".repeat(255)}` }, "apiUrl", CHINESE],
    [{ remark: "x".repeat(501) }, "remark", CHINESE],
    [{ projectIds: [""] }, "projectIds.0", CHINESE],
    [{ projectIds: ["\u200b"] }, "projectIds.0", "项目 ID 不能为空", DROPPED],
    [{ projectIds: Array.from({ length: 101 }, (_, n) => `org-${n}`) }, "projectIds", CHINESE],
    [{ isDefault: "true" }, "isDefault", CHINESE],
    [{ isActive: 1 }, "isActive", CHINESE],
    [{ syncIntervalMinutes: 30 }, "syncIntervalMinutes", INTERVAL],
    [{ syncIntervalMinutes: "60" }, "syncIntervalMinutes", INTERVAL],
    [{ id: "1" }, "id", "不支持的字段 id"],
  ]),
  of("configs.update", { id: MISSING }, [
    [{ balanceAlert: 1.005 }, "balanceAlert", CHINESE, DECIMALS],
    BAD_ID,
    ...LONG_KEYS,
    [{ name: " " }, "name", "配置名称不能为空"],
    [{ apiUrl: "ftp://api.ucloud.cn" }, "apiUrl", "API 地址必须以 http:// 或 https:// 开头"],
    [{ defaultRegion: "" }, "defaultRegion", CHINESE],
    [{ projectIds: [""] }, "projectIds.0", CHINESE],
    [{ isDefault: "true" }, "isDefault", CHINESE],
    [{ isActive: null }, "isActive", CHINESE],
    [{ remark: "x".repeat(501) }, "remark", CHINESE],
    [{ syncIntervalMinutes: 0 }, "syncIntervalMinutes", INTERVAL],
  ]),
  of("noticeChannels.create", buildChannel(), [
    [{ name: " " }, "name", "渠道名称不能为空"],
    [{ name: "\u200b" }, "name", "渠道名称不能为空", DROPPED],
    [{ name: "x".repeat(101) }, "name", CHINESE],
    [{ type: "sms" }, "type", "请选择渠道类型"],
    [{ isActive: 1 }, "isActive", CHINESE],
    [{ types: ["everything"] }, "types.0", CHINESE],
    [{ types: "sync.failing" }, "types", CHINESE],
    [{ config: {} }, "config.url", "地址不能为空"],
    [{ config: { url: "ftp://example.com" } }, "config.url", "地址必须以 https:// 开头"],
    [{ config: { ...ROBOT, secret: "x" } }, "config.secret", "不支持的字段 config.secret"],
    [{ type: "feishu", config: ROBOT }, "config.secret", "密钥不能为空"],
    [{ type: "webhook", config: { ...ROBOT, secret: "whsec_x" } }, "config.secret", CHINESE],
    [{ type: "email", config: { ...MAIL, host: "a b" } }, "config.host", CHINESE],
    [{ type: "email", config: { ...MAIL, port: 0 } }, "config.port", CHINESE],
    [{ type: "email", config: { ...MAIL, security: "ssl" } }, "config.security", CHINESE],
    [{ type: "email", config: { ...MAIL, sender: "notice" } }, "config.sender", CHINESE],
    [{ lastDelivery: null }, "lastDelivery", "不支持的字段 lastDelivery"],
  ]),
  of("noticeChannels.update", { id: MISSING }, [
    BAD_ID,
    [{ name: " " }, "name", "渠道名称不能为空"],
    [{ isActive: null }, "isActive", CHINESE],
    [{ types: ["everything"] }, "types.0", CHINESE],
    [{ config: { port: 0 } }, "config.port", CHINESE],
    [{ config: { url: "x".repeat(1_001) } }, "config.url", CHINESE],
    [{ config: { other: 1 } }, "config.other", "不支持的字段 config.other"],
    [{ type: "email" }, "type", "不支持的字段 type"],
  ]),
  of("hosts.history", { id: MISSING }, [
    ...PAGES,
    [{ kind: "updated" }, "kind", CHINESE],
    [{ id: "x" }, "id", CHINESE],
    [{ search: "a" }, "search", "不支持的参数 search"],
  ]),
  of("hosts.changes", {}, [
    ...PAGES,
    [{ kind: "assigned" }, "kind", CHINESE],
    [{ configId: "1" }, "configId", ID_FORMAT],
    [{ from: "-1" }, "from", CHINESE],
    [{ from: 1_767_225_600_000 }, "from", CHINESE],
    [{ to: "1e9" }, "to", CHINESE],
    [{ from: 2, to: 1 }, "to", "结束时间不能早于开始时间", TWO_FIELDS],
    [{ search: "a".repeat(101) }, "search", CHINESE],
    [{ userId: MISSING }, "userId", "不支持的参数 userId"],
  ]),
  of("audit.list", {}, [...PAGES, ...OF_AUDIT_FILTERS]),
  of("audit.export", {}, [...WITHOUT_PAGES, ...OF_AUDIT_FILTERS]),
  of("auth.activity", {}, [...PAGES, [{ userId: MISSING }, "userId", "不支持的参数 userId"]]),
  of("hosts.syncRunChanges", { id: MISSING }, [
    ...PAGES,
    [{ kind: "assigned" }, "kind", CHINESE],
    [{ id: "x" }, "id", CHINESE],
    [{ search: "a".repeat(101) }, "search", CHINESE],
  ]),
  of("notices.list", {}, [
    ...PAGES,
    [{ unread: "yes" }, "unread", CHINESE],
    [{ type: "host.gone" }, "type", "不是可选的值"],
    [{ userId: MISSING }, "userId", "不支持的参数 userId"],
  ]),
  of("notices.read", { ids: [MISSING] }, [
    [{ ids: [] }, "ids", "请至少选择一条通知"],
    [{ ids: MANY_IDS }, "ids", "每次最多选择 100 条通知"],
    [{ ids: ["x"] }, "ids.0", ID_FORMAT],
    [{ ids: undefined }, "ids", CHINESE],
    [{ all: "true" }, "all", CHINESE],
    [{ all: true }, "ids", "不支持的字段 ids"],
  ]),
  of("hosts.list", {}, [...LISTS, ...OF_HOST_FILTERS]),
  of("hosts.export", {}, [...OF_SEARCH, ...WITHOUT_PAGES, ...OF_HOST_FILTERS]),
  of("hosts.heldRemovals", {}, [
    ...LISTS,
    [{ configId: "1" }, "configId", ID_FORMAT],
    [{ reason: "gone" }, "reason", CHINESE],
  ]),
  of("hosts.confirmRemovals", { hostIds: [MISSING] }, DECISIONS),
  of("hosts.dismissRemovals", { hostIds: [MISSING] }, DECISIONS),
  of("hosts.unassign", { hostId: MISSING, userId: MISSING }, [
    [{ hostId: "1" }, "hostId", ID_FORMAT],
    [{ userId: "1" }, "userId", ID_FORMAT],
  ]),
  of("hosts.assign", ASSIGNMENT, [
    [{ hostId: undefined }, "hostId", CHINESE],
    [{ assignedAt: -1 }, "assignedAt", CHINESE],
    [{ userId: 7 }, "userId", "请选择用户"],
    [{ assignedExpireTime: undefined, days: 366 }, "days", DAYS_OF_ASSIGNMENT],
    [{ assignedExpireTime: undefined }, "assignedExpireTime", ONE_END, CROSS_FIELD],
    [{ days: 30 }, "assignedExpireTime", ONE_END, CROSS_FIELD],
    [{ allowShorter: true }, "allowShorter", "不支持的字段 allowShorter"],
    [{ expectedExpireTime: -1 }, "expectedExpireTime", CHINESE],
    [{ remark: "好".repeat(501) }, "remark", CHINESE],
  ]),
  of("hosts.batch", { ...BATCH, operation: "assign" }, [
    [{ operation: "delete" }, "operation", "请选择操作"],
    [{ operation: "unassign" }, "assignedExpireTime", "不支持的字段 assignedExpireTime"],
    [{ hostIds: [] }, "hostIds", "请至少选择一台主机"],
    [{ hostIds: ["x"] }, "hostIds.0", ID_FORMAT],
    [{ hostIds: [MISSING, MISSING] }, "hostIds", "主机不能重复"],
    [{ hostIds: MANY_IDS }, "hostIds", "每次最多选择 100 台主机"],
    [{ userId: undefined }, "userId", "请选择用户"],
    [
      { assignedExpireTime: END + 337 * DAY_SECONDS },
      "assignedExpireTime",
      DAYS_OF_ASSIGNMENT,
      TIME,
    ],
    [{ assignedExpireTime: undefined, days: 0 }, "days", DAYS_OF_ASSIGNMENT],
    [{ days: 30 }, "assignedExpireTime", ONE_END, CROSS_FIELD],
    [{ allowShorter: "true" }, "allowShorter", CHINESE],
    [{ remark: "好".repeat(501) }, "remark", CHINESE],
  ]),
  of("hosts.annotate", { id: MISSING }, [
    BAD_ID,
    ...TAG_MISTAKES("tags"),
    [{ note: "好".repeat(2_001) }, "note", "内部备注最多 2000 个字符"],
    [{ note: 1 }, "note", "请输入文本"],
    [{ name: "web" }, "name", "不支持的字段 name"],
  ]),
  of("hosts.batch", { operation: "tag", hostIds: [MISSING], add: ["a"] }, [
    ...TAG_MISTAKES("add"),
    ...TAG_MISTAKES("remove"),
    [{ add: [] }, "add", "请填写要添加或移除的标签", CROSS_FIELD],
    [{ remove: ["A"] }, "remove", "同一个标签不能既添加又移除", TWO_FIELDS],
    [{ userId: MISSING }, "userId", "不支持的字段 userId"],
  ]),
  of("hosts.batch", { ...TRANSFER, days: 30 }, [
    [{ fromUserId: undefined }, "fromUserId", CHINESE],
    [{ userId: undefined }, "userId", "请选择用户"],
    [{ days: 366 }, "days", DAYS_OF_ASSIGNMENT],
    [{ assignedExpireTime: END }, "assignedExpireTime", CHINESE, CROSS_FIELD],
    [{ assignedAt: 1_900_000_000 }, "assignedAt", "不支持的字段 assignedAt"],
    [{ allowShorter: true }, "allowShorter", "不支持的字段 allowShorter"],
  ]),
  of("hosts.sync", {}, [
    [{ wait: "26" }, "wait", "等待时间最多为25秒"],
    [{ configId: "1" }, "configId", ID_FORMAT],
  ]),
  of("hosts.syncRuns", {}, [
    ...PAGES,
    [{ configId: "1" }, "configId", ID_FORMAT],
    [{ status: "done" }, "status", CHINESE],
  ]),
  of("renewals.create", { hostId: MISSING, requestedDuration: 30 }, [
    [{ hostId: "1" }, "hostId", ID_FORMAT],
    [{ requestedDuration: 0 }, "requestedDuration", "续费天数至少为1天"],
    [{ requestedDuration: 366 }, "requestedDuration", "续费天数最多为365天"],
    [{ requestedDuration: 1.5 }, "requestedDuration", DAYS_OF_RENEWAL],
    [{ requestedDuration: undefined }, "requestedDuration", DAYS_OF_RENEWAL],
    [{ remark: "好".repeat(501) }, "remark", CHINESE],
  ]),
  of("renewals.createBatch", { hostIds: [MISSING], requestedDuration: 30 }, [
    [{ requestedDuration: undefined }, "requestedDuration", CHINESE, CROSS_FIELD],
    [{ untilDate: 1_900_000_000 }, "requestedDuration", CHINESE, CROSS_FIELD],
    [{ requestedDuration: undefined, untilDate: -1 }, "untilDate", CHINESE],
    [{ hostIds: [] }, "hostIds", CHINESE],
    [{ hostIds: MANY_IDS }, "hostIds", CHINESE],
    [{ remark: "好".repeat(501) }, "remark", CHINESE],
  ]),
  of("renewals.list", {}, [...LISTS, ...OF_RENEWAL_FILTERS]),
  of("renewals.export", {}, [...OF_SEARCH, ...WITHOUT_PAGES, ...OF_RENEWAL_FILTERS]),
  of("renewals.process", { id: MISSING, status: "approved" }, [
    BAD_ID,
    ...["pending", "cancelled", "Approved", null].map(
      (status): Mistake => [{ status }, "status", DECISION],
    ),
    ...NO_REMARKS.map(
      (adminRemark): Mistake => [
        { status: "rejected", adminRemark },
        "adminRemark",
        REASON,
        CROSS_FIELD,
      ],
    ),
    [{ adminRemark: "好".repeat(501) }, "adminRemark", CHINESE],
    [{ expectedStatus: "rejected" }, "expectedStatus", CHINESE],
  ]),
  of("renewals.undo", { id: MISSING }, [
    BAD_ID,
    [{ expectedStatus: "pending" }, "expectedStatus", CHINESE],
  ]),
  of("renewals.processBatch", { ids: [MISSING], status: "approved" }, [
    [{ status: "pending" }, "status", DECISION],
    [{ status: "rejected" }, "adminRemark", REASON, CROSS_FIELD],
    [{ ids: MANY_IDS }, "ids", "每次最多选择 100 个申请"],
    [{ expectedStatus: "completed" }, "expectedStatus", CHINESE],
  ]),
];

it.each(restProcedures(appRouter))("every field of $path has a mistake", ({ path, input }) => {
  const fields = MISTAKES.filter(({ call }) => call === path).flatMap(({ mistakes }) =>
    mistakes.map(([, field]) => field.split(".")[0]),
  );

  const missing = inputFields(input).filter((field) => !fields.includes(field));

  const place = `add a mistake in each of these fields of ${path} to test/api/bad-input.test.ts`;
  expect(missing, place).toEqual([]);
});

const BY_CLIENTS = ["renewals.create", "renewals.createBatch", "renewals.cancel"];

it.each(MISTAKES)("the API document refuses what $call refuses", ({ call, valid, mistakes }) => {
  const { refusesInput } = apiContract();

  const refused = mistakes.map(([wrong]) => [wrong, refusesInput(call, { ...valid, ...wrong })]);

  expect(refusesInput(call, valid)).toBe(false);
  expect(refused).toEqual(mistakes.map(([wrong, , , unstated]) => [wrong, unstated === undefined]));
});

describe("bad input", () => {
  const app = useApp();

  it.each(MISTAKES)(
    "of $call is refused with its field and a message",
    async ({ call, valid, mistakes }) => {
      const { token } = BY_CLIENTS.includes(call) ? await app.account("client") : app.root;
      const procedure = procedureOf(call);
      for (const [wrong, field, message] of mistakes) {
        const { body } = await callRest(app.url, {
          procedure,
          token,
          input: { ...valid, ...wrong },
        });
        const expected = typeof message === "string" ? message : expect.stringMatching(message);
        const refusal = {
          code: "INVALID_INPUT",
          message: expected,
          errors: [{ field, message: expected }],
        };
        expect([wrong, body]).toMatchObject([wrong, refusal]);
      }
    },
  );

  it("names every wrong field, with the first message on top", async () => {
    const wrong = { name: "", apiUrl: "ftp://x", b: 1 };
    const { status, data } = await app.root.post("/api/hosts/configs", buildConfig(wrong));
    const errors = [
      { field: "name", message: "配置名称不能为空" },
      { field: "apiUrl", message: "API 地址必须以 http:// 或 https:// 开头" },
      { field: "b", message: "不支持的字段 b" },
    ];

    expect([status, data]).toMatchObject([
      400,
      { code: "INVALID_INPUT", message: errors[0]?.message, errors },
    ]);
  });

  it("in the place of a parameter is refused, repeated or in the body", async () => {
    const refused = (field: string, message: string) => ({ message, errors: [{ field, message }] });
    for (const path of ["/api/auth/me", `/api/users/${app.root.id}`, "/api/hosts/configs/list"]) {
      expect((await app.root.get(`${path}?nope=1`)).body).toMatchObject(
        refused("nope", "不支持的参数 nope"),
      );
    }
    expect((await app.root.post("/api/auth/logout?nope=1")).body).toMatchObject(
      refused("nope", "不支持的参数 nope"),
    );
    const inBody = await app.root.post("/api/hosts/sync", { configId: MISSING });
    expect(inBody.body).toMatchObject(refused("configId", "不支持的参数 configId"));
    const inPath = await app.root.put(`/api/hosts/configs/${MISSING}`, { id: MISSING });
    expect(inPath.body).toMatchObject(refused("id", "不支持的参数 id"));
    const repeated = await app.root.get("/api/hosts?sort=cpu&sort=disk");
    expect(repeated.body).toMatchObject(refused("sort", "参数 sort 重复"));
  });

  it("in an address that is no text or no name of a parameter is refused", async () => {
    for (const target of TARGETS.split(" ")) {
      expect([target, failureOf(await app.root.get(`/api/hosts${target}`))]).toEqual([
        target,
        [400, "INVALID_INPUT"],
      ]);
    }
  });
});

function of(call: string, valid: Input, mistakes: readonly Mistake[]) {
  return { call, valid, mistakes };
}
