import { describe, expect, it } from "vitest";
import { readAll, readFirst } from "@/lib/read-pages";
import { MAX_PAGE_SIZE } from "../../src/shared/page.ts";
import { useApp } from "../harness/app.ts";
import { insertHosts } from "../harness/data.ts";

/** Three pages, the last of which has one row. */
const COUNT = 2 * MAX_PAGE_SIZE + 1;

const app = useApp();

/** Made in another order than that of the list. */
async function insertThreePages(): Promise<readonly string[]> {
  const names = Array.from({ length: COUNT }, (_, n) => `web-${(n * 37) % COUNT}`);
  await insertHosts(
    app,
    names.map((name) => ({ name })),
  );
  return Array.from({ length: COUNT }, (_, n) => `web-${n}`);
}

const pageOf = ({ page, limit }: { page: number; limit: number }) =>
  app.root.get(`/api/hosts?sort=name&order=asc&page=${page}&limit=${limit}`);
const namesOf = (hosts: readonly { name: string }[]) => hosts.map(({ name }) => name);

describe("what reads a list of three pages", () => {
  it("reads all of it, in its order, each row once", async () => {
    const names = await insertThreePages();

    const all = await readAll<string>(async (paging) => {
      const { data } = await pageOf(paging);
      return { rows: namesOf(data.hosts), pagination: data.pagination };
    });

    expect(all).toEqual(names);
  });

  it.each([1, MAX_PAGE_SIZE, MAX_PAGE_SIZE + 1, COUNT, COUNT + 1])(
    "reads the first %i",
    async (count) => {
      const names = await insertThreePages();

      const first = await readFirst(count, async (paging) => {
        const { data } = await pageOf(paging);
        return namesOf(data.hosts);
      });

      expect(first).toEqual(names.slice(0, count));
    },
  );
});
