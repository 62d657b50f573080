import { TOKEN_SCOPE_LABELS } from "./api-tokens.ts";
import { AUDIT_OUTCOME_LABELS, type AuditEntry, type AuditValue } from "./audit.ts";
import { conditionText } from "./export-filters.ts";
import { HOST_STATUS_LABELS } from "./hosts.ts";
import { CHANNEL_TYPE_LABELS, MAIL_SECURITY_LABELS } from "./notice-channels.ts";
import { NOTICE_TYPE_LABELS } from "./notices.ts";
import { regionName } from "./regions.ts";
import { RENEWAL_STATUS_LABELS } from "./renewal-status.ts";
import { ROLE_LABELS } from "./roles.ts";
import { localTime } from "./shanghai.ts";

/** What the values of a field are called; the state is that of a request or of a host. */
const VALUE_LABELS = new Map<string, Readonly<Record<string, string>>>([
  ["role", ROLE_LABELS],
  ["secondFactorRequiredRoles", ROLE_LABELS],
  ["status", { ...HOST_STATUS_LABELS, ...RENEWAL_STATUS_LABELS }],
  ["secondFactor", { awaited: "等待验证码" }],
  ["scope", TOKEN_SCOPE_LABELS],
  ["type", CHANNEL_TYPE_LABELS],
  ["types", NOTICE_TYPE_LABELS],
  ["config.security", MAIL_SECURITY_LABELS],
]);

/** How an act ended, for people. Of a sign-in also whether its second step is still to come. */
export function auditOutcomeText({
  action,
  outcome,
  changes,
}: Pick<AuditEntry, "action" | "outcome" | "changes">): string {
  if (isSecondFactorAwaited({ changes })) return "密码正确，等待验证码";

  const codes = changes.find(({ field }) => field === "recoveryCodes");
  if (action === "auth.secondFactor" && codes !== undefined) {
    return `使用恢复码，剩 ${auditValueText(codes.field, codes.to)} 个`;
  }
  return AUDIT_OUTCOME_LABELS[outcome];
}

/** The password was right, and nobody is signed in yet. */
export function isSecondFactorAwaited({ changes }: Pick<AuditEntry, "changes">): boolean {
  return changes.some(({ field, to }) => field === "secondFactor" && to === "awaited");
}

/** A value of an entry, for people. */
export function auditValueText(field: string, value: AuditValue): string {
  if (value === null) return "—";
  if (value === "") return "（空）";
  if (typeof value === "boolean") return value ? "是" : "否";
  if (typeof value === "number") return numberText(field, value);
  if (typeof value === "string") return wordText(field, value);
  if (value.length === 0) return "无";
  return value.map((one) => wordText(field, one)).join("、");
}

function numberText(field: string, value: number): string {
  switch (field) {
    case "assignedAt":
    case "assignedExpireTime":
    case "backupTime":
    case "expiresAt":
      return localTime(value).replace("T", " ");
    case "requestedDuration":
      return `${value} 天`;
    default:
      return `${value}`;
  }
}

function wordText(field: string, value: string): string {
  if (field === "defaultRegion") return regionName(value);
  if (field === "filter") return conditionText(value);
  return VALUE_LABELS.get(field)?.[value] ?? value;
}
