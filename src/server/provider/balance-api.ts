import { z } from "zod";
import { parseFen } from "../../shared/money.ts";
import type { ProviderClient } from "./client.ts";
import { ProviderFailure } from "./failure.ts";

/** What an account has left, in fen; negative when it owes. */
export interface ProviderBalance {
  readonly availableFen: number;
  readonly amountFen: number;
  /** When it was asked for, in Unix seconds. */
  readonly requestedAt: number;
}

const Fen = z
  .union([z.number().transform((yuan) => yuan.toFixed(2)), z.string().max(50)])
  .transform((yuan) => parseFen(yuan))
  .pipe(z.int());

const Amounts = z
  .object({ AmountAvailable: Fen, Amount: Fen })
  .transform(({ AmountAvailable, Amount }) => ({
    availableFen: AmountAvailable,
    amountFen: Amount,
  }));

/** The reference has the amounts in an object and as text, its sample beside it and as numbers. */
const Answer = z.union([
  z.object({ AccountInfo: Amounts }).transform(({ AccountInfo }) => AccountInfo),
  Amounts,
]);

/** Of the account of the key. @throws ProviderFailure, `malformed` when the answer has no balance */
export async function readBalance(
  client: ProviderClient,
  signal: AbortSignal,
): Promise<ProviderBalance> {
  const { body, requestId, requestedAt } = await client.call("GetBalance", {}, { signal });
  const amounts = Answer.safeParse(body);
  if (!amounts.success) throw new ProviderFailure("malformed", { requestId });
  return { ...amounts.data, requestedAt };
}
