import { describe, expect, it } from "vitest";
import { ProviderFailure } from "../../src/server/provider/failure.ts";
import { ProviderHost } from "../../src/server/provider/schemas.ts";
import type { HostPage } from "../../src/server/provider/uhost-api.ts";
import { MAX_PARTITION_HOSTS, readPartition } from "../../src/server/sync/run/read-partition.ts";

const hosts = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ProviderHost.parse({ UHostId: `uhost-${from + i}` }));

interface Content {
  readonly total?: number;
  readonly from?: number;
  readonly count?: number;
  readonly rejected?: HostPage["rejected"];
}

const page = ({ total = 150, from = 0, count = 0, rejected = [] }: Content): HostPage => ({
  total,
  requestedAt: 1,
  hosts: hosts(from, count),
  rejected,
});
const FIRST = page({ count: 100 });
const LAST = page({ from: 100, count: 50 });

type Answer = HostPage | ProviderFailure;

/** Reads a partition whose pages are answered like this, in the order of the calls for one offset; the last answer repeats. */
async function read(answers: Readonly<Record<number, readonly Answer[]>>) {
  const offsets: number[] = [];
  const reading = await readPartition(async (offset) => {
    const earlier = offsets.filter((each) => each === offset).length;
    offsets.push(offset);
    const answer = answers[offset]?.[earlier] ?? answers[offset]?.at(-1) ?? new ProviderFailure("malformed");
    if (answer instanceof ProviderFailure) throw answer;
    return answer;
  });
  return { ...reading, offsets };
}

describe("the reading of a partition", () => {
  it.each<[expected: string, condition: string, answers: Readonly<Record<number, readonly Answer[]>>]>([
    ["complete", "every announced host came", { 0: [FIRST], 100: [LAST] }],
    ["complete", "pages overlap and every announced host came", { 0: [FIRST], 100: [page({ from: 99, count: 51 })] }],
    ["complete", "more hosts came than were announced", { 0: [page({ total: 99, count: 100 })] }],
    [
      "complete",
      "an unreadable record has an id",
      { 0: [page({ total: 1, rejected: [{ ucloudId: "uhost-1", reason: "" }] })] },
    ],
    ["empty", "nothing is announced", { 0: [page({ total: 0 })] }],
    ["incomplete", "a host is missing", { 0: [FIRST], 100: [page({ from: 100, count: 49 })] }],
    ["incomplete", "a host came twice in place of another", { 0: [FIRST], 100: [page({ from: 99, count: 50 })] }],
    ["incomplete", "a record has no id", { 0: [page({ total: 1, rejected: [{ ucloudId: null, reason: "" }] })] }],
    ["incomplete", "hosts are announced and none came", { 0: [page({ total: 3 })] }],
    ["incomplete", "a later page announces more", { 0: [FIRST], 100: [page({ total: 151, from: 100, count: 50 })] }],
    ["incomplete", "a page failed", { 0: [FIRST], 100: [new ProviderFailure("unavailable")] }],
    ["incomplete", "the key may not read it", { 0: [new ProviderFailure("forbidden")] }],
    ["incomplete", "a later page reports a closed region", { 0: [FIRST], 100: [new ProviderFailure("not-opened")] }],
    ["unavailable", "the region is closed", { 0: [new ProviderFailure("not-opened")] }],
    ["unavailable", "the project is unknown", { 0: [new ProviderFailure("project-missing")] }],
  ])("is %s when %s", async (expected, _condition, answers) => {
    expect((await read(answers)).reading).toBe(expected);
  });

  it("is repeated once when hosts are missing from it", async () => {
    const short = page({ from: 100, count: 49 });
    expect(await read({ 0: [FIRST], 100: [short, LAST] })).toMatchObject({ reading: "complete", ids: { size: 150 } });
    expect((await read({ 0: [FIRST], 100: [short] })).offsets).toEqual([0, 100, 0, 100]);
  });

  it("is incomplete when the region is refused the second time", async () => {
    const short = page({ from: 100, count: 49 });
    const answers = { 0: [FIRST, new ProviderFailure("not-opened")], 100: [short] };
    expect((await read(answers)).reading).toBe("incomplete");
  });

  it("counts an unreadable record once when pages overlap", async () => {
    const rejected = [{ ucloudId: "uhost-99", reason: "CPU" }];
    const answers = { 0: [page({ count: 99, rejected })], 100: [page({ from: 100, count: 50, rejected })] };
    expect(await read(answers)).toMatchObject({ reading: "complete", rejections: ["CPU"] });
  });

  it("ends when a partition announces more hosts than the limit", async () => {
    const total = MAX_PARTITION_HOSTS + 1;
    const { offsets, reading, failures } = await read({ 0: [page({ total, count: 100 })] });
    expect([offsets, reading]).toEqual([[0], "incomplete"]);
    expect(failures).toMatchObject([{ kind: "too-large", message: expect.stringContaining(String(total)) }]);
  });
});
