import { MAX_BALANCE_ALERT } from "@shared/configs.ts";
import { z } from "zod";
import { formatNumber } from "@/lib/format-number";

const GROUPS = /,(?=\d{3}(?:\D|$))/g;
const AMOUNT = /^[+-]?\d+(?:\.\d*)?$/;
const THREE_DECIMALS = /\.\d{3}/;

/** An amount in yuan as it is typed, `1,000` too. Empty is off, which is null outside the form. */
export const BalanceAlertText = z
  .string()
  .transform((typed) => typed.trim().replace(GROUPS, ""))
  .refine((yuan) => yuan === "" || AMOUNT.test(yuan), {
    error: "请输入金额，例如 1000 或 99.50",
    abort: true,
  })
  .refine((yuan) => Number(yuan) >= 0 && Number(yuan) <= MAX_BALANCE_ALERT, {
    error: `请输入 0 到 ${formatNumber(MAX_BALANCE_ALERT)} 元之间的金额`,
    abort: true,
  })
  .refine((yuan) => !THREE_DECIMALS.test(yuan), "最多两位小数，例如 99.50")
  .transform((yuan) => (yuan === "" ? null : Number(yuan)));

/** `99.50`, and `1000` for whole yuan. */
export function balanceAlertText(yuan: number | null): string {
  if (yuan === null) return "";
  return Number.isInteger(yuan) ? String(yuan) : yuan.toFixed(2);
}
