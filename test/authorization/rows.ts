import type { TestServer } from "../harness/app.ts";
import { DAY } from "../harness/data.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";
import type { Live } from "./callers.ts";

/** A row with the texts that identify it in an answer. */
export interface Row {
  readonly id: string;
  readonly canaries: readonly string[];
}

export type PersonRow = "admin" | "otherAdmin" | "owner" | "sibling" | "stranger";
export type HostRow = "host" | "quietHost" | "sharedHost" | "siblingHost" | "foreignHost" | "spareHost";
export type RowName = PersonRow | HostRow | "request" | "foreignRequest" | "config" | "otherConfig" | "run" | "liveRun";
export type Rows = Readonly<Record<RowName, Row>>;

/** Owner of each host; `quietHost` has no pending request. */
const HOLDERS: Readonly<Record<HostRow, readonly PersonRow[]>> = {
  host: ["owner"],
  quietHost: ["owner"],
  sharedHost: ["owner", "stranger"],
  siblingHost: ["sibling"],
  foreignHost: ["stranger"],
  spareHost: [],
};
const HOST_NAMES: readonly HostRow[] = ["host", "quietHost", "sharedHost", "siblingHost", "foreignHost", "spareHost"];

/** The rows each caller may see. */
export const KNOWN: Readonly<Record<Exclude<Live, "operator">, readonly RowName[]>> = {
  admin: ["admin", "owner", "sibling", "host", "quietHost", "sharedHost", "siblingHost", "request"],
  otherAdmin: ["otherAdmin", "stranger", "sharedHost", "foreignHost", "foreignRequest"],
  owner: ["admin", "owner", "host", "quietHost", "sharedHost", "request"],
  sibling: ["admin", "sibling", "siblingHost"],
  stranger: ["otherAdmin", "stranger", "sharedHost", "foreignHost", "foreignRequest"],
};

interface Givers {
  readonly app: TestServer;
  readonly root: RestClient;
  readonly people: Readonly<Record<PersonRow, RestClient & { readonly id: string; readonly username: string }>>;
  readonly now: () => number;
}

/** Creates a synced configuration, one with a run of another replica, and the clients' rows. */
export async function makeRows({ app, root, people, now }: Givers): Promise<Rows> {
  const config = await addConfig(app, root, "主配置");
  const otherConfig = await addConfig(app, root, "备用配置");
  const { runs } = (await assertOk(root.post(`/api/hosts/sync?configId=${config.id}&wait=25`))).data;
  const found = await app.database.query("select id, ucloud_id from hosts order by ucloud_id");
  const host = (name: HostRow): Row => {
    const row = found[HOST_NAMES.indexOf(name)];
    if (row === undefined) throw new Error("the provider has too few hosts");
    return { id: String(row.id), canaries: [String(row.id), String(row.ucloud_id)] };
  };
  for (const name of HOST_NAMES) {
    for (const holder of HOLDERS[name]) {
      const pair = { hostId: host(name).id, userId: people[holder].id };
      const period = { assignedAt: now() - DAY, assignedExpireTime: now() + 29 * DAY };
      await assertOk(root.post("/api/hosts/assign", { ...pair, ...period }));
    }
  }
  const person = ({ id, username }: { id: string; username: string }): Row => ({ id, canaries: [id, username] });
  return {
    admin: person(people.admin),
    otherAdmin: person(people.otherAdmin),
    owner: person(people.owner),
    sibling: person(people.sibling),
    stranger: person(people.stranger),
    host: host("host"),
    quietHost: host("quietHost"),
    sharedHost: host("sharedHost"),
    siblingHost: host("siblingHost"),
    foreignHost: host("foreignHost"),
    spareHost: host("spareHost"),
    request: await addRequest(people.owner, host("host").id),
    foreignRequest: await addRequest(people.stranger, host("foreignHost").id),
    config,
    otherConfig,
    run: identified(runs[0].id),
    liveRun: await addLiveRun(app, otherConfig.id, now()),
  };
}

/** Admins see the configuration's id and only super admins its name. */
async function addConfig({ simulator }: TestServer, root: RestClient, name: string): Promise<Row> {
  const { publicKey, privateKey, url: apiUrl } = simulator;
  const config = { name, publicKey, privateKey, apiUrl, defaultRegion: "cn-bj2" };
  const { data } = await assertOk(root.post("/api/hosts/configs", config));
  return { id: data.id, canaries: [name] };
}

async function addRequest(client: RestClient, hostId: string): Promise<Row> {
  const { data } = await assertOk(client.post("/api/renewals", { hostId, requestedDuration: 30 }));
  return identified(data.id);
}

/** Inserts a run of another replica. */
async function addLiveRun({ database }: TestServer, configId: string, at: number): Promise<Row> {
  const [run] = await database.query(
    `insert into sync_runs (id, config_id, config_name, trigger, status, started_at)
     values (gen_random_uuid(), $1, '备用配置', 'manual', 'running', $2) returning id`,
    [configId, at],
  );
  return identified(String(run?.id));
}

function identified(id: string): Row {
  return { id, canaries: [id] };
}
