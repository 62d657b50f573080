import {
  HISTORY_FIELD_LABELS,
  type HistoryField,
  type HistoryValue,
  type HostFieldChange,
} from "@shared/host-history.ts";
import { chargeTypeLabel, HOST_STATUS_LABELS, HostStatus } from "@shared/hosts.ts";
import { regionName } from "@shared/regions.ts";
import { RENEWAL_STATUS_LABELS, RenewalStatus } from "@shared/renewal-status.ts";
import { isSuperAdmin } from "@shared/roles.ts";
import { Mono } from "@/components/copyable-text";
import { ConfigName } from "@/components/hosts/config-name";
import { ipKind, sortedIps } from "@/components/hosts/host-ips";
import { formatDateTime, formatDisk, formatMemory, NOTHING } from "@/lib/format";
import { useCurrentUser } from "@/session/session";
import { ChangeList, type ChangeRow } from "./change-list";

/** Without the units in which the API has them: here the values bear theirs. */
const FIELD_NAMES = {
  ...HISTORY_FIELD_LABELS,
  memory: "内存",
  disk: "磁盘",
  ipSet: "IP 地址",
} as const;

type FieldChangesProps = { changes: readonly HostFieldChange[] };

/** Field by field, old value → new value. */
export function FieldChanges({ changes }: FieldChangesProps) {
  const { role } = useCurrentUser();
  // To others than super admins a configuration is an id that names nothing.
  const shown = changes.filter(({ field }) => field !== "configId" || isSuperAdmin(role));
  if (shown.length === 0) return null;

  return <ChangeList rows={shown.map(rowOf)} />;
}

function rowOf({ field, from, to }: HostFieldChange): ChangeRow {
  const onlyNames = to === null && field === "user";
  return {
    field,
    label: FIELD_NAMES[field],
    from: from === null || onlyNames ? null : <Value field={field} value={from} />,
    to: <Value field={field} value={onlyNames ? from : to} />,
  };
}

function Value({ field, value }: { field: HistoryField; value: HistoryValue }) {
  if (value === null) return <span>{NOTHING}</span>;

  if (typeof value === "object") {
    if (value.length === 0) return <span>无</span>;
    return sortedIps(value).map((ip) => (
      <span key={`${ip.Type} ${ip.IP}`} className="mr-2 inline-block">
        <span className="text-muted-foreground">{ipKind(ip)}</span> <Mono>{ip.IP}</Mono>
      </span>
    ));
  }
  if (field === "configId") return <ConfigName id={`${value}`} />;
  if (field === "projectId")
    return value === "" ? <span>默认项目</span> : <Mono>{`${value}`}</Mono>;
  return <span className="tabular-nums">{valueText(field, value)}</span>;
}

function valueText(field: HistoryField, value: string | number | boolean): string {
  switch (field) {
    case "createTime":
    case "expireTime":
    case "assignedAt":
    case "assignedExpireTime":
      return typeof value === "number" ? formatDateTime(value) : `${value}`;
    case "status": {
      const status = HostStatus.safeParse(value).data;
      return status === undefined ? `${value}` : HOST_STATUS_LABELS[status];
    }
    case "renewalStatus": {
      const status = RenewalStatus.safeParse(value).data;
      return status === undefined ? `${value}` : RENEWAL_STATUS_LABELS[status];
    }
    case "autoRenew":
      return value === true ? "已开启" : "未开启";
    case "chargeType":
      return chargeTypeLabel(`${value}`);
    case "region":
      return regionName(`${value}`);
    case "requestedDuration":
      return `${value} 天`;
    case "memory":
      return typeof value === "number" ? formatMemory(value) : `${value}`;
    case "disk":
      return typeof value === "number" ? formatDisk(value) : `${value}`;
    default:
      return value === "" ? "（空）" : `${value}`;
  }
}
