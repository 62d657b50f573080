import { AssignmentList, ListAssignmentsInput } from "../../../shared/assignments.ts";
import { BatchHosts, BatchHostsInput } from "../../../shared/batch.ts";
import { AssignHostInput, Host, UnassignHostInput } from "../../../shared/hosts.ts";
import { NoInput } from "../../../shared/ids.ts";
import { ASSIGNMENT_IMPORT } from "../../../shared/imports.ts";
import { templateFile } from "../../platform/imports/template-file.ts";
import {
  exportProcedure,
  importProcedure,
  permittedProcedure,
  router,
} from "../../platform/trpc/trpc.ts";
import { assignHost } from "./assign-host.ts";
import { batchHosts } from "./batch-hosts.ts";
import { importAssignments } from "./import-assignments.ts";
import { listAssignments } from "./list-assignments.ts";
import { unassignHost } from "./unassign-host.ts";

/** Among the calls of hosts. */
export const assignmentsRouter = router({
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
      summary: "批量同步、分配、取消分配、转移主机，或加减标签",
      description:
        "每台主机单独执行，一台失败不影响其他主机；失败的原因在各自的结果里。分配时，现有到期时间更晚的主机不变，除非 `allowShorter` 为 true。转移时，原用户的分配现在结束，其未完成的续费申请随之取消，接收用户的分配从现在开始，到期时间与原来相同或按填写的；接收用户已有该主机且到期更晚的，到期时间不变。加标签后超过 20 个的主机不变。",
    })
    .input(BatchHostsInput)
    .output(BatchHosts)
    .mutation(({ ctx, input }) => batchHosts(ctx.deps, ctx.caller, input)),
});

export const assignmentImportRouter = router({
  import: importProcedure(ASSIGNMENT_IMPORT, "hosts:assign")
    .meta({
      rest: { method: "POST", path: "/api/assignments/import", query: ["dryRun"] },
      summary: "从 CSV 文件分配主机",
      description:
        "该用户还没有的主机新增分配，已有的按到期日期修改。只有日期的到期是北京时间当天结束时；已分配的主机不按天数修改，该行不变并说明原因；备注为空保持不变。列的标题与模板相同，顺序不限。不填 `dryRun` 时只预检。",
      errors: ["STATE_CONFLICT"],
    })
    .mutation(({ ctx }) => importAssignments(ctx.deps, ctx.caller, ctx.upload)),

  importTemplate: exportProcedure("hosts:assign")
    .meta({
      rest: { method: "GET", path: "/api/assignments/import-template" },
      summary: "导入分配的模板",
      description: "只有标题行的 CSV 文件。",
    })
    .input(NoInput)
    .query(() =>
      templateFile({ name: "assignment-import", title: "分配导入模板" }, ASSIGNMENT_IMPORT),
    ),
});

/** Among the calls of users. */
export const userAssignmentsRouter = router({
  assignments: permittedProcedure("hosts:read")
    .meta({
      rest: { method: "GET", path: "/api/users/{id}/assignments" },
      summary: "用户现在和以前的主机分配",
      description: "从新到旧。C端用户只能查询自己的，管理员只能查询自己负责的C端用户的。",
      errors: ["NOT_FOUND"],
    })
    .input(ListAssignmentsInput)
    .output(AssignmentList)
    .query(({ ctx, input }) => listAssignments(ctx.deps, ctx.caller, input)),
});
