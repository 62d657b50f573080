import type { Config } from "../../../src/shared/configs.ts";
import type { HostHistoryEntry } from "../../../src/shared/host-history.ts";
import type { Host } from "../../../src/shared/hosts.ts";
import { buildConfig, readPages } from "../../harness/data.ts";
import { assertOk, type RestClient } from "../../harness/rest.ts";
import type { ExpectedHost } from "./expected-host.ts";
import type { JournalEntry } from "./world-journal.ts";

const PRESENT = "/api/hosts?sort=name";
const GONE = "/api/hosts?gone=true";
const HELD = "/api/hosts/held-removals";

/** A super admin, with the console's API. */
export class ConsoleUser {
  readonly #root: RestClient;

  constructor(root: RestClient) {
    this.#root = root;
  }

  async addConfig(fields: object): Promise<Config> {
    return (await assertOk(this.#root.post("/api/hosts/configs", buildConfig(fields)))).data;
  }

  /** The first one alone, the others at once. Refused where they are held. */
  async refresh(ucloudIds: readonly string[]): Promise<void> {
    const found: string[] = [];
    for (const search of ucloudIds) {
      const { data } = await assertOk(this.#root.get(`/api/hosts?search=${search}`));
      found.push(...data.hosts.map(({ id }: Host) => id));
    }

    const [first, ...hostIds] = found;
    if (first !== undefined) await this.#root.post(`/api/hosts/${first}/sync`);
    if (hostIds.length === 0) return;
    await assertOk(this.#root.post("/api/hosts/batch", { operation: "sync", hostIds }));
  }

  async confirmRemovals(configId: string): Promise<void> {
    await assertOk(this.#root.post(`${HELD}/confirm`, { all: true, configId }));
  }

  async presentHosts(): Promise<Map<string, ExpectedHost>> {
    const hosts = await this.#listHosts(PRESENT);
    return new Map(hosts.map((host) => [host.ucloudId, shownFields(host)]));
  }

  async goneHosts(): Promise<string[]> {
    return (await this.#listHosts(GONE)).map(({ ucloudId }) => ucloudId).toSorted();
  }

  async heldHosts(): Promise<string[]> {
    const { data } = await assertOk(this.#root.get(`${HELD}?limit=100`));
    return data.hosts.map(({ host }: { host: Host }) => host.ucloudId).toSorted();
  }

  /** Of each host that was ever seen, the oldest entry first. */
  async histories(): Promise<Map<string, JournalEntry[]>> {
    const hosts = [...(await this.#listHosts(PRESENT)), ...(await this.#listHosts(GONE))];
    const histories = new Map<string, JournalEntry[]>();
    for (const { id, ucloudId } of hosts) {
      const pages = await readPages(this.#root, `/api/hosts/${id}/history?`, 100);
      const entries: HostHistoryEntry[] = pages.flatMap(({ data }) => data.entries);
      histories.set(ucloudId, entries.map(toldFields).toReversed());
    }
    return histories;
  }

  async #listHosts(path: string): Promise<Host[]> {
    const pages = await readPages(this.#root, path, 100);
    return pages.flatMap(({ data }) => data.hosts);
  }
}

function shownFields(host: Host): ExpectedHost {
  return {
    ucloudId: host.ucloudId,
    name: host.name,
    zone: host.zone,
    cpu: host.cpu,
    memory: host.memory,
    disk: host.disk,
    osName: host.osName,
    osType: host.osType,
    status: host.status,
    providerStatus: host.providerStatus ?? "",
    chargeType: host.chargeType,
    createTime: host.createTime,
    expireTime: host.expireTime,
    ipSet: host.ipSet,
  };
}

function toldFields({ at, kind, changes }: HostHistoryEntry): JournalEntry {
  const told = changes.map(({ field, from, to }) => [field, { from, to }] as const);
  return { at, kind, changes: Object.fromEntries(told) };
}
