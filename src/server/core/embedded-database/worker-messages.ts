import type { ListenOn } from "./socket-address.ts";

/** What the worker is started with. */
export interface WorkerTask {
  readonly directory: string;
  readonly listenOn: ListenOn;
}

export type ToWorker = { readonly kind: "close" } | { readonly kind: "measure" };

export type FromWorker =
  /** `port` is null on a unix socket. */
  | { readonly kind: "listening"; readonly port: number | null }
  | { readonly kind: "measured"; readonly wasm: number; readonly connections: number; readonly waiting: number }
  | { readonly kind: "log"; readonly level: "debug" | "error"; readonly text: string }
  | { readonly kind: "crashed"; readonly error: Error };
