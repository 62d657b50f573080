/**
 * `whose` expiry it is: the provider's or the user's. A number of days from the address joins the
 * choices.
 */
export function expiryOptions(whose: string, chosen: number | undefined) {
  const days = new Set([...(chosen === undefined ? [] : [chosen]), 7, 30, 90]);
  return [
    { value: "expired", label: `${whose}已过期` },
    ...[...days].map((count) => ({
      value: String(count),
      label: `${whose} ${count} 天内到期`.trim(),
    })),
  ];
}

/** Undefined for a choice that is no number of days. */
export function daysIn(choice: string | undefined): number | undefined {
  return Number(choice) || undefined;
}
