import type { Notice } from "@shared/notices.ts";
import { trpc } from "@/api/trpc";

/** Marks notices as read; the other windows of the user hear of it. */
export function useReadNotices() {
  const { mutate, mutateAsync } = trpc.notices.read.useMutation({
    meta: { errorTitle: "标为已读失败" },
  });

  return {
    read({ id, readAt }: Notice): void {
      if (readAt === null) mutate({ ids: [id] });
    },
    readAll: () => mutateAsync({ all: true }),
  };
}
