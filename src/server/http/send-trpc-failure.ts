import { getTRPCErrorShape } from "@trpc/server";
import type { Response } from "express";
import type { AppRouter } from "../app-router.ts";
import { toAppError, toTrpcError } from "../core/failures.ts";
import type { RequestContext } from "../core/trpc.ts";
import { startFailure } from "../rest/send-failure.ts";
import { MAX_BATCH_SIZE, type TrpcCalls } from "./trpc-calls.ts";

/** Writes a failure that was met before tRPC as tRPC writes its own, so that its clients understand it: in a batch one for each call. */
export function sendTrpcFailure(
  response: Response,
  error: unknown,
  { appRouter, ctx, calls }: { readonly appRouter: AppRouter; readonly ctx: RequestContext; readonly calls: TrpcCalls },
): void {
  if (response.headersSent) return;
  const failure = toAppError(error);
  const shape = getTRPCErrorShape({
    config: appRouter._def._config,
    error: toTrpcError(failure),
    type: "unknown",
    path: undefined,
    input: undefined,
    ctx,
  });
  // Too large a batch is refused as one, as tRPC does: nobody makes the server write a failure for each of thousands.
  const isSplit = calls.isBatch && calls.names.length <= MAX_BATCH_SIZE;
  startFailure(response, failure).json(isSplit ? calls.names.map(() => ({ error: shape })) : { error: shape });
}
