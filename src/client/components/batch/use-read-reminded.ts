import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { localDate } from "@shared/shanghai.ts";
import { trpc } from "@/api/trpc";
import { serverNow } from "@/lib/server-time";
import type { ReadDone } from "./use-batch";

/**
 * Reads which hosts' clients were reminded today, for a call whose answer was lost. A client is
 * reminded of a host once a day, so that is what the call was to bring about.
 */
export function useReadReminded(): ReadDone {
  const { client } = trpc.useUtils();

  return async () => {
    const { reminders } = await client.reminders.list.query({ limit: MAX_PAGE_SIZE });
    const today = localDate(serverNow());
    const byPerson = reminders.filter(
      ({ sentBy, createdAt }) => sentBy !== null && localDate(createdAt) === today,
    );
    return new Set(byPerson.flatMap(({ hosts }) => hosts.map(({ hostId }) => hostId)));
  };
}
