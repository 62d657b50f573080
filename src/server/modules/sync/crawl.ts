import type { SyncRunError } from "../../../shared/sync.ts";
import type { ObservedCall, ProviderClient } from "../../provider/client.ts";
import { isUnanswered, ProviderFailure } from "../../provider/failure.ts";
import {
  findHosts,
  type HostPage,
  listHosts,
  MAX_PAGE_SIZE,
  type Partition,
  partitionKey,
} from "../../provider/uhost-api.ts";
import type { SeenHost } from "./host-store.ts";
import { MAX_PARTITION_HOSTS, type PartitionReading, readPartition } from "./read-partition.ts";
import type { RunCounters } from "./run-counters.ts";
import {
  foundById,
  incompleteList,
  PROVIDER_SILENT,
  providerError,
  unreadableHosts,
} from "./run-errors.ts";

/** Attempts in a row without any answer that end the crawl. */
const UNANSWERED_ATTEMPTS = 10;

export interface CrawlProgress {
  add(error: SyncRunError): void;
  count(difference: Partial<RunCounters>): void;
}

const NO_PROGRESS: CrawlProgress = { add: () => undefined, count: () => undefined };

interface CrawlOptions {
  readonly client: ProviderClient;
  readonly signal: AbortSignal;
  /** Gets each host once. */
  readonly onHosts: (hosts: readonly SeenHost[]) => Promise<void>;
  readonly progress?: CrawlProgress;
}

/** Reads partitions with one key: what came from which, and what failed. */
export class Crawl {
  readonly #options: Required<CrawlOptions>;
  /** Provider's ids of all hosts that came, unreadable ones included, and the partition that they first came from. */
  readonly seen = new Map<string, string>();
  received = 0;
  /** By partitionKey, as are the failures. */
  readonly partitions = new Map<string, Partition & PartitionReading>();
  readonly failures = new Map<string, ProviderFailure>();
  #unanswered = 0;
  #unresponsive = new AbortController();

  constructor(options: CrawlOptions) {
    this.#options = { progress: NO_PROGRESS, ...options };
  }

  observe(call: ObservedCall): void {
    this.#unanswered = isUnanswered(call) ? this.#unanswered + 1 : 0;
    if (this.#unanswered >= UNANSWERED_ATTEMPTS)
      this.#unresponsive.abort(new ProviderFailure("timeout"));
  }

  resume(): void {
    this.#unanswered = 0;
    this.#unresponsive = new AbortController();
  }

  /** Reads partitions side by side; the client's gate bounds the calls. Throws when the key is refused. */
  async read(partitions: readonly Partition[]): Promise<void> {
    const reads = partitions.map((partition) => ({
      region: partition.region,
      done: this.#readPartition(partition),
    }));
    const regions = [...Map.groupBy(reads, ({ region }) => region).values()];
    this.#options.progress.count({ regionsTotal: regions.length });
    await Promise.all(
      regions.map(async (region) => {
        await Promise.all(region.map(({ done }) => done));
        if (!this.#unresponsive.signal.aborted) this.#options.progress.count({ regionsDone: 1 });
      }),
    );
  }

  /** Whether the provider answers that none of these exists. Throws when the key is refused. */
  async isAbsent(partition: Partition, ucloudIds: readonly string[]): Promise<boolean> {
    const { client, progress } = this.#options;
    try {
      const page = await findHosts(client, { ...partition, ids: ucloudIds }, this.#signal());
      await this.#collect(partition, page);
      if (page.total > 0) progress.add(foundById(partition, page.total));
      return page.total === 0;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      this.#recordFailure(partition, error);
      return false;
    }
  }

  async #readPartition(partition: Partition): Promise<void> {
    const { client, progress } = this.#options;
    let counted = 0;
    const read = await readPartition(async (offset) => {
      const page = await listHosts(
        client,
        { ...partition, offset, limit: MAX_PAGE_SIZE },
        this.#signal(),
      );
      const hostsTotal = Math.min(Math.max(counted, page.total), MAX_PARTITION_HOSTS);
      progress.count({ hostsTotal: hostsTotal - counted });
      counted = hostsTotal;
      await this.#collect(partition, page);
      return page;
    });
    this.partitions.set(partitionKey(partition), { ...partition, ...read });
    const { reading, total, ids, rejections, failures } = read;
    if (reading === "unavailable") return;
    for (const failure of failures) this.#recordFailure(partition, failure);
    if (rejections.length > 0) {
      progress.count({ rejected: rejections.length });
      progress.add(unreadableHosts(partition, rejections));
    } else if (reading === "incomplete" && failures.length === 0) {
      progress.add(incompleteList(partition, total, ids.size));
    }
  }

  async #collect(partition: Partition, { hosts, rejected, requestedAt }: HostPage): Promise<void> {
    const fresh: SeenHost[] = [];
    const key = partitionKey(partition);
    for (const host of hosts) {
      const first = this.seen.get(host.ucloudId);
      // The default project is read by its id, too, where that is known: each counts the same hosts.
      if (first !== undefined && first !== key) this.#options.progress.count({ hostsTotal: -1 });
      if (first !== undefined) continue;
      this.seen.set(host.ucloudId, key);
      fresh.push({ host, partition, requestedAt });
    }
    for (const { ucloudId } of rejected) if (ucloudId !== null) this.seen.set(ucloudId, key);
    this.received += fresh.length;
    await this.#options.onHosts(fresh);
  }

  /** A refused key ends the crawl. */
  #recordFailure(partition: Partition, failure: ProviderFailure): void {
    if (failure.kind === "unauthorized" || failure.kind === "ip-refused") throw failure;
    this.failures.set(partitionKey(partition), failure);
    const isSilent = failure === this.#unresponsive.signal.reason;
    this.#options.progress.add(isSilent ? PROVIDER_SILENT : providerError(failure, partition));
  }

  #signal(): AbortSignal {
    return AbortSignal.any([this.#options.signal, this.#unresponsive.signal]);
  }
}
