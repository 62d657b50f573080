import { MAX_PAGE_SIZE, type Pagination } from "@shared/page.ts";

type Paging = { page: number; limit: number };

/** The first rows of a list, in its order; all where there are no more. Reads the pages at once. */
export async function readFirst<Row>(
  count: number,
  read: (paging: Paging) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const pages = Array.from({ length: Math.ceil(count / MAX_PAGE_SIZE) }, (_, index) =>
    read({ page: index + 1, limit: MAX_PAGE_SIZE }),
  );
  return (await Promise.all(pages)).flat().slice(0, count);
}

/** All rows of a list, however many there are. */
export async function readAll<Row>(
  read: (paging: Paging) => Promise<{ rows: readonly Row[]; pagination: Pagination }>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (let page = 1; ; page++) {
    const { rows, pagination } = await read({ page, limit: MAX_PAGE_SIZE });
    all.push(...rows);
    if (page >= pagination.totalPages) return all;
  }
}
