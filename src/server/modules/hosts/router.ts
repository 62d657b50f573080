import { BatchHosts, BatchHostsInput } from "../../../shared/batch.ts";
import { HostSummary } from "../../../shared/host-summary.ts";
import {
  AssignHostInput,
  Host,
  HostList,
  ListHostsInput,
  UnassignHostInput,
} from "../../../shared/hosts.ts";
import { IdInput, NoInput } from "../../../shared/ids.ts";
import { permittedProcedure, router } from "../../platform/trpc/trpc.ts";
import { assignHost, unassignHost } from "../assignments/assign-host.ts";
import { batchHosts } from "../assignments/batch-hosts.ts";
import { getHost, listHosts } from "./queries.ts";
import { summarizeHosts } from "./summary.ts";

export const hostsRouter = router({
  list: permittedProcedure("hosts:read")
    .meta({
      rest: { method: "GET", path: "/api/hosts" },
      summary: "主机列表",
      description:
        "`gone`、`configId`、`outsideProjects`、`assigned` 仅超级管理员可用，`userId`、`expiring`、`expired`、`providerEndsFirst` 还有管理员可用；`providerEndsFirst`、`assignedExpiring`、`assignedExpired` 针对看得到的分配。时间按调用者看到的排序：对C端用户是分配的起止时间；没有到期时间的主机（对其他角色还有按时计费的主机）总在最后。",
    })
    .input(ListHostsInput)
    .output(HostList)
    .query(({ ctx, input }) => listHosts(ctx.deps, ctx.caller, input)),

  summary: permittedProcedure("hosts:read")
    .meta({
      rest: { method: "GET", path: "/api/hosts/summary" },
      summary: "主机数量概况",
      description:
        "按状态、到期时间和地域统计看得到的主机。`provider` 按云服务商的到期时间统计（对C端用户即自己的分配到期时间），`assigned` 按分配的到期时间统计，`providerEndsFirst` 是有分配晚于云服务商到期的主机数；其余到期数对超级管理员是云服务商的，对其他角色是分配的；月份按北京时间划分。",
    })
    .input(NoInput)
    .output(HostSummary)
    .query(({ ctx }) => summarizeHosts(ctx.deps, ctx.caller)),

  get: permittedProcedure("hosts:read")
    .meta({ rest: { method: "GET", path: "/api/hosts/{id}" }, summary: "主机详情" })
    .input(IdInput)
    .output(Host)
    .query(({ ctx, input }) => getHost(ctx.deps, ctx.caller, input)),

  assign: permittedProcedure("hosts:assign")
    .meta({
      rest: { method: "POST", path: "/api/hosts/assign" },
      summary: "分配主机给用户",
      description:
        "再次分配同一主机给同一用户即修改原分配。不填 `assignedAt` 保留原来的开始时间，不填 `remark` 保留原备注。到期时间填写 `days` 或 `assignedExpireTime`，二者选一。",
      errors: ["NOT_FOUND", "STATE_CONFLICT"],
    })
    .input(AssignHostInput)
    .output(Host)
    .mutation(({ ctx, input }) => assignHost(ctx.deps, ctx.caller, input)),

  unassign: permittedProcedure("hosts:assign")
    .meta({
      rest: { method: "POST", path: "/api/hosts/unassign" },
      summary: "取消主机分配",
      description: "该用户对该主机未完成（待处理或已批准）的续费申请随之取消。",
      errors: ["NOT_FOUND"],
    })
    .input(UnassignHostInput)
    .output(Host)
    .mutation(({ ctx, input }) => unassignHost(ctx.deps, ctx.caller, input)),

  batch: permittedProcedure("hosts:sync", "hosts:assign")
    .meta({
      rest: { method: "POST", path: "/api/hosts/batch" },
      summary: "批量同步、分配、取消分配或转移主机",
      description:
        "每台主机单独执行，一台失败不影响其他主机；失败的原因在各自的结果里。分配时，现有到期时间更晚的主机不变，除非 `allowShorter` 为 true。转移时，原用户的分配现在结束，其未完成的续费申请随之取消，接收用户的分配从现在开始，到期时间与原来相同或按填写的；接收用户已有该主机且到期更晚的，到期时间不变。",
    })
    .input(BatchHostsInput)
    .output(BatchHosts)
    .mutation(({ ctx, input }) => batchHosts(ctx.deps, ctx.caller, input)),
});
