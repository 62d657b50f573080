import type { Pagination } from "@shared/page.ts";
import { type LucideIcon, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

type ListEmptyProps = {
  pagination: Pagination;
  isNarrowed: boolean;
  onPage: (page: number) => void;
  onClear: () => void;
  /** What the rows are: "用户". */
  noun: string;
  /** Of the list that holds nothing at all. */
  icon: LucideIcon;
  title: string;
  description: ReactNode;
  action?: ReactNode;
};

/** Three kinds of nothing: a page behind the last, filters that match nothing, and nothing at all. */
export function ListEmpty(props: ListEmptyProps) {
  const { pagination, isNarrowed, onPage, onClear, noun, icon, title, description, action } = props;
  if (pagination.total > 0) {
    return (
      <EmptyState
        icon={SearchX}
        title={`这一页没有${noun}`}
        description={`列表目前只有 ${pagination.totalPages} 页。`}
        action={<Button onClick={() => onPage(pagination.totalPages)}>回到第 {pagination.totalPages} 页</Button>}
      />
    );
  }
  if (isNarrowed) {
    return (
      <EmptyState
        icon={SearchX}
        title={`没有符合条件的${noun}`}
        description="换一个关键词，或放宽筛选条件后再试。"
        action={
          <Button variant="outline" onClick={onClear}>
            清除筛选
          </Button>
        }
      />
    );
  }
  return <EmptyState icon={icon} title={title} description={description} action={action} />;
}
