import type { Balance } from "../../../shared/configs.ts";
import { yuanOf } from "../../../shared/money.ts";
import type { ConfigRow } from "./entity.ts";

type BalanceColumns = Pick<
  ConfigRow,
  "balanceAvailableFen" | "balanceAmountFen" | "balanceAt" | "balanceAlertFen"
>;

/** Below the alert, in whole fen; an account without a balance or an alert is not low. */
export function isBalanceLow({ balanceAvailableFen, balanceAlertFen }: BalanceColumns): boolean {
  if (balanceAvailableFen == null || balanceAlertFen == null) return false;
  return balanceAvailableFen < balanceAlertFen;
}

export function presentBalance(config: BalanceColumns): Balance | null {
  const { balanceAvailableFen, balanceAmountFen, balanceAt } = config;
  if (balanceAvailableFen == null || balanceAmountFen == null || balanceAt == null) return null;

  return {
    available: yuanOf(balanceAvailableFen),
    amount: yuanOf(balanceAmountFen),
    currency: "CNY",
    at: balanceAt,
    isLow: isBalanceLow(config),
  };
}
