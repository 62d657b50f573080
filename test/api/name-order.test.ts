import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { assign, insertHosts, readPages } from "../harness/data.ts";

const app = useApp();

/** In the order of Chinese people: signs, numbers, Chinese by pinyin, then Latin. */
const SORTED = [
  "_内网",
  "1",
  "2",
  "10",
  "阿里",
  "重庆",
  "风控",
  "数据库2",
  "数据库10",
  "网站-2",
  "网站-10",
  "鑫鑫",
  "运维",
  "api",
  "Backup",
  "cache",
  "host2",
  "host10",
  "Web",
  "zone",
];

function shuffled(names: readonly string[]): string[] {
  return names.toSorted(
    (one, other) =>
      ((one.length * 7 + one.charCodeAt(0)) % 11) - ((other.length * 7 + other.charCodeAt(0)) % 11),
  );
}

const namesOf = (
  answers: readonly { readonly data: { readonly hosts: readonly { readonly name: string }[] } }[],
) => answers.flatMap(({ data }) => data.hosts.map(({ name }) => name));

describe("names of hosts", () => {
  it("are sorted by pinyin, without regard to case, and numbers as numbers", async () => {
    await insertHosts(
      app,
      shuffled(SORTED).map((name) => ({ name })),
    );

    const upwards = await readPages(app.root, "/api/hosts?sort=name&order=asc", 3);
    const downwards = await readPages(app.root, "/api/hosts?sort=name&order=desc", 100);

    expect(namesOf(upwards)).toEqual(SORTED);
    expect(namesOf(downwards)).toEqual(SORTED.toReversed());
  });

  it("sort hosts that are otherwise alike, for every role", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    const ids = await insertHosts(
      app,
      shuffled(SORTED).map((name) => ({ name })),
    );
    for (const id of ids) await assign(app, id, client.id);

    for (const account of [app.root, admin, client]) {
      const pages = await readPages(account, "/api/hosts?sort=cpu&order=desc", 7);
      expect(namesOf(pages)).toEqual(SORTED);
    }
  });

  it("are sorted as the browser sorts them", () => {
    const collator = new Intl.Collator("zh-u-co-pinyin-kn-true");

    expect(shuffled(SORTED).sort(collator.compare)).toEqual(SORTED);
  });

  it("that are equal are sorted by id, so that pages neither repeat nor skip", async () => {
    const ids = await insertHosts(app, Array<object>(7).fill({ name: "网站-1" }));

    for (const sort of ["name", "status", "expireTime"]) {
      const pages = await readPages(app.root, `/api/hosts?sort=${sort}`, 2);
      expect(
        pages.flatMap(({ data }) => data.hosts.map(({ id }: { readonly id: string }) => id)),
      ).toEqual(ids);
    }
  });

  it("sort many hosts that are alike on their late pages too", async () => {
    const names = Array.from(
      { length: 1_150 },
      (_, index) => `${SORTED[index % SORTED.length]}-${index}`,
    );
    await insertHosts(
      app,
      names.map((name, index) => ({ name, cpu: index % 2 === 0 ? 2 : 4 })),
    );
    const { compare } = new Intl.Collator("zh-u-co-pinyin-kn-true");
    const ofCpu = (rest: number) => names.filter((_, index) => index % 2 === rest).sort(compare);

    const pages = await readPages(app.root, "/api/hosts?sort=cpu&order=desc", 100);

    expect(namesOf(pages)).toEqual([...ofCpu(1), ...ofCpu(0)]);
  });
});
