import { z } from "zod";
import { text } from "./text.ts";

export const PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;
/** A deeper page than any real list has; bounds OFFSET to what the database accepts. */
const MAX_PAGE = 1_000_000;

/** Paging and search fields that every list takes. */
export const PageQuery = z.strictObject({
  page: z.int("页码必须是整数").min(1, "页码至少为1").max(MAX_PAGE, "页码过大").default(1),
  limit: z
    .int("每页数量必须是整数")
    .min(1, "每页数量至少为1")
    .max(MAX_PAGE_SIZE, `每页数量最多为${MAX_PAGE_SIZE}`)
    .default(PAGE_SIZE),
});
export type PageQuery = z.infer<typeof PageQuery>;

/** What has no value is last in both. */
export const SortOrder = z.enum(["asc", "desc"], "排序方向只能是 asc 或 desc");
export type SortOrder = z.infer<typeof SortOrder>;

/** Free text that is looked for literally, without regard to case, after trimming. */
export const SearchText = text().max(100, "搜索内容最多100个字符").optional();

export const Pagination = z.strictObject({
  page: z.int(),
  limit: z.int(),
  total: z.int(),
  totalPages: z.int(),
});
export type Pagination = z.infer<typeof Pagination>;

/** `totalPages` is 0 for an empty list. */
export function paginate(query: PageQuery, total: number): Pagination {
  return { page: query.page, limit: query.limit, total, totalPages: Math.ceil(total / query.limit) };
}
