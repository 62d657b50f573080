import type { Request } from "express";

export const MAX_BATCH_SIZE = 20;

/** What a request to the tRPC endpoint asks for, read as tRPC itself reads it. */
export interface TrpcCalls {
  readonly isBatch: boolean;
  /** Names of the procedures, in the order of the request; nothing says that there are such. */
  readonly names: readonly string[];
  /** The JSON of a query's input, as it stands in the address. */
  readonly input: string | null;
}

export function trpcCalls(request: Request): TrpcCalls {
  const search = new URLSearchParams(request.url.split("?", 2)[1]);
  const isBatch = search.get("batch") === "1";
  const name = decoded(request.path.slice(request.path.lastIndexOf("/") + 1));
  return { isBatch, names: isBatch ? name.split(",") : [name], input: search.get("input") };
}

/** Broken percent-encoding names nothing. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
