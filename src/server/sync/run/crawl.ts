import type { ObservedCall, ProviderClient } from "../../provider/client.ts";
import { isUnanswered, ProviderFailure } from "../../provider/failure.ts";
import { findHosts, type HostPage, listHosts, MAX_PAGE_SIZE } from "../../provider/uhost-api.ts";
import type { LookUp, Reading } from "../absence/policy.ts";
import type { BatchWriter } from "./batch-writer.ts";
import type { SeenHost } from "./host-sink.ts";
import { type Partition, partitionKey } from "./partitions.ts";
import { MAX_PARTITION_HOSTS, readPartition } from "./read-partition.ts";
import { foundById, incompleteList, providerError, unreadableHosts } from "./run-errors.ts";
import type { RunReport } from "./run-writer.ts";

/** Attempts in a row without any answer that end the reading. */
const UNANSWERED_ATTEMPTS = 10;

interface CrawlOptions {
  readonly client: ProviderClient;
  readonly hosts: BatchWriter<SeenHost>;
  readonly report: RunReport;
  readonly signal: AbortSignal;
}

/** The reads of one run: what came from which partition. */
export class Crawl {
  readonly #options: CrawlOptions;
  /** Provider's ids of all hosts that came, unreadable ones included. */
  readonly seen = new Set<string>();
  /** By `partitionKey`. */
  readonly readings = new Map<string, Reading>();
  readonly completed: Partition[] = [];
  /** Of projects that the provider does not know. */
  readonly projectMissing: Partition[] = [];
  /** Hosts handed to the batch writer. */
  received = 0;
  readonly #regions = new Set<string>();
  #unanswered = 0;
  #unresponsive = new AbortController();

  constructor(options: CrawlOptions) {
    this.#options = options;
  }

  /** Counts attempts of the client without an answer. */
  observe(call: ObservedCall): void {
    this.#unanswered = isUnanswered(call) ? this.#unanswered + 1 : 0;
    if (this.#unanswered >= UNANSWERED_ATTEMPTS) this.#unresponsive.abort(new ProviderFailure("timeout"));
  }

  /** Whether too many attempts in a row got no answer since `resume`. */
  get isUnresponsive(): boolean {
    return this.#unresponsive.signal.aborted;
  }

  /** Counts unanswered attempts anew. */
  resume(): void {
    this.#unanswered = 0;
    this.#unresponsive = new AbortController();
  }

  /** Reads partitions side by side; the client's gate bounds the calls. Throws when the key is refused. */
  async read(partitions: readonly Partition[]): Promise<void> {
    const { report } = this.#options;
    const left = new Map(
      [...Map.groupBy(partitions, ({ region }) => region)].map(([region, all]) => [region, all.length]),
    );
    const regions = [...left.keys()].filter((region) => !this.#regions.has(region));
    for (const region of regions) this.#regions.add(region);
    report.count({ regionsTotal: regions.length });
    await Promise.all(
      partitions.map(async (partition) => {
        await this.#readPartition(partition);
        const others = (left.get(partition.region) ?? 1) - 1;
        left.set(partition.region, others);
        if (others === 0 && regions.includes(partition.region) && !this.isUnresponsive)
          report.count({ regionsDone: 1 });
      }),
    );
  }

  /** Asks for missing hosts of a partition by id. */
  async lookUp(partition: Partition, ucloudIds: readonly string[]): Promise<LookUp> {
    const { client, report } = this.#options;
    try {
      const page = await findHosts(client, { ...partition, ids: ucloudIds }, this.#signal());
      await this.#take(partition, page);
      const found = page.hosts.length + page.rejected.length;
      if (found === 0) return "absent";
      report.add(foundById(partition, found));
      return "found";
    } catch (error) {
      this.#explain(partition, error);
      return "inconclusive";
    }
  }

  async #readPartition(partition: Partition): Promise<void> {
    const { client, report } = this.#options;
    let announced = 0;
    const { reading, ...read } = await readPartition({
      fetchPage: (offset) => listHosts(client, { ...partition, offset, limit: MAX_PAGE_SIZE }, this.#signal()),
      onPage: async (page) => {
        const total = Math.min(Math.max(announced, page.total), MAX_PARTITION_HOSTS);
        report.count({ hostsTotal: total - announced });
        announced = total;
        await this.#take(partition, page);
      },
    });
    this.readings.set(partitionKey(partition), reading);
    if (reading === "complete") this.completed.push(partition);
    if (reading === "unavailable") {
      if (read.failures[0]?.kind === "project-missing") this.projectMissing.push(partition);
      return;
    }
    for (const failure of read.failures) this.#explain(partition, failure);
    const { rejections, received } = read;
    if (rejections.length > 0) report.reject(rejections.length, unreadableHosts(partition, rejections));
    else if (reading === "incomplete" && read.failures.length === 0) {
      report.add(incompleteList(partition, read.announced, received));
    }
  }

  async #take(partition: Partition, { hosts, rejected, askedAt }: HostPage): Promise<void> {
    const byId = new Map(hosts.map((host) => [host.ucloudId, host]));
    const first = [...byId.values()].filter(({ ucloudId }) => !this.seen.has(ucloudId));
    for (const { ucloudId } of [...hosts, ...rejected]) if (ucloudId !== null) this.seen.add(ucloudId);
    this.received += first.length;
    await this.#options.hosts.add(first.map((host) => ({ host, partition, askedAt })));
  }

  #explain(partition: Partition, error: unknown): void {
    if (!(error instanceof ProviderFailure) || isKeyRefused(error)) throw error;
    // Reported once, for the whole run.
    if (error !== this.#unresponsive.signal.reason) this.#options.report.add(providerError(error, partition));
  }

  #signal(): AbortSignal {
    return AbortSignal.any([this.#options.signal, this.#unresponsive.signal]);
  }
}

/** The key is refused everywhere, whichever partition was asked for. */
function isKeyRefused({ kind }: ProviderFailure): boolean {
  return kind === "unauthorized" || kind === "ip-refused";
}
