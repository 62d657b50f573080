import { type BatchHostsInput, MAX_BATCH_HOSTS } from "@shared/batch.ts";
import type { Host } from "@shared/hosts.ts";
import { useRef, useState } from "react";
import { errorMessage, isSessionOver } from "@/api/errors";
import { trpc } from "@/api/trpc";
import type { Result } from "./batch-results";

export type BatchOperation = BatchHostsInput["operation"];

export const BATCH_LABELS: Readonly<Record<BatchOperation, string>> = {
  sync: "同步",
  assign: "分配",
  unassign: "取消分配",
};

/** A sync calls the provider for every host; small portions stay within the time-out of a call. */
const SYNC_PORTION = 20;

type DistributiveOmit<Union, Keys extends PropertyKey> = Union extends unknown ? Omit<Union, Keys> : never;
/** The call's input without its hosts. */
export type BatchOrder = DistributiveOmit<BatchHostsInput, "hostIds">;

export type BatchState = {
  operation: BatchOperation;
  total: number;
  lines: readonly Result[];
  isRunning: boolean;
};

/** Runs one operation over many hosts, portion by portion, with a result per host. */
export function useBatch() {
  const batch = trpc.hosts.batch.useMutation({ meta: { errorTitle: "批量操作失败" } });
  const [state, setState] = useState<BatchState | null>(null);
  const stopped = useRef(false);

  /** Resolves with the results of the hosts that it reached. */
  async function run(order: BatchOrder, hosts: readonly Host[]): Promise<readonly Result[]> {
    stopped.current = false;
    const begun = { operation: order.operation, total: hosts.length };
    let lines: readonly Result[] = [];
    setState({ ...begun, lines, isRunning: true });
    const size = order.operation === "sync" ? SYNC_PORTION : MAX_BATCH_HOSTS;
    for (let from = 0; from < hosts.length && !stopped.current; from += size) {
      lines = [...lines, ...(await runPortion(order, hosts.slice(from, from + size)))];
      setState({ ...begun, lines, isRunning: true });
    }
    setState({ ...begun, lines, isRunning: false });
    return lines;
  }

  /** A failed call is a failure of each of its hosts; the rest goes on. */
  async function runPortion(order: BatchOrder, portion: readonly Host[]): Promise<Result[]> {
    try {
      const { results } = await batch.mutateAsync({ ...order, hostIds: portion.map(({ id }) => id) });
      return portion.map((host) => ({ ...results.find(({ hostId }) => hostId === host.id), id: host.id, host }));
    } catch (error) {
      // The next portion would be sent with the token of the next user.
      if (isSessionOver(error)) stopped.current = true;
      return portion.map((host) => ({ id: host.id, host, ok: false, message: errorMessage(error) }));
    }
  }

  /** Finishes the running portion and starts no other. */
  function stop(): void {
    stopped.current = true;
  }

  return { state, run, stop };
}
