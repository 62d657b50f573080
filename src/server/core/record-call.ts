import type { TRPCError } from "@trpc/server";
import { z } from "zod";
import { toAppError } from "./failures.ts";
import type { App } from "./trpc.ts";

/** Ids that a log line may repeat from an input: which row was meant, never what was written into it. */
const RowIds = z.object({
  id: z.guid().optional(),
  hostId: z.guid().optional(),
  userId: z.guid().optional(),
  configId: z.guid().optional(),
});

interface RecordedCall {
  readonly app: App;
  readonly path: string;
  readonly type: "query" | "mutation" | "subscription";
  readonly requestId: string;
  readonly ip: string;
  /** Id of the user, null where there is no live session. */
  readonly caller: string | null;
  /** `performance.now()` at the start. */
  readonly started: number;
  readonly getRawInput: () => Promise<unknown>;
  readonly result: { readonly ok: true } | { readonly ok: false; readonly error: TRPCError };
}

/** One measurement per call; one log line per change, refusal and bug. */
export async function recordCall({
  app,
  path,
  type,
  requestId,
  ip,
  caller,
  started,
  getRawInput,
  result,
}: RecordedCall): Promise<void> {
  const ms = Math.round(performance.now() - started);
  const failure = result.ok ? null : toAppError(result.error);
  app.metrics.calls.observe({ procedure: path, outcome: failure?.code ?? "ok" }, ms / 1000);
  if (failure?.code === "TOO_MANY_REQUESTS") app.metrics.limited.inc({ surface: "call" });
  const line = { call: path, requestId, ip, ...(caller === null ? {} : { caller }), ms };
  if (failure?.code === "INTERNAL") {
    app.log.error({ ...line, err: result.ok ? null : (result.error.cause ?? result.error) }, "call failed by a bug");
  } else if (failure?.code === "FORBIDDEN") {
    app.log.warn({ ...line, ...(await rowIds(getRawInput)) }, "permission refused");
  } else if (failure === null && type === "mutation") {
    app.log.info({ ...line, ...(await rowIds(getRawInput)) }, "changed");
  } else if (failure !== null) {
    app.log.info({ ...line, code: failure.code }, "call refused");
  }
}

async function rowIds(getRawInput: () => Promise<unknown>): Promise<z.infer<typeof RowIds>> {
  const parsed = RowIds.safeParse(await getRawInput().catch(() => null));
  return parsed.success ? parsed.data : {};
}
