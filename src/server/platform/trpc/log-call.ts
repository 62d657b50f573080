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
/** The only part of an answer: the id of a new row. */
const LoggedAnswer = z.object({ id: RowId }).partial();

export interface EndedCall {
  /** Of the procedure, such as `hosts.list`. */
  readonly name: string;
  readonly isMutation: boolean;
  readonly requestId: string;
  readonly ip: string;
  /** Missing when the call ended before its session was found. */
  readonly callerId: string | undefined;
  readonly ms: number;
  readonly readInput: () => Promise<unknown>;
}

type Result =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly error: TRPCError };

/** One line for each call that changed something, was refused or failed. */
export async function logCall(log: Log, call: EndedCall, result: Result): Promise<void> {
  const { name, requestId, ip, callerId, ms } = call;
  const caller = callerId === undefined ? {} : { caller: callerId };
  const line = { call: name, requestId, ip, ...caller, ms };

  if (result.ok) {
    if (!call.isMutation) return;
    const answer = LoggedAnswer.safeParse(result.data).data;
    log.info({ ...line, ...answer, ...(await loggedInput(call)) }, "changed");
    return;
  }

  const { code } = toAppError(result.error);
  switch (code) {
    case "INTERNAL":
      log.error({ ...line, err: result.error.cause ?? result.error }, "unhandled error");
      break;
    case "FORBIDDEN":
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
