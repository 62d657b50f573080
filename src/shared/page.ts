import { z } from "zod";
import { trimmedText, wholeNumber } from "./text.ts";

export const PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;

export const MAX_SEARCH_LENGTH = 100;
export const SEARCH_TOO_LONG = `搜索内容最多 ${MAX_SEARCH_LENGTH} 个字符`;

/** Paging and search fields that every list takes. */
export const PageQuery = z.strictObject({
  page: z.int("页码必须是整数").min(1, "页码至少为1").default(1).describe("页码，从 1 开始"),
  limit: wholeNumber("每页数量", { min: 1, max: MAX_PAGE_SIZE })
    .default(PAGE_SIZE)
    .describe("每页数量，最多 100"),
});

/** What has no value is last in both. */
export const SortOrder = z
  .enum(["asc", "desc"], "排序方向只能是 asc 或 desc")
  .meta({ id: "SortOrder", description: "排序方向：asc 升序、desc 降序" });
export type SortOrder = z.infer<typeof SortOrder>;

/**
 * Free text, matched literally and case-insensitively after trimming. `fields` names what is
 * searched.
 */
export function searchText(fields: string) {
  return trimmedText()
    .max(MAX_SEARCH_LENGTH, SEARCH_TOO_LONG)
    .optional()
    .describe(`搜索${fields}，按字面匹配，不区分大小写`);
}

export const Pagination = z
  .strictObject({
    page: z.int().describe("当前页码"),
    limit: z.int().describe("每页数量"),
    total: z.int().describe("总条数"),
    totalPages: z.int().describe("总页数，没有数据时为 0"),
  })
  .meta({ id: "Pagination", description: "分页信息，只统计调用者可见的数据" });
export type Pagination = z.infer<typeof Pagination>;

/** `totalPages` is 0 for an empty list. */
export function paginate(query: z.infer<typeof PageQuery>, total: number): Pagination {
  return {
    page: query.page,
    limit: query.limit,
    total,
    totalPages: Math.ceil(total / query.limit),
  };
}
