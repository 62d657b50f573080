import { AnnotateHostInput, HostTags } from "../../../shared/annotations.ts";
import { HostSummary } from "../../../shared/host-summary.ts";
import { ExportHostsInput, Host, HostList, ListHostsInput } from "../../../shared/hosts.ts";
import { IdInput, NoInput } from "../../../shared/ids.ts";
import { exportProcedure, permittedProcedure, router } from "../../platform/trpc/trpc.ts";
import { annotateHost } from "./annotate-host.ts";
import { exportHosts } from "./export-hosts.ts";
import { listTags } from "./list-tags.ts";
import { getHost, listHosts } from "./queries.ts";
import { summarizeHosts } from "./summary.ts";

export const hostsRouter = router({
  list: permittedProcedure("hosts:read")
    .meta({
      rest: { method: "GET", path: "/api/hosts" },
      summary: "主机列表",
      description:
        "`gone`、`configId`、`outsideProjects`、`assigned` 仅超级管理员可用，`userId`、`expiring`、`expired`、`autoRenew`、`providerEndsFirst`、`tag` 还有管理员可用；`providerEndsFirst`、`assignedExpiring`、`assignedExpired` 针对看得到的分配。时间按调用者看到的排序：对C端用户是分配的起止时间；没有到期时间的主机（对其他角色还有按时计费的主机）总在最后。",
    })
    .input(ListHostsInput)
    .output(HostList)
    .query(({ ctx, input }) => listHosts(ctx.deps, ctx.caller, input)),

  export: exportProcedure("hosts:read")
    .meta({
      rest: { method: "GET", path: "/api/hosts/export" },
      summary: "导出主机",
      description:
        "与主机列表相同的筛选与排序，CSV 文件（UTF-8，带 BOM）含看得到的全部主机，列取决于角色。每个用户同时最多导出 2 份。开始传输之后出错时连接中断，不会得到看似完整的文件。",
    })
    .input(ExportHostsInput)
    .query(({ ctx, input }) => exportHosts(ctx.deps, ctx.caller, input)),

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

  /** For those who see hosts of several users. */
  tags: permittedProcedure("hosts:read", "users:read")
    .meta({
      rest: { method: "GET", path: "/api/hosts/tags" },
      summary: "主机的标签及各有多少台主机",
      description: "与主机列表不带筛选时的主机相同：管理员只计自己负责的C端用户的主机。",
    })
    .input(NoInput)
    .output(HostTags)
    .query(({ ctx }) => listTags(ctx.deps, ctx.caller)),

  get: permittedProcedure("hosts:read")
    .meta({ rest: { method: "GET", path: "/api/hosts/{id}" }, summary: "主机详情" })
    .input(IdInput)
    .output(Host)
    .query(({ ctx, input }) => getHost(ctx.deps, ctx.caller, input)),

  annotate: permittedProcedure("hosts:update")
    .meta({
      rest: { method: "PUT", path: "/api/hosts/{id}/annotations" },
      summary: "修改主机的标签与内部备注",
      description:
        "只修改给出的字段。管理员看到标签，内部备注只有超级管理员看到，C端用户两者都看不到。同步不改变它们；已消失的主机也可以修改。",
      errors: ["NOT_FOUND"],
    })
    .input(AnnotateHostInput)
    .output(Host)
    .mutation(({ ctx, input }) => annotateHost(ctx.deps, ctx.caller, input)),
});
