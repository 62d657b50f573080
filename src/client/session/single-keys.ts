import { z } from "zod";
import { readStored, useStored } from "@/lib/storage";
import { useCurrentUser } from "./session";

/**
 * Whether single keys act on a page: a choice of this person, in this browser. Who dictates, or
 * whose hands press more keys than meant, switches them off (WCAG 2.1.4).
 */
export function useSingleKeys() {
  const { id } = useCurrentUser();
  return useStored(storageKey(id), z.boolean(), true);
}

/** The same at the moment when a key is pressed: the switch is on another page, or in another tab. */
export function areSingleKeysOn(userId: string): boolean {
  return readStored(storageKey(userId), z.boolean()) ?? true;
}

function storageKey(userId: string): string {
  return `shortcuts.singleKeys.${userId}`;
}
