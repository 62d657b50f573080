import type { OwnSession } from "../../shared/auth.ts";
import type { Config, ConfigTest } from "../../shared/configs.ts";
import type { HostSummary } from "../../shared/host-summary.ts";
import type { Host } from "../../shared/hosts.ts";
import type { Pagination } from "../../shared/page.ts";
import type { Renewal } from "../../shared/renewals.ts";
import type { SyncRun } from "../../shared/sync.ts";
import { DAY_SECONDS } from "../../shared/time.ts";
import type { User } from "../../shared/users.ts";

export const IDS = {
  operator: "019a9f00-0000-7000-8000-000000000001",
  admin: "019a9f00-0000-7000-8000-000000000002",
  client: "019a9f00-0000-7000-8000-000000000003",
  host: "019a9f00-0000-7000-8000-000000000004",
  config: "019a9f00-0000-7000-8000-000000000005",
  run: "019a9f00-0000-7000-8000-000000000006",
  renewal: "019a9f00-0000-7000-8000-000000000007",
  session: "019a9f00-0000-7000-8000-000000000008",
} as const;

const NOW = 1_767_225_600;

/** Unix seconds. */
export const TIMES = { now: NOW, inThirtyDays: NOW + 30 * DAY_SECONDS } as const;

export const PAGINATION: Pagination = { page: 1, limit: 20, total: 1, totalPages: 1 };

export const CLIENT: User = {
  id: IDS.client,
  username: "zhang_san",
  name: "张三",
  role: "client",
  email: "zhangsan@example.com",
  phone: "13800138000",
  isActive: true,
  adminId: IDS.admin,
  admin: { id: IDS.admin, name: "李四", username: "li_si" },
  createdAt: TIMES.now,
  mustChangePassword: false,
};

export const OWN_SESSION: OwnSession = {
  id: IDS.session,
  createdAt: TIMES.now - 3600,
  lastSeenAt: TIMES.now,
  expiresAt: TIMES.now + 11 * 3600,
  ip: "203.0.113.7",
  userAgent:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  isCurrent: true,
};

export const HOST: Host = {
  id: IDS.host,
  name: "web-01",
  ucloudId: "uhost-abc123",
  cpu: 4,
  memory: 8192,
  disk: 120,
  osName: "Ubuntu 24.04 64位",
  osType: "Linux",
  region: "cn-bj2",
  zone: "cn-bj2-05",
  zoneName: "华北（北京2）可用区E",
  status: "Running",
  providerStatus: "Running",
  chargeType: "Month",
  createTime: TIMES.now - 60 * DAY_SECONDS,
  expireTime: TIMES.inThirtyDays,
  ipSet: [
    { Type: "Private", IP: "10.9.0.11" },
    { Type: "Bgp", IP: "203.0.113.11" },
  ],
  users: [
    {
      id: IDS.client,
      name: "张三",
      username: "zhang_san",
      assignedAt: TIMES.now,
      assignedExpireTime: TIMES.inThirtyDays,
    },
  ],
  configId: IDS.config,
  syncedAt: TIMES.now,
  goneAt: null,
};

export const HOST_SUMMARY: HostSummary = {
  total: 128,
  byStatus: { Running: 110, Stopped: 15, Starting: 1, Stopping: 0, Rebooting: 0, Unknown: 2 },
  expired: 3,
  expiringSoon: 6,
  expiringMonth: 20,
  provider: { expired: 3, expiring7: 6, expiring30: 20 },
  assigned: { expired: 2, expiring7: 4, expiring30: 9 },
  unassigned: 12,
  gone: 1,
  expiriesByMonth: [20, 14, 9, 11, 6, 8, 12, 7, 5, 10, 4, 3].map((count, index) => ({
    month: `2026-${String(index + 1).padStart(2, "0")}`,
    count,
  })),
  regions: [
    { region: "cn-bj2", Running: 70, Stopped: 8, Other: 2 },
    { region: "hk", Running: 40, Stopped: 7, Other: 1 },
  ],
};

export const SYNC_RUN: SyncRun = {
  id: IDS.run,
  configId: IDS.config,
  configName: "生产账号",
  trigger: "manual",
  status: "partial",
  requestedBy: { id: IDS.operator, name: "系统管理员" },
  startedAt: TIMES.now,
  finishedAt: TIMES.now + 12,
  regionsTotal: 11,
  regionsDone: 10,
  hostsTotal: 130,
  hostsSeen: 128,
  created: 8,
  updated: 20,
  unchanged: 100,
  gone: 1,
  rejected: 0,
  errors: [
    {
      region: "hk",
      projectId: "org-abc123",
      code: "timeout",
      message: "云服务商接口响应超时，请稍后重试",
    },
  ],
};

export const CONFIG: Config = {
  id: IDS.config,
  name: "生产账号",
  publicKey: "4eZB****cKey",
  apiUrl: "https://api.ucloud.cn",
  defaultRegion: "cn-bj2",
  projectIds: ["org-abc123"],
  isDefault: true,
  isActive: true,
  remark: "主账号",
  createdAt: TIMES.now,
  lastSync: SYNC_RUN,
};

export const CONFIG_TEST: ConfigTest = {
  connected: true,
  steps: [
    { name: "密钥有效", ok: true, message: "密钥有效，可见 11 个地域" },
    { name: "项目可见", ok: true, message: "可见 1 个项目" },
    { name: "云主机读权限", ok: true, message: "默认地域华北（北京2）共有 42 台云主机" },
  ],
  regions: 11,
  projects: 1,
  hostCount: 42,
  latencyMs: 180,
};

export const RENEWAL: Renewal = {
  id: IDS.renewal,
  host: {
    id: IDS.host,
    name: "web-01",
    ucloudId: "uhost-abc123",
    cpu: 4,
    memory: 8192,
    expireTime: TIMES.inThirtyDays,
  },
  user: {
    id: IDS.client,
    name: "张三",
    username: "zhang_san",
    email: "zhangsan@example.com",
    phone: "13800138000",
  },
  requestedDuration: 30,
  status: "pending",
  remark: "请续一个月",
  adminRemark: null,
  createdAt: TIMES.now,
  processedAt: null,
  processedBy: null,
  assignedExpireTime: TIMES.inThirtyDays,
};
