import pLimit from "p-limit";
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
/** Twice as many as one key may call at once, so that the next call waits and not the key. */
const PARTITIONS_AT_ONCE = 10;
/** Half as many as the calls of a run that may be under way. */
const PARTITIONS_OF_REGION_AT_ONCE = 2;

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

/** How many of the named hosts the provider knows by id; a lookup that failed says nothing. */
export type Lookup = "none" | "some" | "failed";

/**
 * Reads partitions with one key, and remembers what came from which, and what failed.
 *
 * An account may have thousands of partitions, and others wait for calls of the same key. So only
 * some partitions are asked for at once, and of each region only two: while these wait for a region
 * that hangs, the others are read.
 *
 * Three kinds of failure are told apart. A refused key ends the crawl: `read` and `lookUp` throw
 * it. A failure of one partition is noted, and the others go on. When the provider does not answer
 * at all, ten attempts in a row, no partition is read any further (`observe`): each call would wait
 * for its timeouts and retries, for half an hour in a large account.
 */
export class Crawl {
  readonly #options: Required<CrawlOptions>;
  /**
   * Provider's ids of all hosts that came, unreadable ones included, and the partition that each
   * first came from.
   */
  readonly seen = new Map<string, string>();
  /** How many hosts were given to `onHosts`. */
  received = 0;
  /** By partitionKey, as are the failures. */
  readonly partitions = new Map<string, Partition & PartitionReading>();
  readonly failures = new Map<string, ProviderFailure>();
  readonly #turns = pLimit(PARTITIONS_AT_ONCE);
  #unanswered = 0;
  #unresponsive = new AbortController();

  constructor(options: CrawlOptions) {
    this.#options = { progress: NO_PROGRESS, ...options };
  }

  /** Is told of every attempt of the client, to notice a provider that does not answer. */
  observe(call: ObservedCall): void {
    this.#unanswered = isUnanswered(call) ? this.#unanswered + 1 : 0;
    if (this.#unanswered >= UNANSWERED_ATTEMPTS) {
      this.#unresponsive.abort(new ProviderFailure("timeout"));
    }
  }

  /** Gives a provider that did not answer another chance, for the lookups after the reading. */
  resume(): void {
    this.#unanswered = 0;
    this.#unresponsive = new AbortController();
  }

  /**
   * Reads partitions side by side, in turn from every region. A region counts as done when all its
   * partitions are. Throws when the key is refused.
   */
  async read(partitions: readonly Partition[]): Promise<void> {
    const regions = [...Map.groupBy(partitions, ({ region }) => region).values()];

    this.#options.progress.count({ regionsTotal: regions.length });
    await Promise.all(
      regions.map(async (partitionsOfRegion) => {
        const turnsOfRegion = pLimit(PARTITIONS_OF_REGION_AT_ONCE);
        await turnsOfRegion.map(partitionsOfRegion, (partition) =>
          this.#turns(() => this.#readPartition(partition)),
        );
        if (!this.#unresponsive.signal.aborted) this.#options.progress.count({ regionsDone: 1 });
      }),
    );
  }

  /** Asks for hosts of a partition by id. Throws when the key is refused. */
  async lookUp(partition: Partition, ucloudIds: readonly string[]): Promise<Lookup> {
    return await this.#turns(() => this.#lookUp(partition, ucloudIds));
  }

  async #lookUp(partition: Partition, ucloudIds: readonly string[]): Promise<Lookup> {
    const { client, progress } = this.#options;
    try {
      const page = await findHosts(client, { ...partition, ids: ucloudIds }, this.#signal());
      await this.#collect(partition, page);
      if (page.total === 0) return "none";

      progress.add(foundById(partition, page.total));
      return "some";
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      this.#recordFailure(partition, error);
      return "failed";
    }
  }

  async #readPartition(partition: Partition): Promise<void> {
    let counted = 0;
    const reading = await readPartition(async (offset) => {
      const page = await listHosts(
        this.#options.client,
        { ...partition, offset, limit: MAX_PAGE_SIZE },
        this.#signal(),
      );

      // Pages may announce different totals; the largest counts.
      const total = Math.min(Math.max(counted, page.total), MAX_PARTITION_HOSTS);
      this.#options.progress.count({ hostsTotal: total - counted });
      counted = total;

      await this.#collect(partition, page);
      return page;
    });
    this.partitions.set(partitionKey(partition), { ...partition, ...reading });
    this.#report(partition, reading);
  }

  #report(
    partition: Partition,
    { reading, total, ids, rejections, failures }: PartitionReading,
  ): void {
    const { progress } = this.#options;
    if (reading === "unavailable") return;

    for (const failure of failures) this.#recordFailure(partition, failure);
    if (rejections.length > 0) {
      progress.count({ rejected: rejections.length });
      progress.add(unreadableHosts(partition, rejections));
    } else if (reading === "incomplete" && failures.length === 0) {
      progress.add(incompleteList(partition, total, ids.size));
    }
  }

  /** Passes on the hosts that have not come before. */
  async #collect(partition: Partition, { hosts, rejected, requestedAt }: HostPage): Promise<void> {
    const key = partitionKey(partition);
    const fresh: SeenHost[] = [];
    for (const host of hosts) {
      const first = this.seen.get(host.ucloudId);
      if (first === undefined) {
        this.seen.set(host.ucloudId, key);
        fresh.push({ host, partition, requestedAt });
      } else if (first !== key) {
        // The default project is read by its id, too, where that is known: each counts the same
        // hosts.
        this.#options.progress.count({ hostsTotal: -1 });
      }
    }
    for (const { ucloudId } of rejected) {
      if (ucloudId !== null) this.seen.set(ucloudId, key);
    }

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
