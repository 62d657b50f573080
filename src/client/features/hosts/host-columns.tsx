import { chargeTypeLabel, type Host, type HostIp, HostSort } from "@shared/hosts.ts";
import { isClient, isSuperAdmin, type Role } from "@shared/roles.ts";
import { daysLeft, expiryState } from "@shared/time.ts";
import { Link } from "wouter";
import type { Column } from "@/components/data-table";
import { ConfigName } from "@/components/hosts/config-name";
import { END_TONES } from "@/components/hosts/end-tones";
import { ExpiryBadge } from "@/components/hosts/expiry-badge";
import { firstExpiringUser, hostSize, hostTitle, shownExpiry } from "@/components/hosts/host-facts";
import { IpText, ipKind, sortedIps } from "@/components/hosts/host-ips";
import { HostName } from "@/components/hosts/host-name";
import { HostStatusCell } from "@/components/hosts/host-status";
import { OpenRenewalBadge, renewedText } from "@/components/hosts/open-renewal";
import { TWO_LINES, UsersCell } from "@/components/hosts/users-cell";
import { RelativeTime } from "@/components/relative-time";
import { renewalPath } from "@/components/renewals/renewal-path";
import { cn } from "@/lib/cn";
import {
  formatDate,
  formatDay,
  formatDisk,
  formatMemory,
  formatTimeLeft,
  NOTHING,
} from "@/lib/format";
import { useNow } from "@/lib/use-now";

const sorts = HostSort.enum;

/** A part of the width, whatever the names: a long one is cut before a column leaves the box. */
const NAME = "w-[22%] min-w-44 max-w-0 group-data-[density=compact]/table:min-w-28";

/** The zone behind its region or, where the columns are short of room, below. */
const ZONE = "block min-w-29 break-keep group-data-[density=compact]/table:whitespace-nowrap";

type ColumnOptions = {
  role: Role;
  /** The rows of the page; undefined while they are loading. */
  hosts: readonly Host[] | undefined;
  hrefTo: (id: string) => string;
};

/**
 * Whose the host is and until when comes first, in sight on a small screen too. Which columns are
 * hidden at first, `host-table.tsx` says.
 */
export function hostColumns({ role, hosts = [], hrefTo }: ColumnOptions): Column<Host>[] {
  const repeated = repeatedTitles(hosts);
  const name: Column<Host> = {
    id: "name",
    header: "主机",
    sort: sorts.name,
    className: NAME,
    pinned: "left",
    enableHiding: false,
    cell: (host) => (
      <HostName
        host={host}
        href={hrefTo(host.id)}
        isIdAlwaysShown={repeated.has(hostTitle(host))}
      />
    ),
  };
  const expiry: Column<Host> = {
    id: "expiry",
    header: isClient(role) ? "我的到期时间" : "云端到期",
    sort: sorts.expireTime,
    cell: (host) => <DateCell expiry={shownExpiry(role, host)} />,
  };

  if (isClient(role)) return [name, expiry, ...ownColumns(hosts), SYNCED];

  const columns = [name, USERS, USER_EXPIRY, expiry, ...DESCRIPTION];
  return isSuperAdmin(role) ? [...columns, CONFIG, SYNCED] : [...columns, SYNCED];
}

/** A client sees neither a column of addresses nor one of requests in which nothing stands. */
function ownColumns(hosts: readonly Host[]): Column<Host>[] {
  const hasAddress = hosts.some(({ ipSet }) => ipSet.length > 0);
  const hasRequest = hosts.some(({ openRenewal }) => openRenewal !== null);
  const description = DESCRIPTION.filter(({ id }) => id !== "ip" || hasAddress);

  return hasRequest ? [OWN_REQUEST, ...description] : description;
}

/** The titles that several of the hosts have. */
function repeatedTitles(hosts: readonly Host[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const title of hosts.map(hostTitle)) {
    if (seen.has(title)) repeated.add(title);
    seen.add(title);
  }
  return repeated;
}

const OWN_REQUEST: Column<Host> = {
  id: "request",
  header: "续费申请",
  className: "whitespace-nowrap",
  cell: (host) => <OwnRequest host={host} />,
};

/** What the open request waits for, and until when the host is renewed then. */
function OwnRequest({ host }: { host: Host }) {
  const renewed = renewedText(host, useNow());
  if (host.openRenewal === null) return <span className="text-subtle-foreground">{NOTHING}</span>;

  return (
    <span className={TWO_LINES}>
      <Link href={renewalPath("client", host.openRenewal.id)} className="rounded-full">
        <OpenRenewalBadge renewal={host.openRenewal} />
      </Link>
      <span className="text-sm text-muted-foreground tabular-nums">{renewed}</span>
    </span>
  );
}

/** What the host is: for every role. */
const DESCRIPTION: readonly Column<Host>[] = [
  {
    id: "status",
    header: "状态",
    sort: sorts.status,
    cell: (host) => <HostStatusCell host={host} />,
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
  header: "云账号",
  className: "max-w-40 truncate",
  cell: ({ configId }) => <ConfigName id={configId} />,
};

const SYNCED: Column<Host> = {
  id: "synced",
  header: "最近同步",
  className: "whitespace-nowrap",
  cell: ({ syncedAt }) => <RelativeTime at={syncedAt} />,
};

/** Public addresses first, and how many others there are. */
function FirstIp({ ips }: { ips: readonly HostIp[] }) {
  const [first, ...others] = sortedIps(ips);
  if (first === undefined) return <span className="text-subtle-foreground">{NOTHING}</span>;

  const addresses = others.map((ip) => `${ipKind(ip)} ${ip.IP}`).join("、");

  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      <IpText ip={first} />
      {others.length > 0 ? (
        <span className="text-xs text-muted-foreground" title={addresses}>
          {`+${others.length} IP`}
        </span>
      ) : null}
    </span>
  );
}

/** Where colours are forced, a line takes their place. */
const FORCED_COLOR_LINES = {
  expired: "forced-colors:line-through",
  expiring: "forced-colors:underline",
  normal: undefined,
} as const;

/** Unix seconds; null draws a dash. A compact row has no room for the badge. */
function DateCell({ expiry }: { expiry: number | null }) {
  const now = useNow();
  if (expiry === null) return <span className="text-subtle-foreground">{NOTHING}</span>;

  const state = expiryState(expiry, now);

  return (
    <span className={TWO_LINES} title={formatTimeLeft(expiry, now)}>
      <span
        className={cn(
          "hidden tabular-nums group-data-[density=compact]/table:inline",
          END_TONES[state],
          FORCED_COLOR_LINES[state],
        )}
      >
        {compactDate(expiry, now)}
      </span>
      <span className="group-data-[density=compact]/table:hidden">{formatDate(expiry)}</span>
      <span className="group-data-[density=compact]/table:hidden">
        <ExpiryBadge expiry={expiry} />
      </span>
    </span>
  );
}

/** `2026-12-24`; of an end that is near or past `11-30 · 3 天`, `11-25 · 过期 2 天`. */
function compactDate(expiry: number, now: number): string {
  switch (expiryState(expiry, now)) {
    case "normal":
      return formatDate(expiry);
    case "expiring":
      return `${formatDay(expiry, now)} · ${daysLeft(expiry, now)} 天`;
    case "expired": {
      const past = Math.abs(daysLeft(expiry, now));
      return `${formatDay(expiry, now)} · ${past === 0 ? "已过期" : `过期 ${past} 天`}`;
    }
  }
}
