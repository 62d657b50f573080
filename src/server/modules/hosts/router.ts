import { HostSummary } from "../../../shared/host-summary.ts";
import { Host, HostList, ListHostsInput } from "../../../shared/hosts.ts";
import { IdInput, NoInput } from "../../../shared/ids.ts";
import { permittedProcedure, router } from "../../platform/trpc/trpc.ts";
import { getHost, listHosts } from "./queries.ts";
import { summarizeHosts } from "./summary.ts";

export const hostsRouter = router({
  list: permittedProcedure("hosts:read")
    .meta({
      rest: { method: "GET", path: "/api/hosts" },
      summary: "主机列表",
      description:
        "`gone`、`configId`、`outsideProjects`、`assigned` 仅超级管理员可用，`userId`、`expiring`、`expired`、`autoRenew`、`providerEndsFirst` 还有管理员可用；`providerEndsFirst`、`assignedExpiring`、`assignedExpired` 针对看得到的分配。时间按调用者看到的排序：对C端用户是分配的起止时间；没有到期时间的主机（对其他角色还有按时计费的主机）总在最后。",
    })
    .input(ListHostsInput)
    .output(HostList)
    .query(({ ctx, input }) => listHosts(ctx.deps, ctx.caller, input)),

  summary: permittedProcedure("hosts:read")
    .meta({
      rest: { method: "GET", path: "/api/hosts/summary" },
      summary: "主机数量概况",
      description:
        "按状态、到期时间和地域统计看得到的主机。`provider` 按云服务商的到期时间统计（对C端用户即自己的分配到期时间），`assigned` 按分配的到期时间统计，`providerEndsFirst` 是有分配晚于云服务商到期、不自动续费的主机数；其余到期数对超级管理员是云服务商的，对其他角色是分配的；月份按北京时间划分。",
    })
    .input(NoInput)
    .output(HostSummary)
    .query(({ ctx }) => summarizeHosts(ctx.deps, ctx.caller)),

  get: permittedProcedure("hosts:read")
    .meta({ rest: { method: "GET", path: "/api/hosts/{id}" }, summary: "主机详情" })
    .input(IdInput)
    .output(Host)
    .query(({ ctx, input }) => getHost(ctx.deps, ctx.caller, input)),
});
