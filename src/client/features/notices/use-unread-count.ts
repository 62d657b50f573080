import { trpc } from "@/api/trpc";

/** What the bell reads for its count. */
export const NEWEST_NOTICE = { limit: 1 } as const;

/** Of the whole inbox; 0 until it is known. Live, as events refetch it. */
export function useUnreadCount(): number {
  const { data } = trpc.notices.list.useQuery(NEWEST_NOTICE);
  return data?.unreadCount ?? 0;
}
