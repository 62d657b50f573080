import { CreateRenewalInput, RENEWAL_DAYS } from "@shared/renewals.ts";
import { readStored, writeStorage } from "@/lib/storage";
import { useCurrentUser } from "@/session/session";

/**
 * For how many days this person asked last in this browser: most ask for the same again. Read anew
 * each time: every host has a dialog of its own.
 */
export function useLastDays() {
  const { id } = useCurrentUser();
  const key = `renewals.lastDays.${id}`;
  const { requestedDuration } = CreateRenewalInput.shape;

  return {
    lastDays: readStored(key, requestedDuration) ?? RENEWAL_DAYS.default,
    rememberDays: (days: number) => writeStorage(key, JSON.stringify(days)),
  };
}
