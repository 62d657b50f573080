import { v7 } from "uuid";
import type { TestApp } from "./app.ts";
import type { Queryable } from "./database.ts";

export const DAY = 86_400;
export const MISSING = "0198a000-0000-7000-8000-000000000000";

export function now(): number {
  return Math.floor(Date.now() / 1000);
}

const HOST = {
  config_id: null,
  project_id: "org-1",
  region: "cn-bj2",
  zone: "cn-bj2-05",
  name: "网站-1",
  cpu: 4,
  memory: 8192,
  disk: 120,
  os_name: "CentOS 7.9 64位",
  os_type: "Linux",
  status: "Running",
  provider_status: "Running",
  charge_type: "Month",
  create_time: 1_700_000_000,
  expire_time: 1_900_000_000,
  ip_set: [
    { Type: "Private", IP: "10.9.0.7" },
    { Type: "Bgp", IP: "106.75.3.9" },
  ],
  changed_at: 1_780_000_000,
  gone_at: null,
} as const;

type HostColumns = Partial<Record<keyof typeof HOST | "ucloud_id", unknown>>;

/** Anything with a database, such as a `TestApp`. */
interface WithDatabase {
  readonly database: Queryable;
}

/** Inserts a host like one written by a sync and returns its id. */
export async function insertHost(app: WithDatabase, more: HostColumns = {}): Promise<string> {
  const [id = ""] = await insertHosts(app, [more]);
  return id;
}

/** Inserts hosts like those written by a sync and returns their ids. */
export async function insertHosts({ database }: WithDatabase, hosts: readonly HostColumns[]): Promise<string[]> {
  const rows = hosts.map((more) => {
    const id = v7();
    return { id, ucloud_id: `uhost-${id.slice(-12)}`, ...HOST, ...more };
  });
  const columns = ["id", "ucloud_id", ...Object.keys(HOST)].join(", ");
  await database.query(
    `insert into hosts (${columns}) select ${columns} from jsonb_populate_recordset(null::hosts, $1::jsonb)`,
    [JSON.stringify(rows)],
  );
  return rows.map(({ id }) => id);
}

interface Period {
  readonly from?: number;
  readonly to?: number;
}

/** Assigns the host, by default from a day ago for thirty days; times in seconds from now. */
export async function assign(
  { root }: Pick<TestApp, "root">,
  hostId: string,
  userId: string,
  { from = -DAY, to = 29 * DAY }: Period = {},
): Promise<{ assignedAt: number; assignedExpireTime: number }> {
  const period = { assignedAt: now() + from, assignedExpireTime: now() + to };
  const answer = await root.post("/api/hosts/assign", { hostId, userId, ...period });
  if (answer.status !== 200) throw new Error(`assigning answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return period;
}

export function idsOf(answer: { readonly data: { readonly hosts: readonly { readonly id: string }[] } }): string[] {
  return answer.data.hosts.map(({ id }) => id);
}
