import { expect, it } from "vitest";
import { auditValueText } from "../../src/shared/audit-values.ts";

it.each([
  ["outcome=denied", "结果：无权限"],
  ["action=hosts.assign", "操作：分配主机"],
  ["action=renewals", "操作：续费申请（全部）"],
  ["from=1796083200", "开始时间：2026-12-01 08:00"],
  ["status=Running", "状态：运行中"],
  ["status=pending", "状态：待处理"],
  ["region=cn-bj2", "地域：华北（北京2）"],
  ["expiring=7", "云端到期：7 天内"],
  ["assigned=false", "已分配：否"],
  ["search=a=b", "搜索：a=b"],
  ["later=1", "later=1"],
  ["action=audit.list", "操作：查看审计日志"],
])("a condition of an export, %s, reads %s", (condition, text) => {
  expect(auditValueText("filter", [condition])).toBe(text);
});
