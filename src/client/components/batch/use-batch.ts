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

type Send = (hostIds: string[]) => Promise<BatchHosts>;

/** Runs one operation over many hosts, chunk by chunk, with a result per host. */
export function useBatch() {
  const [state, setState] = useState<BatchState | null>(null);
  const stopped = useRef(false);

  /** Resolves with the ids of the hosts that it failed for and those that it did not reach. */
  async function run(
    label: string,
    hosts: readonly Host[],
    send: Send,
    size = MAX_BATCH_HOSTS,
  ): Promise<string[]> {
    stopped.current = false;
    let results: readonly Result[] = [];
    setState({ label, hosts, results, isRunning: true });

    for (let from = 0; from < hosts.length && !stopped.current; from += size) {
      const ofChunk = await runChunk(send, hosts.slice(from, from + size));
      results = [...results, ...ofChunk];
      setState({ label, hosts, results, isRunning: true });
    }
    setState({ label, hosts, results, isRunning: false });

    const done = new Set(results.filter(({ ok }) => ok).map(({ id }) => id));
    return hosts.map(({ id }) => id).filter((id) => !done.has(id));
  }

  /** A failed call is a failure of each of its hosts; the rest goes on. */
  async function runChunk(send: Send, chunk: readonly Host[]): Promise<Result[]> {
    try {
      const { results } = await send(chunk.map(({ id }) => id));
      return chunk.map((host) => ({
        ...results.find(({ hostId }) => hostId === host.id),
        id: host.id,
        host,
      }));
    } catch (error) {
      // The next chunk would be sent with the token of the next user.
      if (isSessionOver(error)) stopped.current = true;
      return chunk.map((host) => ({ id: host.id, host, ok: false, message: errorMessage(error) }));
    }
  }

  /** Finishes the running chunk and starts no other. */
  function stop(): void {
    stopped.current = true;
  }

  return { state, run, stop };
}
