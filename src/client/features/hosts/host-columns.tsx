import { chargeTypeLabel, type Host, type HostIp, HostSort } from "@shared/hosts.ts";
import { isClient, isSuperAdmin, type Role } from "@shared/roles.ts";
import { expiryState } from "@shared/time.ts";
import type { Column } from "@/components/data-table";
import {
  ConfigName,
  ExpiryBadge,
  firstExpiringUser,
  HostStatusBadge,
  hostSize,
  IpText,
  shownExpiry,
  sortedIps,
} from "@/components/hosts/host-display";
import { HostName } from "@/components/hosts/host-name";
import { TWO_LINES, UsersCell } from "@/components/hosts/users-cell";
import { RelativeTime } from "@/components/relative-time";
import { formatDate, formatDisk, formatMemory, formatTimeLeft, NOTHING } from "@/lib/format";
import { useNow } from "@/lib/use-now";

const sorts = HostSort.enum;

/** A part of the width, whatever the names: a long one is cut before a column leaves the box. */
const NAME = "w-[22%] min-w-44 max-w-0 group-data-[density=compact]/table:min-w-32";

/** The zone behind its region or, where the columns are short of room, below. */
const ZONE = "block min-w-29 break-keep group-data-[density=compact]/table:whitespace-nowrap";

/** In the order of the table. Which of them are hidden at first, `host-table.tsx` says. */
export function hostColumns(role: Role, hrefTo: (id: string) => string): Column<Host>[] {
  const name: Column<Host> = {
    id: "name",
    header: "主机",
    sort: sorts.name,
    className: NAME,
    pinned: "left",
    enableHiding: false,
    cell: (host) => <HostName host={host} href={hrefTo(host.id)} />,
  };
  const expiry: Column<Host> = {
    id: "expiry",
    header: isClient(role) ? "我的到期时间" : "云端到期",
    sort: sorts.expireTime,
    cell: (host) => <DateCell expiry={shownExpiry(role, host)} />,
  };

  if (isClient(role)) {
    // The expiry is what a client comes for, in sight on a phone.
    return [name, expiry, ...DESCRIPTION, SYNCED];
  }
  if (isSuperAdmin(role)) {
    return [name, ...DESCRIPTION, expiry, USER_EXPIRY, USERS, CONFIG, SYNCED];
  }
  return [name, ...DESCRIPTION, expiry, USER_EXPIRY, USERS, SYNCED];
}

/** What the host is: for every role. */
const DESCRIPTION: readonly Column<Host>[] = [
  {
    id: "status",
    header: "状态",
    sort: sorts.status,
    cell: (host) => <HostStatusBadge host={host} />,
  },
  {
    id: "zoneName",
    header: "可用区",
    sort: sorts.zone,
    cell: ({ zoneName }) => <span className={ZONE}>{zoneName}</span>,
  },
  { id: "size", header: "规格", align: "right", sort: sorts.cpu, cell: hostSize },
  {
    id: "memory",
    header: "内存",
    align: "right",
    sort: sorts.memory,
    cell: ({ memory }) => formatMemory(memory),
  },
  {
    id: "disk",
    header: "磁盘",
    align: "right",
    sort: sorts.disk,
    cell: ({ disk }) => formatDisk(disk),
  },
  { id: "ip", header: "IP", cell: ({ ipSet }) => <FirstIp ips={ipSet} /> },
  {
    id: "osName",
    header: "操作系统",
    className: "max-w-44 truncate",
    cell: ({ osName }) => <span title={osName}>{osName}</span>,
  },
  {
    id: "charge",
    header: "计费",
    className: "whitespace-nowrap",
    cell: ({ chargeType }) => chargeTypeLabel(chargeType),
  },
];

const USER_EXPIRY: Column<Host> = {
  id: "userExpiry",
  header: "用户到期",
  sort: sorts.assignedExpireTime,
  cell: (host) => <DateCell expiry={firstExpiringUser(host)?.assignedExpireTime ?? null} />,
};

const USERS: Column<Host> = {
  id: "users",
  header: "分配用户",
  cell: (host) => <UsersCell host={host} />,
};

const CONFIG: Column<Host> = {
  id: "config",
  header: "所属配置",
  className: "max-w-40 truncate",
  cell: ({ configId }) => <ConfigName id={configId} />,
};

const SYNCED: Column<Host> = {
  id: "synced",
  header: "最近同步",
  className: "whitespace-nowrap",
  cell: ({ syncedAt }) => <RelativeTime at={syncedAt} />,
};

function FirstIp({ ips }: { ips: readonly HostIp[] }) {
  const [first, ...more] = sortedIps(ips);
  if (first === undefined) return <span className="text-subtle-foreground">{NOTHING}</span>;

  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      <IpText ip={first} />
      {more.length > 0 ? (
        <span className="text-xs text-muted-foreground">+{more.length}</span>
      ) : null}
    </span>
  );
}

/**
 * A compact row has no room for the badge: the date takes its colour or, where colours are forced,
 * a line.
 */
const COMPACT_DATE_TONES = {
  expired:
    "group-data-[density=compact]/table:text-danger-ink group-data-[density=compact]/table:forced-colors:line-through",
  expiring:
    "group-data-[density=compact]/table:text-warning-ink group-data-[density=compact]/table:forced-colors:underline",
  normal: undefined,
} as const;

/** Unix seconds; null draws a dash. */
function DateCell({ expiry }: { expiry: number | null }) {
  const now = useNow();
  if (expiry === null) return <span className="text-subtle-foreground">{NOTHING}</span>;

  return (
    <span className={TWO_LINES} title={formatTimeLeft(expiry, now)}>
      <span className={COMPACT_DATE_TONES[expiryState(expiry, now)]}>{formatDate(expiry)}</span>
      <span className="group-data-[density=compact]/table:sr-only">
        <ExpiryBadge expiry={expiry} />
      </span>
    </span>
  );
}
