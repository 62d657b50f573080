import { z } from "zod";
import { ChangePasswordInput, EndedSessions, LoginInput, OwnSession, SignIn } from "../../shared/auth.ts";
import { BatchHosts, BatchHostsInput } from "../../shared/batch.ts";
import { Config, ConfigTest, CreateConfigInput, UpdateConfigInput } from "../../shared/configs.ts";
import { HostSummary } from "../../shared/host-summary.ts";
import { AssignHostInput, Host, HostList, UnassignHostInput } from "../../shared/hosts.ts";
import { Nothing } from "../../shared/ids.ts";
import { CreateRenewalInput, ProcessRenewalInput, Renewal, RenewalList } from "../../shared/renewals.ts";
import { Settings, UpdateSettingsInput } from "../../shared/settings.ts";
import { SyncRun, SyncRunList, SyncRuns } from "../../shared/sync.ts";
import { CreateUserInput, ResetPasswordResult, UpdateUserInput, User, UserList } from "../../shared/users.ts";
import {
  CLIENT,
  CONFIG,
  CONFIG_TEST,
  HOST,
  HOST_SUMMARY,
  IDS,
  OWN_SESSION,
  PAGINATION,
  RENEWAL,
  SYNC_RUN,
  TIMES,
} from "./openapi-example-rows.ts";
import type { Example } from "./openapi-types.ts";

/** Examples of a procedure's input (what belongs into the body) or output, by a name that is unique among them. */
export function examplesOf(shape: z.ZodType | undefined): Record<string, Example> {
  const known = EXAMPLES.find(({ shapes }) => shapes.some((each) => isSameShape(each, shape)));
  return known?.examples ?? {};
}

/** Lists have no shape of their own: they are known by what they hold. */
function isSameShape(one: z.ZodType, other: z.ZodType | undefined): boolean {
  if (one instanceof z.ZodArray && other instanceof z.ZodArray) return one.element === other.element;
  return one === other;
}

interface ShapeExamples {
  readonly shapes: readonly z.ZodType[];
  readonly examples: Record<string, Example>;
}

function example<Shape extends z.ZodType>(
  shape: Shape,
  value: NoInfer<Omit<z.input<Shape>, "id">> | NoInfer<z.output<Shape>>,
): ShapeExamples {
  return { shapes: [shape], examples: { example: { summary: "示例", value } } };
}

const EXAMPLES: readonly ShapeExamples[] = [
  example(LoginInput, { username: "admin", password: "Correct1Horse" }),
  example(SignIn, { token: "q3Zk0V8cWm5u1xJp7oYtB2fGhR9sLdNeAiKvXyTzQwE", user: CLIENT }),
  example(ChangePasswordInput, { currentPassword: "Correct1Horse", newPassword: "Better2Battery" }),
  example(z.array(OwnSession), [OWN_SESSION]),
  example(EndedSessions, { ended: 2 }),
  example(Nothing, {}),

  example(User, CLIENT),
  example(UserList, { users: [CLIENT], pagination: PAGINATION }),
  example(CreateUserInput, {
    username: "zhang_san",
    password: "Correct1Horse",
    name: "张三",
    role: "client",
    email: "zhangsan@example.com",
    phone: "13800138000",
    adminId: IDS.admin,
  }),
  example(UpdateUserInput, { name: "张三丰", phone: null, isActive: true, adminId: IDS.admin }),
  example(ResetPasswordResult, { newPassword: "mK7vQ2xTpR9wLd4s" }),

  example(Host, HOST),
  example(HostList, { hosts: [HOST], pagination: PAGINATION }),
  example(HostSummary, HOST_SUMMARY),
  example(AssignHostInput, {
    hostId: IDS.host,
    userId: IDS.client,
    assignedAt: TIMES.now,
    assignedExpireTime: TIMES.inThirtyDays,
    remark: "测试环境",
  }),
  example(UnassignHostInput, { hostId: IDS.host, userId: IDS.client }),
  {
    shapes: [BatchHostsInput],
    examples: {
      sync: { summary: "同步", value: { operation: "sync", hostIds: [IDS.host] } },
      assign: {
        summary: "分配",
        value: {
          operation: "assign",
          hostIds: [IDS.host],
          userId: IDS.client,
          assignedExpireTime: TIMES.inThirtyDays,
        },
      },
      unassign: { summary: "取消分配", value: { operation: "unassign", hostIds: [IDS.host], userId: IDS.client } },
    },
  },
  example(BatchHosts, {
    results: [
      { hostId: IDS.host, ok: true },
      { hostId: IDS.config, ok: false, code: "NOT_FOUND", message: "主机不存在" },
    ],
  }),

  example(SyncRun, SYNC_RUN),
  example(SyncRuns, { runs: [SYNC_RUN] }),
  example(SyncRunList, { runs: [SYNC_RUN], pagination: PAGINATION }),

  example(Config, CONFIG),
  example(z.array(Config), [CONFIG]),
  example(ConfigTest, CONFIG_TEST),
  example(CreateConfigInput, {
    name: "生产账号",
    publicKey: "4eZBZ5qS1examplePublicKey",
    privateKey: "7d1fexamplePrivateKey",
    apiUrl: "https://api.ucloud.cn",
    defaultRegion: "cn-bj2",
    projectIds: ["org-abc123"],
    remark: "主账号",
  }),
  example(UpdateConfigInput, { name: "生产账号（新）", isDefault: true }),

  example(Renewal, RENEWAL),
  example(RenewalList, {
    requests: [RENEWAL],
    pagination: PAGINATION,
    counts: { pending: 1, approved: 0, rejected: 2, completed: 8, cancelled: 0 },
  }),
  example(CreateRenewalInput, { hostId: IDS.host, requestedDuration: 30, remark: "请续一个月" }),
  {
    shapes: [ProcessRenewalInput],
    examples: {
      approved: { summary: "批准", value: { status: "approved" } },
      rejected: { summary: "拒绝（必须填写备注）", value: { status: "rejected", adminRemark: "预算不足" } },
      completed: { summary: "完成，到期时间顺延", value: { status: "completed", adminRemark: "已收款" } },
    },
  },

  example(Settings, { show_network_info_to_client: true }),
  example(UpdateSettingsInput, { show_network_info_to_client: true }),
];
