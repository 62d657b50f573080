import type { ListenOn } from "./socket-address.ts";

/** What the worker is started with. */
export interface WorkerTask {
  readonly directory: string;
  readonly listenOn: ListenOn;
  /** Where compiled code is kept for the next process; null where it is not. */
  readonly compiledCodeDir: string | null;
}

export type ToWorker = { readonly kind: "close" } | { readonly kind: "measure" };

export type FromWorker =
  /** `port` is null on a unix socket; `compiledCode` is what an earlier process left, in bytes. */
  | { readonly kind: "listening"; readonly port: number | null; readonly compiledCode: number }
  | { readonly kind: "measured"; readonly wasm: number; readonly connections: number; readonly waiting: number }
  | { readonly kind: "log"; readonly level: "debug" | "error"; readonly text: string }
  | { readonly kind: "crashed"; readonly error: Error };
