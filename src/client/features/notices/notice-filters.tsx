import { NOTICE_TYPE_LABELS, NoticeType } from "@shared/notices.ts";
import { z } from "zod";
import { ClearFilters, FilterSelect } from "@/components/list-filters";
import { SegmentedControl } from "@/components/segmented-control";
import { listSearch } from "@/lib/list-search";
import { shortCount } from "@/lib/short-count";
import { useCurrentUser } from "@/session/session";
import { TYPES_OF_ROLES } from "./notice-looks";
import { useUnreadCount } from "./use-unread-count";

const TrueParam = z
  .literal("true")
  .transform(() => true)
  .optional()
  .catch(undefined);

export const useNoticeSearch = listSearch({
  input: { unread: TrueParam, type: NoticeType.optional().catch(undefined) },
  urlOnly: {},
});

/** By kind, and whether they are unread. */
export function NoticeFilters({ search }: { search: ReturnType<typeof useNoticeSearch> }) {
  const { role } = useCurrentUser();
  const unread = useUnreadCount();
  const { params, setFilters } = search;

  return (
    <div className="flex flex-wrap items-center gap-2">
      <SegmentedControl
        aria-label="已读或未读"
        value={params.unread ? "unread" : "all"}
        onValueChange={(chosen) => setFilters({ unread: chosen === "unread" || undefined })}
        segments={[
          { value: "all", label: "全部" },
          { value: "unread", label: unread === 0 ? "未读" : `未读 ${shortCount(unread)}` },
        ]}
      />
      <FilterSelect
        label="通知的种类"
        all="全部种类"
        className="min-w-0 flex-1 md:w-44 md:flex-none"
        value={params.type}
        onValueChange={(type) => setFilters({ type })}
        options={TYPES_OF_ROLES[role].map((value) => ({
          value,
          label: NOTICE_TYPE_LABELS[value],
        }))}
      />
      <ClearFilters search={search} />
    </div>
  );
}
