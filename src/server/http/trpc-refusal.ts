import { callTRPCProcedure } from "@trpc/server";
import type { AppRouter } from "../app-router.ts";
import type { AppError } from "../core/errors.ts";
import { toAppError } from "../core/failures.ts";
import type { RequestContext } from "../core/trpc.ts";
import type { ListedProcedure } from "../rest/procedures.ts";
import { MAX_BATCH_SIZE, type TrpcCalls } from "./trpc-calls.ts";

export interface RefusedCalls {
  readonly appRouter: AppRouter;
  readonly procedures: ReadonlyMap<string, ListedProcedure>;
  readonly ctx: RequestContext;
  readonly calls: TrpcCalls;
}

/**
 * What the caller is told of an input that nobody can read: session and role come first, as over REST. Each procedure is called
 * and comes as far as its input, so that it alone decides who may.
 */
export async function refusalOf(
  { appRouter, procedures, ctx, calls }: RefusedCalls,
  unread: AppError,
): Promise<AppError> {
  let told = unread;
  for (const path of calls.names.slice(0, MAX_BATCH_SIZE)) {
    const type = procedures.get(path)?.type ?? "query";
    const call = { router: appRouter, path, type, ctx, signal: undefined, batchIndex: 0 };
    const failure = await failureOf(callTRPCProcedure({ ...call, getRawInput: () => Promise.reject(unread) }));
    if (failure !== null && (told === unread || failure.code === "UNAUTHENTICATED")) told = failure;
    if (told.code === "UNAUTHENTICATED") break;
  }
  return told;
}

async function failureOf(call: Promise<unknown>): Promise<AppError | null> {
  try {
    await call;
    return null;
  } catch (error) {
    return toAppError(error);
  }
}
