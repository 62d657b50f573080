import type { TRPCError } from "@trpc/server";
import { z } from "zod";
import { toAppError } from "../failures.ts";
import type { Log } from "../log.ts";

const RowId = z.guid();
const Word = z.string().regex(/^[a-z]{1,20}$/);

/** The only parts of an input that are logged. */
const LoggedInput = z
  .object({
    id: RowId,
    hostId: RowId,
    userId: RowId,
    configId: RowId,
    ids: z.array(RowId).max(100),
    hostIds: z.array(RowId).max(100),
    operation: Word,
    status: Word,
  })
  .partial();

export interface EndedCall {
  /** Of the procedure, such as `hosts.list`. */
  readonly name: string;
  readonly requestId: string;
  readonly ip: string;
  /** Null when the call ended before its session was found. */
  readonly caller: string | null;
  readonly ms: number;
  readonly readInput: () => Promise<unknown>;
}

/**
 * One line for each call that was refused or failed. What a call changed is a line of the audit
 * log.
 */
export async function logFailedCall(log: Log, call: EndedCall, error: TRPCError): Promise<void> {
  const { name, requestId, ip, ms } = call;
  const caller = call.caller === null ? {} : { caller: call.caller };
  const line = { call: name, requestId, ip, ...caller, ms };

  const { code } = toAppError(error);
  switch (code) {
    case "INTERNAL":
      log.error({ ...line, err: error.cause ?? error }, "unhandled error");
      break;
    case "FORBIDDEN":
    case "SECOND_FACTOR_REQUIRED":
    case "TOKEN_SCOPE":
      log.warn({ ...line, ...(await loggedInput(call)) }, "permission refused");
      break;
    default:
      log.info({ ...line, code }, "call refused");
  }
}

/** Nothing of an input that cannot be read, or where a field of these names is something else. */
async function loggedInput({ readInput }: EndedCall) {
  const input = await readInput().catch(() => null);
  return LoggedInput.safeParse(input).data;
}
