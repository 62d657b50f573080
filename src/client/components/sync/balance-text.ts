import type { Config } from "@shared/configs.ts";
import { formatYuan } from "@/lib/format";

/**
 * What is wrong with what an account has left: then the provider renews nothing by itself. Null
 * where nothing is known to be.
 */
export function balanceTrouble({ balance, balanceAlert }: Config): string | null {
  if (balance === null) return null;
  if (balance.available < 0) return "已欠费";
  return balance.isLow && balanceAlert !== null ? `低于预警 ${formatYuan(balanceAlert)}` : null;
}
