import { type BatchHostResult, type BatchHostsInput, MAX_BATCH_HOSTS } from "@shared/batch.ts";
import type { Host } from "@shared/hosts.ts";
import { useRef, useState } from "react";
import { failureText } from "@/failure";
import { trpc } from "@/trpc";
import type { BatchOperation } from "./batch-operation";

/** A sync asks the provider for every host: small portions keep each call well inside its time-out and the bar moving. */
const SYNC_PORTION = 20;

type DistributiveOmit<Union, Keys extends PropertyKey> = Union extends unknown ? Omit<Union, Keys> : never;
/** The call without its hosts, which go in portions. */
export type BatchOrder = DistributiveOmit<BatchHostsInput, "hostIds">;

export type BatchLine = { host: Host; ok: boolean; message: string | undefined };
export type BatchState = {
  operation: BatchOperation;
  total: number;
  lines: readonly BatchLine[];
  isRunning: boolean;
};

/** Runs one operation over many hosts, portion by portion, and gathers what came of each host. */
export function useBatch() {
  const batch = trpc.hosts.batch.useMutation({ meta: { errorTitle: "批量操作失败" } });
  const [state, setState] = useState<BatchState | null>(null);
  const stopped = useRef(false);

  async function run(order: BatchOrder, hosts: readonly Host[]): Promise<void> {
    stopped.current = false;
    const begun = { operation: order.operation, total: hosts.length };
    let lines: readonly BatchLine[] = [];
    setState({ ...begun, lines, isRunning: true });
    const size = order.operation === "sync" ? SYNC_PORTION : MAX_BATCH_HOSTS;
    for (let from = 0; from < hosts.length && !stopped.current; from += size) {
      const portion = hosts.slice(from, from + size);
      lines = [...lines, ...(await runPortion(order, portion))];
      setState({ ...begun, lines, isRunning: true });
    }
    setState({ ...begun, lines, isRunning: false });
  }

  /** A portion whose call failed as a whole is a failure of each of its hosts; the rest goes on. */
  async function runPortion(order: BatchOrder, portion: readonly Host[]): Promise<BatchLine[]> {
    try {
      const { results } = await batch.mutateAsync({ ...order, hostIds: portion.map(({ id }) => id) });
      return portion.map((host) => lineOf(host, results));
    } catch (error) {
      return portion.map((host) => ({ host, ok: false, message: failureText(error) }));
    }
  }

  return {
    state,
    run,
    /** Finishes the portion that is on its way and begins no other. */
    stop: () => {
      stopped.current = true;
    },
    reset: () => setState(null),
  };
}

function lineOf(host: Host, results: readonly BatchHostResult[]): BatchLine {
  const result = results.find(({ hostId }) => hostId === host.id);
  return {
    host,
    ok: result?.ok ?? false,
    message: result?.message ?? (result === undefined ? "没有返回结果" : undefined),
  };
}
