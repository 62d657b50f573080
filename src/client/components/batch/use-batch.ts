import { type BatchHosts, MAX_BATCH_HOSTS } from "@shared/batch.ts";
import type { Host } from "@shared/hosts.ts";
import { useRef, useState } from "react";
import { errorMessage, isSessionOver } from "@/api/errors";
import type { Result } from "./batch-results";

export type BatchState = {
  /** What is done to the hosts. */
  label: string;
  hosts: readonly Host[];
  /** In the order of the hosts; those that were not reached have none. */
  results: readonly Result[];
  isRunning: boolean;
};

/** Hosts that one kind of call acts on. */
export interface BatchGroup {
  readonly hosts: readonly Host[];
  /** Whose hosts they are; named in the results where a batch has several groups. */
  readonly userName?: string | undefined;
  readonly send: (hostIds: string[]) => Promise<BatchHosts>;
  /** The most hosts of one call. */
  readonly size?: number | undefined;
}

/** One call, and where in its batch it stands. */
interface Chunk extends BatchGroup {
  readonly group: number;
}

/**
 * Runs an operation over many hosts, chunk by chunk, with a result per host. A call takes a limited
 * number of hosts, and the chunks make progress visible and a stop possible: what was done stays
 * done, a chunk that fails does not keep the next ones from their turn. Each group of hosts has its
 * own kind of call, for example one for each client who hands hosts over.
 */
export function useBatch() {
  const [state, setState] = useState<BatchState | null>(null);
  const stopped = useRef(false);

  /**
   * Resolves with the ids of the hosts that it failed for and those that it did not reach. A host
   * may be in several groups, for example once for each of its users.
   */
  async function run(label: string, groups: readonly BatchGroup[]): Promise<string[]> {
    stopped.current = false;
    const hosts = groups.flatMap((group) => group.hosts);
    let results: readonly Result[] = [];
    setState({ label, hosts, results, isRunning: true });

    for (const chunk of chunksOf(groups)) {
      if (stopped.current) break;

      results = [...results, ...(await runChunk(chunk))];
      setState({ label, hosts, results, isRunning: true });
    }
    setState({ label, hosts, results, isRunning: false });

    const unfinished = hosts.filter((_, index) => results[index]?.ok !== true);
    return [...new Set(unfinished.map(({ id }) => id))];
  }

  /** A failed call is a failure of each of its hosts; the rest goes on. */
  async function runChunk({ hosts, userName, send, group }: Chunk): Promise<Result[]> {
    try {
      const { results } = await send(hosts.map(({ id }) => id));
      return hosts.map((host) => ({
        ...results.find(({ hostId }) => hostId === host.id),
        id: `${group} ${host.id}`,
        host,
        userName,
      }));
    } catch (error) {
      // The next chunk would be sent with the token of the next user.
      if (isSessionOver(error)) stopped.current = true;
      const message = errorMessage(error);
      return hosts.map((host) => ({
        id: `${group} ${host.id}`,
        host,
        userName,
        ok: false,
        message,
      }));
    }
  }

  /** Finishes the running chunk and starts no other. */
  function stop(): void {
    stopped.current = true;
  }

  return { state, run, stop };
}

function chunksOf(groups: readonly BatchGroup[]): Chunk[] {
  return groups.flatMap((group, position) => {
    const { hosts, size = MAX_BATCH_HOSTS } = group;
    const count = Math.ceil(hosts.length / size);
    return Array.from({ length: count }, (_, index) => ({
      ...group,
      hosts: hosts.slice(index * size, (index + 1) * size),
      userName: groups.length > 1 ? group.userName : undefined,
      group: position,
    }));
  });
}
