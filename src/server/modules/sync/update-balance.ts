import { isFromFuture } from "../../platform/clock.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { readBalance } from "../../provider/balance-api.ts";
import { ProviderFailure } from "../../provider/failure.ts";
import { isBalanceLow } from "../provider-configs/balance.ts";
import { connectProvider } from "../provider-configs/connect-provider.ts";
import { ConfigEntity } from "../provider-configs/entity.ts";
import { publishConfigsChanged } from "../provider-configs/events.ts";
import { lockConfig } from "../provider-configs/locks.ts";
import { notifyOfLowBalance } from "../provider-configs/notices.ts";
import type { SyncDeps } from "./deps.ts";

/**
 * Reads what the account of a configuration has left, once with each run. It is no part of what the
 * run reads: a key that may not read it, an answer without it and a failure change nothing, and the
 * last balance stays with its time. So it has a client of its own, whose failures do not count for
 * the run, and one attempt: the next run is the next one.
 */
export async function updateBalance(
  deps: SyncDeps,
  configId: string,
  signal: AbortSignal,
): Promise<void> {
  const config = await deps.em.fork().findOne(ConfigEntity, { id: configId });
  if (config === null) return;

  try {
    const limits = { ...deps.providerLimits, maxRetries: 0 };
    const client = connectProvider(deps, config, { priority: "background", limits });
    const { availableFen, amountFen, requestedAt } = await readBalance(client, signal);

    await inTransaction(deps, async (em) => {
      await lockConfig(em, configId);
      const stored = await em.findOneOrFail(ConfigEntity, { id: configId });
      // The later request wins, unless a clock that was ahead has dated it.
      const storedAt = stored.balanceAt ?? 0;
      if (storedAt > requestedAt && !isFromFuture(storedAt, requestedAt)) return;

      const wasLow = isBalanceLow(stored);
      stored.balanceAvailableFen = availableFen;
      stored.balanceAmountFen = amountFen;
      stored.balanceAt = requestedAt;
      await em.flush();
      const isLow = isBalanceLow(stored);
      if (isLow === wasLow) return;

      const at = deps.clock.now();
      if (isLow) await notifyOfLowBalance({ ...deps, em }, stored, at);
      await publishConfigsChanged(em, [configId], at);
    });
  } catch (error) {
    // What a signal ended says nothing, and a configuration may be deleted meanwhile.
    if (signal.aborted || (error instanceof AppError && error.code === "NOT_FOUND")) return;
    if (error instanceof ProviderFailure) {
      deps.log.info({ configId, kind: error.kind }, "the balance of an account was not read");
    } else {
      deps.log.error({ err: error, configId }, "unhandled error while a balance was read");
    }
  }
}
