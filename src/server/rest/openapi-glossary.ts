import { HOST_STATUS_LABELS } from "../../shared/hosts.ts";
import { RENEWAL_STATUS_LABELS } from "../../shared/renewals.ts";
import { ROLE_LABELS } from "../../shared/roles.ts";
import { SYNC_STATUS_LABELS } from "../../shared/sync.ts";
import { EXPIRING_SOON_DAYS } from "../../shared/time.ts";
import type { JsonSchema } from "./openapi-types.ts";

/** What shapes mean. */
const SHAPES: Readonly<Record<string, string>> = {
  BatchHostResult: "批量操作中一台主机的结果；失败不影响其他主机",
  Config: "云服务商配置。公钥只显示首尾各4个字符，私钥从不返回",
  ConfigTest: "连接测试的结果。云服务商的问题体现为 `connected: false`，不是HTTP错误",
  EndedSessions: "结束的登录会话数",
  ErrorBody: "所有失败的统一格式",
  ErrorCode: "错误码，清单固定",
  FieldError: "一个未通过校验的字段",
  Host: "主机。字段内容取决于调用者的角色：C端用户看到的起止时间是自己的分配时间，看不到云服务商的到期时间和配置",
  HostIp: "主机的一个IP地址",
  HostStatus:
    "主机状态：Running 运行中、Stopped 已停止、Starting 启动中、Stopping 停止中、Rebooting 重启中、Unknown 未知",
  HostUser: "使用该主机的C端用户及其分配的起止时间",
  Id: "标识（UUID），调用者不应解读其内容",
  MonthlyExpiries: "一个自然月（北京时间）内到期的主机数",
  Nothing: "没有内容",
  OwnSession: "自己的一次仍然有效的登录",
  Pagination: "分页信息，只统计调用者可见的数据",
  RegionCounts: "一个地域中各状态的主机数",
  Renewal: "续费申请",
  RenewalDecision: "处理结果：approved 批准（待付款）、rejected 拒绝、completed 完成",
  RenewalStatus: `申请状态：${listed(RENEWAL_STATUS_LABELS)}`,
  Role: `角色：${listed(ROLE_LABELS)}`,
  Settings: "系统配置",
  SignIn: "登录成功后的令牌与用户",
  SyncRun: "一次同步的进度与结果",
  SyncRunError: "同步中遇到的一个问题",
  SyncStatus: `同步状态：${listed(SYNC_STATUS_LABELS)}`,
  SyncTrigger: "触发方式：manual 手动、schedule 定时",
  UnixSeconds: "Unix时间，整数秒（UTC）",
  User: "用户。任何接口都不返回密码",
  UserReference: "被引用的用户",
};

/** What fields mean, whatever they are part of; `Shape.field` or `procedure.field` where one differs from the rest. */
const FIELDS: Readonly<Record<string, string>> = {
  admin: "负责该C端用户的管理员，未设置时为null",
  adminId: "负责管理员的标识，只用于C端用户",
  adminRemark: "管理员备注；拒绝时必填",
  apiUrl: "云服务商API地址，以 http:// 或 https:// 开头，只能是公网地址",
  assigned: "只看已分配（true）或未分配（false）的主机，仅超级管理员可用",
  assignedAt: "分配开始时间，不填为现在",
  assignedExpireTime: "分配到期时间，与开始时间相差1-365天",
  chargeType: "计费方式：Year 包年、Month 包月，其余按时",
  code: "错误码",
  configId: "云服务商配置的标识",
  configName: "配置名称，配置删除后仍保留",
  connected: "全部步骤是否通过",
  cpu: "CPU核数",
  createTime: "创建时间；对C端用户是分配开始时间",
  created: "新增的主机数",
  createdAt: "创建时间",
  currentPassword: "当前密码",
  data: "结果",
  defaultRegion: "默认地域，例如 cn-bj2",
  disk: "磁盘（GB），系统盘与数据盘之和",
  email: "邮箱，未设置时为null",
  ended: "结束的会话数",
  errors: "未通过校验的字段，仅 INVALID_INPUT 时出现",
  expired: "只看已到期（true）或未到期（false）的主机，仅超级管理员可用",
  expiresAt: "最晚的失效时间；长时间没有活动时会更早失效",
  expireTime: "到期时间；对C端用户是分配到期时间",
  expiring: `只看若干天内到期的主机（例如 ${EXPIRING_SOON_DAYS}），仅超级管理员可用`,
  field: "字段路径，用点分隔；空字符串表示整个请求内容",
  finishedAt: "结束时间，未结束时为null",
  gone: "true 只看云服务商处已不存在的主机，仅超级管理员可用",
  goneAt: "在云服务商处消失的时间，仍存在时为null",
  host: "所申请的主机",
  hostCount: "默认地域的主机数，未测到该步时为null",
  hostId: "主机的标识",
  hostIds: "主机的标识，1-100个，不能重复",
  hosts: "主机列表",
  hostsSeen: "已读取的主机数",
  hostsTotal: "云服务商目前报告的主机总数，同步过程中会增长",
  id: "标识",
  IP: "IP地址",
  ip: "登录或最近一次更换令牌时的IP地址",
  ipSet: "IP地址；C端用户仅在系统允许且分配有效时可见",
  isActive: "是否启用",
  isCurrent: "是否为当前会话",
  isDefault: "是否为默认配置，有且只有一个",
  lastSeenAt: "最近活动时间，精确到分钟",
  lastSync: "最近一次同步，从未同步时为null",
  latencyMs: "密钥校验的耗时（毫秒）",
  limit: "每页数量，最多100",
  memory: "内存（MB）",
  message: "说明，可直接显示给用户",
  mustChangePassword: "为true时必须先修改密码，其他接口一律返回403",
  name: "名称",
  newPassword: "新密码：8-128个字符，至少包含一个小写字母、一个大写字母和一个数字，不能是常见密码",
  ok: "是否成功",
  operation: "操作：sync 同步、assign 分配、unassign 取消分配",
  osName: "操作系统名称",
  osType: "操作系统类型",
  page: "页码，从1开始",
  pagination: "分页信息",
  password: "密码",
  phone: "手机号，未设置时为null",
  privateKey: "私钥，加密保存，从不返回",
  processedAt: "处理时间，未处理时为null",
  processedBy: "处理人；对C端用户为null",
  projectId: "项目ID，与项目无关时为null",
  projectIds: "项目ID；为空表示密钥可见的全部项目，子账号必须填写",
  projects: "密钥可见的项目数，未测到该步时为null",
  providerStatus: "云服务商的原始状态；对C端用户为null",
  publicKey: "公钥",
  region: "地域，例如 cn-bj2",
  regions: "密钥可见的地域数，未测到该步时为null",
  regionsDone: "已完成的地域数",
  regionsTotal: "地域总数",
  rejected: "无法识别而跳过的记录数",
  remark: "备注",
  requestId: "请求编号，与响应头 X-Request-Id 相同，便于查日志",
  requestedBy: "发起人，定时同步为null",
  requestedDuration: "申请续费的天数，1-365",
  requests: "续费申请列表",
  results: "每台主机的结果，顺序与 hostIds 相同",
  role: "角色",
  runs: "同步记录",
  search: "搜索内容，按字面匹配，不区分大小写",
  show_network_info_to_client: "是否向C端用户显示主机的IP地址",
  startedAt: "开始时间",
  status: "状态",
  steps: "各步骤的结果",
  syncedAt: "最近一次从云服务商读取的时间",
  token: "登录令牌，以 `Authorization: Bearer <token>` 发送",
  total: "总条数",
  totalPages: "总页数，没有数据时为0",
  trigger: "触发方式",
  Type: "云服务商的IP类型；Private 为内网，其余为公网",
  ucloudId: "云服务商的主机ID",
  unchanged: "无变化的主机数",
  updated: "更新的主机数",
  user: "用户",
  userAgent: "登录或最近一次更换令牌时浏览器或程序的标识，最多200个字符",
  userId: "C端用户的标识",
  username: "用户名",
  users: "用户列表",
  wait: "最多等待同步完成的秒数，0-25；0表示立即返回",
  zone: "可用区，例如 cn-bj2-05",
  zoneName: "可用区名称",
  "BatchHostResult.code": "失败时的错误码",
  "BatchHostResult.message": "说明：失败的原因，或主机已不存在",
  "BatchHostsInput.userId": "C端用户的标识；取消分配时不填表示取消全部用户",
  "Config.publicKey": "公钥，只显示首尾各4个字符",
  "ConfigTestStep.name": "步骤名称",
  "CreateUserInput.email": "邮箱；空字符串与null表示不设置",
  "CreateUserInput.password": "初始密码：8-128个字符，至少包含一个小写字母、一个大写字母和一个数字，不能是常见密码",
  "CreateUserInput.phone": "11位大陆手机号；空字符串与null表示不设置",
  "CreateUserInput.username": "用户名：3-50个字母、数字或下划线，不区分大小写地唯一",
  "Host.configId": "所属配置；配置已删除时、对C端用户为null",
  "Host.users": "使用该主机的C端用户；C端用户只看到自己，管理员只看到自己负责的",
  "HostSummary.byStatus": "各状态的主机数",
  ...Object.fromEntries(
    Object.entries(HOST_STATUS_LABELS).map(([status, label]) => [`HostSummary.byStatus.${status}`, `${label}的主机数`]),
  ),
  "HostSummary.expired": "已到期的主机数",
  "HostSummary.expiringMonth": "30天内到期的主机数，包括7天内的",
  "HostSummary.expiringSoon": "7天内到期的主机数",
  "HostSummary.expiriesByMonth": "从本月起12个月中每月到期的主机数，已到期的不计",
  "HostSummary.gone": "在云服务商处已不存在的主机数；对其他角色为null",
  "HostSummary.regions": "各地域的主机数，从多到少",
  "HostSummary.total": "主机总数",
  "HostSummary.unassigned": "未分配的主机数；对其他角色为null",
  "HostUser.assignedAt": "分配开始时间",
  "HostUser.assignedExpireTime": "分配到期时间",
  "MonthlyExpiries.count": "该月到期的主机数",
  "MonthlyExpiries.month": "月份，例如 2026-12",
  "OwnSession.createdAt": "登录时间",
  "Pagination.limit": "每页数量",
  "Pagination.page": "当前页码",
  "ProcessRenewalInput.status": "处理结果",
  "RegionCounts.Other": "其余状态的主机数",
  "RegionCounts.Running": "运行中的主机数",
  "RegionCounts.Stopped": "已停止的主机数",
  "Renewal.assignedExpireTime": "该用户当前的分配到期时间，分配已结束时为结束前的值",
  "Renewal.status": "申请状态",
  "Renewal.host.expireTime": "主机到期时间；对C端用户是分配到期时间",
  "Renewal.processedBy.name": "姓名",
  "Renewal.user": "申请人",
  "Renewal.user.name": "姓名",
  "ResetPasswordResult.newPassword": "新的随机密码，只显示这一次",
  "SyncRun.configId": "所属配置，配置已删除时为null",
  "SyncRun.errors": "同步中遇到的问题",
  "SyncRun.requestedBy.name": "姓名",
  "SyncRun.gone": "标记为已不存在的主机数",
  "SyncRunError.code": "问题的简短代码",
  "SyncRunError.region": "地域，与地域无关时为null",
  "UpdateConfigInput.privateKey": "私钥；不填、空字符串或null保持不变",
  "UpdateConfigInput.publicKey": "公钥；不填、空字符串或null保持不变",
  "UpdateUserInput.adminId": "负责管理员的标识，只用于C端用户；null表示取消",
  "UpdateUserInput.email": "邮箱；空字符串与null表示清除，不填保持不变",
  "UpdateUserInput.phone": "11位大陆手机号；空字符串与null表示清除，不填保持不变",
  "User.name": "姓名",
  "UserReference.name": "姓名",
  "HostUser.name": "姓名",
  "CreateUserInput.name": "姓名",
  "UpdateUserInput.name": "姓名",
  "hosts.list.search": "搜索主机名称、云服务商主机ID，按字面匹配，不区分大小写",
  "hosts.sync.configId": "只同步该配置；不填同步全部启用的配置",
  "renewals.list.search": "搜索用户名、主机名称，按字面匹配，不区分大小写",
  "users.list.search": "搜索用户名、姓名、邮箱，按字面匹配，不区分大小写",
};

function listed(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([word, label]) => `${word} ${label}`)
    .join("、");
}

/** A field's schema with what the field means; `owner` is the name of a shape or procedure. */
export function describeField(owner: string, field: string, schema: JsonSchema): JsonSchema {
  const description = FIELDS[`${owner}.${field}`] ?? FIELDS[field];
  return description === undefined ? schema : { ...schema, description };
}

/** The schema with a description of itself and of every property, those of objects inside it included. */
export function describeFields(owner: string, schema: JsonSchema): JsonSchema {
  const description = SHAPES[owner];
  return { ...(description === undefined ? {} : { description }), ...describeInside(owner, schema) };
}

function describeInside(owner: string, schema: JsonSchema): JsonSchema {
  const { properties, anyOf, oneOf } = schema;
  const inside = (each: JsonSchema) => describeInside(owner, each);
  return {
    ...schema,
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(inside) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(inside) }),
    ...(properties === undefined ? {} : { properties: describeProperties(owner, properties) }),
  };
}

function describeProperties(owner: string, properties: NonNullable<JsonSchema["properties"]>) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      if (typeof property === "boolean") return [name, property];
      return [name, describeField(owner, name, describeInside(`${owner}.${name}`, property))];
    }),
  );
}
