import {
  AUDIT_ACTOR_LABELS,
  AUDIT_SUBJECT_LABELS,
  type AuditEntry,
  auditActionLabel,
  auditFieldLabel,
} from "../../../shared/audit.ts";
import { auditOutcomeText, auditValueText } from "../../../shared/audit-values.ts";
import { listCell, timeCell } from "../../platform/csv/cells.ts";
import type { CsvColumn } from "../../platform/csv/csv-file.ts";

export const EXPORT_COLUMNS: readonly CsvColumn<AuditEntry>[] = [
  { header: "时间", value: ({ at }) => timeCell(at) },
  { header: "操作者", value: ({ actor }) => actor.name },
  { header: "操作者种类", value: ({ actor }) => AUDIT_ACTOR_LABELS[actor.type] },
  { header: "API 令牌", value: ({ actor }) => actor.token?.name ?? null },
  { header: "操作", value: ({ action }) => auditActionLabel(action) },
  {
    header: "对象种类",
    value: ({ subject }) => (subject === null ? null : AUDIT_SUBJECT_LABELS[subject.type]),
  },
  { header: "对象", value: ({ subject }) => subject?.label ?? null },
  { header: "结果", value: auditOutcomeText },
  { header: "来源地址", value: ({ ip }) => ip },
  { header: "浏览器或程序", value: ({ userAgent }) => userAgent },
  { header: "请求编号", value: ({ requestId }) => requestId },
  { header: "变化", value: ({ changes }) => listCell(changes.map(changeText)) },
  { header: "次数", value: ({ count }) => count },
];

/** `用户到期：2026-12-01 08:30 → 2027-01-01 08:30`; where there was nothing before, the new alone. */
function changeText({ field, from, to }: AuditEntry["changes"][number]): string {
  const before = from === null ? "" : `${auditValueText(field, from)} → `;
  return `${auditFieldLabel(field)}：${before}${auditValueText(field, to)}`;
}
