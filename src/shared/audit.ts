import { z } from "zod";
import { Id } from "./ids.ts";
import { PageQuery, Pagination, searchText } from "./page.ts";
import { labelledEnum, limitedCode } from "./text.ts";
import { UnixSeconds } from "./time.ts";

/**
 * What may be done: each call that changes something, by the name of its procedure, and what jobs
 * and commands do. A row of a batch has the action of the single act, so a batch that changed rows
 * has no entry of its own name.
 */
export const AUDIT_ACTION_LABELS = {
  "auth.login": "登录",
  "auth.secondFactor": "验证登录",
  "auth.logout": "退出登录",
  "auth.refresh": "更换登录令牌",
  "auth.changePassword": "修改自己的密码",
  "auth.endSession": "结束自己的一个登录",
  "auth.endOtherSessions": "结束自己的其他登录",
  "auth.updatePreferences": "修改自己的偏好",
  "auth.setUpTotp": "准备开启两步验证",
  "auth.confirmTotp": "开启两步验证",
  "auth.renewRecoveryCodes": "重新生成恢复码",
  "auth.disableTotp": "关闭两步验证",
  "auth.createToken": "新建 API 令牌",
  "auth.revokeToken": "撤销自己的 API 令牌",
  "users.create": "创建用户",
  "users.update": "修改用户",
  "users.import": "导入用户",
  "users.delete": "删除用户",
  "users.resetPassword": "重置用户密码",
  "users.resetSecondFactor": "重置用户的两步验证",
  "users.revokeToken": "撤销用户的 API 令牌",
  "users.export": "导出用户",
  "hosts.export": "导出主机",
  "assignments.import": "导入分配",
  "hosts.assign": "分配主机",
  "hosts.unassign": "取消分配",
  "hosts.transfer": "转移主机",
  "hosts.annotate": "修改主机的标签或内部备注",
  "hosts.batch": "批量操作主机",
  "hosts.sync": "发起同步",
  "hosts.syncOne": "同步一台主机",
  "hosts.cancelSync": "停止同步",
  "hosts.confirmRemovals": "确认主机已消失",
  "hosts.dismissRemovals": "保留待确认的主机",
  "configs.create": "新增云服务商配置",
  "configs.update": "修改云服务商配置",
  "configs.delete": "删除云服务商配置",
  "configs.test": "测试云服务商连接",
  "renewals.create": "申请续费",
  "renewals.createBatch": "批量申请续费",
  "renewals.process": "处理续费申请",
  "renewals.processBatch": "批量处理续费申请",
  "renewals.cancel": "取消续费申请",
  "renewals.undo": "撤销续费处理",
  "renewals.export": "导出续费申请",
  "audit.export": "导出审计日志",
  "notices.read": "把通知标为已读",
  "notices.delete": "删除通知",
  "reminders.updateSettings": "修改提醒规则",
  "reminders.send": "提醒用户续费",
  "noticeChannels.create": "新增通知渠道",
  "noticeChannels.update": "修改通知渠道",
  "noticeChannels.delete": "删除通知渠道",
  "noticeChannels.test": "测试通知渠道",
  "settings.update": "修改系统配置",
  "securitySettings.update": "修改安全设置",
  "job.sync-run": "同步完成",
  "job.schedule": "定时发起同步",
  "job.settle-hosts": "跟踪主机状态",
  "job.lost-runs": "结束中断的同步",
  "job.begin-assignments": "分配开始",
  "job.reminders": "发出当天的提醒",
  "job.clean-up": "清理过期数据",
  "command.restore": "还原备份",
  "command.rotate-keys": "更换加密密钥",
  "command.reset-second-factor": "重置用户的两步验证",
} as const;
export type AuditAction = keyof typeof AUDIT_ACTION_LABELS;

/** The calls that only read: they are recorded when they were refused. */
export const AUDIT_READ_LABELS = {
  "auth.me": "查看自己的账号",
  "auth.sessions": "查看自己的登录会话",
  "auth.tokens": "查看自己的 API 令牌",
  "auth.activity": "查看自己账号的活动",
  "users.list": "查看用户列表",
  "users.get": "查看用户",
  "users.assignments": "查看用户的主机分配",
  "users.tokens": "查看用户的 API 令牌",
  "users.importTemplate": "下载导入用户的模板",
  "hosts.list": "查看主机列表",
  "hosts.summary": "查看主机数量概况",
  "hosts.tags": "查看主机的标签",
  "hosts.get": "查看主机",
  "hosts.syncRuns": "查看同步记录列表",
  "hosts.syncRun": "查看同步记录",
  "hosts.heldRemovals": "查看待确认消失的主机",
  "hosts.history": "查看主机历史",
  "hosts.changes": "查看最近变更",
  "hosts.syncRunChanges": "查看一次同步的变化",
  "assignments.importTemplate": "下载导入分配的模板",
  "configs.list": "查看云服务商配置",
  "renewals.list": "查看续费申请列表",
  "renewals.get": "查看续费申请",
  "notices.list": "查看自己的通知",
  "settings.get": "查看系统配置",
  "reminders.settings": "查看提醒规则",
  "reminders.list": "查看已发出的提醒",
  "noticeChannels.list": "查看通知渠道",
  "securitySettings.get": "查看安全设置",
  "audit.list": "查看审计日志",
  "events.stream": "接收实时更新",
} as const;

/** All that an entry may tell of. */
export const AUDIT_LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...AUDIT_ACTION_LABELS, ...AUDIT_READ_LABELS }),
);

/** For people. An entry of another version may tell of a call that has no label here. */
export function auditActionLabel(action: string): string {
  return AUDIT_LABELS.get(action) ?? action;
}

/** What the calls of a router, jobs and commands have in common. */
const GROUP_LABELS = new Map([
  ["auth", "登录与账号安全"],
  ["users", "用户"],
  ["hosts", "主机"],
  ["assignments", "分配"],
  ["configs", "云服务商配置"],
  ["renewals", "续费申请"],
  ["settings", "系统配置"],
  ["securitySettings", "安全设置"],
  ["reminders", "提醒规则"],
  ["noticeChannels", "通知渠道"],
  ["notices", "通知"],
  ["audit", "审计日志"],
  ["events", "实时更新"],
  ["job", "后台任务"],
  ["command", "命令行"],
]);

/** What actions are called that begin with this name, such as `hosts` or `job`. */
export function auditGroupLabel(group: string): string {
  return GROUP_LABELS.get(group) ?? group;
}

export const AUDIT_SUBJECT_LABELS = {
  user: "用户",
  host: "主机",
  config: "云服务商配置",
  channel: "通知渠道",
} as const;
export type AuditSubjectType = keyof typeof AUDIT_SUBJECT_LABELS;

/** The fields that `changes` may name. Secrets are among them, with `•••` for their values. */
export const AUDIT_FIELD_LABELS = {
  user: "C端用户",
  assignedAt: "用户开始",
  assignedExpireTime: "用户到期",
  requestedDuration: "申请天数",
  status: "状态",
  remark: "备注",
  adminRemark: "处理意见",
  tags: "标签",
  note: "内部备注",
  endedAssignments: "结束的分配",
  cancelledRenewals: "取消的续费申请",
  releasedHosts: "不再管理的主机",
  releasedClients: "不再负责的用户",
  endedSessions: "结束的登录",
  username: "用户名",
  name: "名称",
  role: "角色",
  email: "邮箱",
  phone: "手机号",
  admin: "负责管理员",
  isActive: "启用",
  publicKey: "公钥",
  privateKey: "私钥",
  apiUrl: "接口地址",
  defaultRegion: "默认地域",
  projectIds: "项目",
  isDefault: "默认配置",
  syncIntervalMinutes: "自动同步间隔（分钟）",
  balanceAlert: "余额预警（元）",
  isSchedulePaused: "定时同步暂停",
  show_network_info_to_client: "向C端用户显示 IP 地址",
  secondFactorEnabled: "两步验证",
  secondFactor: "登录的第二步",
  recoveryCodes: "剩余的恢复码",
  secondFactorRequiredRoles: "必须使用两步验证的角色",
  tokenName: "API 令牌",
  scope: "权限范围",
  allowedAddresses: "允许的地址",
  expiresAt: "到期时间",
  emailNotices: "邮件通知",
  readNotices: "标为已读的通知",
  type: "类型",
  types: "发送的通知类型",
  "config.host": "邮件服务器",
  "config.port": "端口",
  "config.security": "加密方式",
  "config.user": "登录用户名",
  "config.password": "登录密码",
  "config.sender": "发件人",
  "config.url": "地址",
  "config.secret": "签名密钥",
  assignmentMarks: "分配到期前几天提醒",
  hostMarks: "云端到期前几天提醒",
  sendAt: "提醒的时间",
  "recipients.client": "提醒C端用户",
  "recipients.admin": "提醒负责管理员",
  "recipients.superAdmin": "提醒超级管理员",
  remindedUsers: "提醒的用户",
  sentReminders: "发出的提醒",
  begunAssignments: "开始的分配",
  isPresent: "在云服务商处存在",
  isHeld: "待确认消失",
  createdHosts: "新增的主机",
  updatedHosts: "变更的主机",
  goneHosts: "消失的主机",
  keptHosts: "保留的主机",
  removedRows: "清理的记录",
  restoredRows: "还原的记录",
  backupTime: "备份的时间",
  resealedSecrets: "重新加密的密钥",
  filter: "筛选条件",
  exportedRows: "导出的行数",
  dryRun: "仅预检",
  createdRows: "新增的行",
  updatedRows: "修改的行",
  unchangedRows: "不变的行",
  failedRows: "有误的行",
} as const;
export type AuditField = keyof typeof AUDIT_FIELD_LABELS;

/** For people. An entry of another version may name a field that has no label here. */
export function auditFieldLabel(field: string): string {
  return isAuditField(field) ? AUDIT_FIELD_LABELS[field] : field;
}

export function isAuditField(field: string): field is AuditField {
  return Object.hasOwn(AUDIT_FIELD_LABELS, field);
}

export const AUDIT_OUTCOME_LABELS = { ok: "成功", denied: "无权限", failed: "失败" } as const;
export const AuditOutcome = labelledEnum("AuditOutcome", "结果", AUDIT_OUTCOME_LABELS);
export type AuditOutcome = z.infer<typeof AuditOutcome>;

export const AUDIT_ACTOR_LABELS = {
  user: "用户",
  token: "API 令牌",
  system: "系统",
  command: "命令行",
  anonymous: "未登录",
} as const;
const AuditActorType = labelledEnum("AuditActorType", "操作者的种类", AUDIT_ACTOR_LABELS);

const AuditActor = z
  .object({
    type: AuditActorType,
    id: Id.nullable().describe("用户的标识；令牌的操作是其用户的标识"),
    name: z
      .string()
      .nullable()
      .meta({
        description: "当时的姓名，或任务、命令的名称；未登录时为 null",
        examples: ["张三"],
      }),
    token: z
      .object({ id: Id, name: z.string().describe("当时的名称") })
      .nullable()
      .describe("使用的 API 令牌"),
  })
  .meta({ id: "AuditActor", description: "操作者" });

export const AuditSubjectType = labelledEnum(
  "AuditSubjectType",
  "对象的种类",
  AUDIT_SUBJECT_LABELS,
);

const AuditSubject = z
  .object({
    type: AuditSubjectType,
    id: Id,
    label: z.string().meta({ description: "当时的名称", examples: ["web-01"] }),
  })
  .meta({ id: "AuditSubject", description: "被操作的对象；分配与续费的对象是主机" });
export type AuditSubject = z.infer<typeof AuditSubject>;

const AuditValue = z
  .union([z.string(), z.number(), z.boolean(), z.array(z.string())])
  .nullable()
  .meta({ id: "AuditValue", description: "字段的值；没有时为 null，密钥显示为 •••" });
export type AuditValue = z.infer<typeof AuditValue>;

/** Entries of other versions may name other fields, so what is read is any text. */
const AuditChange = z
  .object({
    field: z.string().meta({ description: "字段", examples: ["assignedExpireTime"] }),
    from: AuditValue.describe("原来的值"),
    to: AuditValue.describe("新的值"),
  })
  .meta({ id: "AuditChange", description: "一个字段的变化，或随之发生的数量" });

const ACTION = z.string().meta({
  description: "操作：接口的名称，或 job.… 任务、command.… 命令",
  examples: ["hosts.assign"],
});
const AT = UnixSeconds.describe("发生的时间；合并的是第一次的时间");
const COUNT = z.int().describe("次数：同一来源一分钟内相同的失败合并为一条");

export const AuditEntry = z
  .object({
    id: Id,
    at: AT,
    actor: AuditActor,
    action: ACTION,
    subject: AuditSubject.nullable().describe("没有具体对象时为 null"),
    outcome: AuditOutcome,
    ip: z.string().nullable().describe("来源地址；系统与命令为 null"),
    userAgent: z.string().nullable().describe("浏览器或程序"),
    requestId: z.string().nullable().describe("请求编号，便于查日志"),
    changes: z.array(AuditChange).describe("只有变化的字段"),
    count: COUNT,
  })
  .meta({ id: "AuditEntry", description: "一条审计记录" });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditList = z
  .object({ entries: z.array(AuditEntry).describe("审计记录"), pagination: Pagination })
  .meta({ id: "AuditList", description: "一页审计记录，最新的在前" });
export type AuditList = z.infer<typeof AuditList>;

/** `hosts.assign`, or `hosts` for all of that router; `job` and `command` likewise. */
export const ActionFilter = limitedCode("操作", 100).regex(
  /^[A-Za-z]+(\.[A-Za-z-]+)?$/,
  "操作的格式不正确，例如 hosts.assign 或 hosts",
);

const AUDIT_FILTERS = {
  actorId: Id.optional().describe("只看该用户的操作，包括用其令牌的"),
  action: ActionFilter.optional().describe("只看该操作；只写点号前的部分则是其全部操作"),
  subjectType: AuditSubjectType.optional(),
  subjectId: Id.optional().describe("只看对该对象的操作"),
  outcome: AuditOutcome.optional(),
  from: UnixSeconds.optional().describe("只看不早于此时的记录"),
  to: UnixSeconds.optional().describe("只看不晚于此时的记录"),
  search: searchText("操作者、对象的名称、来源地址"),
};

type Period = { from?: number | undefined; to?: number | undefined };

function endsAfterStart<Schema extends z.ZodType<Period>>(schema: Schema): Schema {
  return schema.refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    error: "结束时间不能早于开始时间",
    path: ["to"],
  });
}

export const ListAuditInput = endsAfterStart(
  z.strictObject({ ...PageQuery.shape, ...AUDIT_FILTERS }),
)
  .prefault({})
  .meta({ id: "ListAuditInput" });
export type ListAuditInput = z.infer<typeof ListAuditInput>;

export const ExportAuditInput = endsAfterStart(z.strictObject(AUDIT_FILTERS))
  .prefault({})
  .meta({ id: "ExportAuditInput" });
export type ExportAuditInput = z.infer<typeof ExportAuditInput>;

export const ActivityEntry = z
  .object({
    id: Id,
    at: AT,
    action: ACTION,
    outcome: AuditOutcome,
    ip: z.string().nullable().describe("来源地址；由他人操作的为 null"),
    userAgent: z.string().nullable().describe("浏览器或程序；由他人操作的为 null"),
    changes: z.array(AuditChange).describe("只有变化的字段；由他人操作的为空"),
    count: COUNT,
  })
  .meta({ id: "ActivityEntry", description: "自己账号的一次活动" });
export type ActivityEntry = z.infer<typeof ActivityEntry>;

export const Activity = z
  .object({ entries: z.array(ActivityEntry).describe("活动"), pagination: Pagination })
  .meta({ id: "Activity", description: "一页自己账号的活动，最新的在前" });
export type Activity = z.infer<typeof Activity>;

export const ListActivityInput = z
  .strictObject(PageQuery.shape)
  .prefault({})
  .meta({ id: "ListActivityInput" });
export type ListActivityInput = z.infer<typeof ListActivityInput>;
