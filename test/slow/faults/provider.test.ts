import { describe, expect, test } from "vitest";
import type { FaultRule } from "../../../src/simulator/faults.ts";
import { configure, hostTotal, openStage, providerTotal, signIn, syncAll } from "../../harness/stage.ts";
import { tell } from "./figures.ts";
import { DATABASES, IS_SHORT, ROUNDS_LIMIT } from "./rounds.ts";

const LISTING = { action: "DescribeUHostInstance", byId: false } as const;
/** In every tenth host, or on every page of a listing. */
const FAULTS: readonly FaultRule["fault"][] = [
  { kind: "notJson" },
  { kind: "emptyAnswer" },
  { kind: "offsetIgnored" },
  { kind: "totalCountMoves", step: 3 },
  { kind: "missingIds", every: 10 },
  { kind: "truncatedJson" },
  { kind: "jsonScalar", value: null },
  { kind: "emptyBody" },
  { kind: "hugeBody", mebibytes: 20, gzip: true },
  { kind: "deepJson", depth: 100_000 },
  { kind: "setField", field: "UHostSet", value: {} },
  { kind: "rawField", field: "TotalCount", raw: "1e999" },
  { kind: "totalCountOff", by: 350 },
  { kind: "emptyPage" },
  { kind: "overlappingPages", by: 99 },
  { kind: "duplicatedId" },
  { kind: "yearTenThousand", every: 10 },
  { kind: "badText", text: "nul", every: 10 },
  { kind: "retCode", retCode: 299 },
  { kind: "redirect", location: "http://169.254.169.254/" },
  { kind: "httpStatus", status: 502 },
  { kind: "reset", at: "middle" },
];
const SHORT = 4;

describe.each(DATABASES)("a provider that misbehaves, with hosts in $name", ({ name, server }) => {
  test(
    "takes no host away, doubles none, and ends its run; the next one is complete",
    async () => {
      await using stage = await openStage({ server, hosts: 400 });
      const program = await stage.start();
      const root = await signIn(program.url);
      await configure(root, stage.provider);
      expect(await syncAll(root)).toMatchObject({ status: "succeeded" });
      const total = await providerTotal(stage.provider);
      const faults = IS_SHORT ? FAULTS.slice(0, SHORT) : FAULTS;
      for (const fault of faults) {
        await stage.provider.control("POST", "faults", { ...LISTING, fault });
        const { data } = await root.post("/api/hosts/sync?wait=25");
        let [run] = data.runs;
        for (let looks = 0; run.status === "running" && looks < 10; looks++) {
          [run] = (await root.post("/api/hosts/sync?wait=25")).data.runs;
        }
        expect(run.status, JSON.stringify(fault)).toMatch(/^(partial|failed)$/);
        expect(run, JSON.stringify(fault)).toMatchObject({ created: 0, gone: 0 });
        expect(await hostTotal(root), JSON.stringify(fault)).toBe(total);
        await stage.provider.control("DELETE", "faults");
        expect(await syncAll(root), JSON.stringify(fault)).toMatchObject({ status: "succeeded", created: 0, gone: 0 });
      }
      expect(program.output.filter((line) => /uncaught exception|unhandled (rejection|error)/.test(line))).toEqual([]);
      tell({
        scenario: "a provider that misbehaves in another way each time",
        database: name,
        rounds: faults.length,
        outcome: "every run ended as partial or failed, 0 hosts gone, 0 doubled; the next sync complete each time",
      });
    },
    ROUNDS_LIMIT,
  );
});
