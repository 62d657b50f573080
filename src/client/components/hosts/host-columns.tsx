import {
  autoRenewLabel,
  chargeTypeLabel,
  HOST_STATUS_LABELS,
  type Host,
  HostSort,
} from "@shared/hosts.ts";
import { shortZoneName } from "@shared/regions.ts";
import { isClient, isSuperAdmin, type Role } from "@shared/roles.ts";
import { Link } from "wouter";
import type { Column } from "@/components/data-table";
import { NOTE_LABEL } from "@/components/notes/note-label";
import { RelativeTime } from "@/components/relative-time";
import { renewalPath } from "@/components/renewals/renewal-path";
import { TagsCell } from "@/components/tags/tags-cell";
import { formatDate, formatDateTime, formatDisk, formatMemory, NOTHING } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { ConfigName } from "./config-name";
import { ExpiryDate } from "./expiry-date";
import {
  hostOfUser,
  hostSize,
  hostTitle,
  isBilledByTime,
  providerExpiry,
  shownUser,
} from "./host-facts";
import { FirstIp, sortedIps } from "./host-ips";
import { HostName } from "./host-name";
import { HostStatusCell } from "./host-status";
import { OpenRenewalBadge, openRenewalText, renewedText } from "./open-renewal";
import { ProviderEndDate } from "./provider-end-date";
import { TWO_LINES, UsersCell } from "./users-cell";

const sorts = HostSort.enum;

/**
 * A part of the width, whatever the names: a long one is cut before a column leaves the box. Where
 * room is short it is small, so that the dates need no second line.
 */
const NAME =
  "w-[22%] min-w-44 max-w-0 max-[85rem]:w-[13%] group-data-[density=compact]/table:min-w-28";

/** In a high row what there is to say of a date stands below it. */
const DATE = "group-data-[density=comfortable]/table:flex-col";

type ConfigNames = readonly { readonly id: string; readonly name: string }[];

/** What a cell is as text, under one head or two. */
interface CopiedCell {
  readonly header: string;
  readonly text: (host: Host, configs: ConfigNames) => string;
}

/** A column of hosts, which can be copied. */
export type HostColumn = Column<Host> & { readonly copied: readonly CopiedCell[] };

type ColumnOptions = {
  role: Role;
  /** The rows of the page; undefined while they are loading. */
  hosts: readonly Host[] | undefined;
  hrefTo: (id: string) => string;
  /** The one user whose hosts are listed: then no column names the user, and its ends are shown. */
  userId?: string | undefined;
};

/** A column with one line of text. */
function plainColumn(column: Omit<HostColumn, "copied">, text: CopiedCell["text"]): HostColumn {
  return { ...column, copied: [{ header: column.header, text }] };
}

/**
 * Whose the host is and until when comes first, in sight on a small screen too. Which columns are
 * hidden at first, `use-host-layout.ts` says.
 */
export function hostColumns({ role, hosts = [], hrefTo, userId }: ColumnOptions): HostColumn[] {
  const name = nameColumn(hosts, hrefTo);
  if (isClient(role)) return [name, OWN_EXPIRY, ...ownColumns(hosts), SYNCED];

  const ends = [userExpiry(userId), providerExpiryColumn(userId)];
  const shared = [...ends, ...DESCRIPTION, AUTO_RENEW, TAGS];
  const columns = userId === undefined ? [name, USERS, ...shared] : [name, ...shared];
  return isSuperAdmin(role) ? [...columns, NOTE, CONFIG, SYNCED] : [...columns, SYNCED];
}

function nameColumn(hosts: readonly Host[], hrefTo: (id: string) => string): HostColumn {
  const repeated = repeatedTitles(hosts);
  return {
    id: "name",
    header: "主机",
    sort: sorts.name,
    className: NAME,
    pinned: "left",
    isRowHead: true,
    enableHiding: false,
    cell: (host) => (
      <HostName
        host={host}
        href={hrefTo(host.id)}
        isIdAlwaysShown={repeated.has(hostTitle(host))}
      />
    ),
    copied: [
      { header: "主机", text: hostTitle },
      { header: "资源 ID", text: ({ ucloudId }) => ucloudId },
    ],
  };
}

/** A client sees neither a column of addresses nor one of requests in which nothing stands. */
function ownColumns(hosts: readonly Host[]): HostColumn[] {
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

const OWN_REQUEST = plainColumn(
  {
    id: "request",
    header: "续费申请",
    className: "whitespace-nowrap",
    cell: (host) => <OwnRequest host={host} />,
  },
  ({ openRenewal }) => (openRenewal === null ? "" : openRenewalText(openRenewal)),
);

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
const DESCRIPTION: readonly HostColumn[] = [
  plainColumn(
    {
      id: "status",
      header: "状态",
      sort: sorts.status,
      cell: (host) => <HostStatusCell host={host} />,
    },
    ({ status, goneAt }) => (goneAt === null ? HOST_STATUS_LABELS[status] : "已消失"),
  ),
  plainColumn(
    {
      id: "zoneName",
      header: "可用区",
      sort: sorts.zone,
      className: "whitespace-nowrap",
      cell: ({ zone, zoneName }) => (
        <abbr title={zoneName} className="no-underline">
          {shortZoneName(zone)}
        </abbr>
      ),
    },
    ({ zoneName }) => zoneName,
  ),
  plainColumn(
    { id: "size", header: "规格", align: "right", sort: sorts.cpu, cell: hostSize },
    hostSize,
  ),
  plainColumn(
    { id: "memory", header: "内存", align: "right", sort: sorts.memory, cell: memoryText },
    memoryText,
  ),
  plainColumn(
    { id: "disk", header: "磁盘", align: "right", sort: sorts.disk, cell: diskText },
    diskText,
  ),
  plainColumn(
    { id: "ip", header: "IP", cell: ({ ipSet }) => <FirstIp ips={ipSet} /> },
    ({ ipSet }) =>
      sortedIps(ipSet)
        .map(({ IP }) => IP)
        .join("、"),
  ),
  plainColumn(
    {
      id: "osName",
      header: "操作系统",
      className: "max-w-44 truncate",
      cell: ({ osName }) => <span title={osName}>{osName}</span>,
    },
    ({ osName }) => osName,
  ),
  plainColumn(
    { id: "charge", header: "计费", className: "whitespace-nowrap", cell: chargeText },
    chargeText,
  ),
];

function memoryText({ memory }: Host): string {
  return formatMemory(memory);
}

function diskText({ disk }: Host): string {
  return formatDisk(disk);
}

function chargeText({ chargeType }: Host): string {
  return chargeTypeLabel(chargeType);
}

const OWN_EXPIRY = plainColumn(
  {
    id: "expiry",
    header: "我的到期时间",
    sort: sorts.expireTime,
    cell: ({ expireTime }) => <ExpiryDate at={expireTime} className={DATE} />,
  },
  ({ expireTime }) => dateText(expireTime),
);

function providerExpiryColumn(userId: string | undefined): HostColumn {
  return plainColumn(
    {
      id: "expiry",
      header: "云端到期",
      sort: sorts.expireTime,
      cell: (host) => <ProviderEndDate host={hostOfUser(host, userId)} className={DATE} />,
    },
    (host) => dateText(providerExpiry(host)),
  );
}

function userExpiry(userId: string | undefined): HostColumn {
  return plainColumn(
    {
      id: "userExpiry",
      header: "用户到期",
      sort: sorts.assignedExpireTime,
      cell: (host) => <ExpiryDate at={shownUserEnd(host, userId)} className={DATE} />,
    },
    ({ users }) =>
      users
        .filter(({ id }) => userId === undefined || id === userId)
        .map(({ assignedExpireTime }) => formatDate(assignedExpireTime))
        .join("、"),
  );
}

function shownUserEnd(host: Host, userId: string | undefined): number | null {
  return shownUser(host, userId)?.assignedExpireTime ?? null;
}

const USERS = plainColumn(
  { id: "users", header: "分配用户", cell: (host) => <UsersCell host={host} /> },
  ({ users }) => users.map(({ name }) => name).join("、"),
);

const AUTO_RENEW = plainColumn(
  {
    id: "autoRenew",
    header: "自动续费",
    className: "whitespace-nowrap",
    cell: (host) => renewalText(host) || <span className="text-subtle-foreground">{NOTHING}</span>,
  },
  renewalText,
);

/** Empty for a host that is billed by time. */
function renewalText(host: Host): string {
  return isBilledByTime(host) ? "" : autoRenewLabel(host.autoRenew);
}

const TAGS = plainColumn(
  { id: "tags", header: "标签", cell: ({ tags }) => <TagsCell tags={tags} /> },
  ({ tags }) => tags.join("、"),
);

const NOTE = plainColumn(
  {
    id: "note",
    header: NOTE_LABEL,
    className: "max-w-44 truncate",
    cell: ({ note }) =>
      note === null ? (
        <span className="text-subtle-foreground">{NOTHING}</span>
      ) : (
        <span title={note}>{note}</span>
      ),
  },
  ({ note }) => note ?? "",
);

const CONFIG = plainColumn(
  {
    id: "config",
    header: "云账号",
    className: "max-w-40 truncate",
    cell: ({ configId }) => <ConfigName id={configId} />,
  },
  ({ configId }, configs) => configs.find(({ id }) => id === configId)?.name ?? "",
);

const SYNCED = plainColumn(
  {
    id: "synced",
    header: "最近同步",
    className: "whitespace-nowrap",
    cell: ({ syncedAt }) => <RelativeTime at={syncedAt} />,
  },
  ({ syncedAt }) => formatDateTime(syncedAt),
);

function dateText(seconds: number | null): string {
  return seconds === null ? "" : formatDate(seconds);
}
