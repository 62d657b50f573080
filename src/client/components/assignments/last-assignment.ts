import { ASSIGNMENT_DAYS } from "@shared/hosts.ts";
import { Id } from "@shared/ids.ts";
import { z } from "zod";
import { readStored, writeStorage } from "@/lib/storage";
import { useCurrentUser } from "@/session/session";

const LastAssignment = z.object({
  userId: Id,
  days: z.int().min(ASSIGNMENT_DAYS.min).max(ASSIGNMENT_DAYS.max).optional(),
});

interface AssignmentForm {
  userId: string;
  ends: "days" | "date";
  days: string;
}

/**
 * To whom and for how many days this person assigned hosts last, in this browser. Read anew each
 * time: several dialogs write it.
 */
export function useLastAssignment() {
  const { id } = useCurrentUser();
  const key = `hosts.lastAssignment.${id}`;

  return {
    last: readStored(key, LastAssignment),
    /** A last day is of use once; days that were typed are kept. */
    remember({ userId, ends, days }: AssignmentForm): void {
      const typedDays = ends === "days" ? Number(days) : readStored(key, LastAssignment)?.days;
      writeStorage(key, JSON.stringify({ userId, days: typedDays }));
    },
  };
}
