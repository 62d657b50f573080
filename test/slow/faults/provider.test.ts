import { describe, expect, test } from "vitest";
import type { FaultRule } from "../../../src/simulator/faults.ts";
import {
  deepJson,
  dropHostField,
  EMPTY_ANSWER,
  EMPTY_PAGE,
  FIRST_PAGE_ALWAYS,
  growingTotal,
  httpStatus,
  jsonScalar,
  NO_BODY,
  NOT_JSON,
  nameWithNul,
  overlappingPages,
  rawTotal,
  redirect,
  setField,
  wrongTotal,
  yearTenThousand,
} from "../../harness/faults.ts";
import { configure, hostTotal, openStage, providerTotal, signIn, syncAll } from "../../harness/stage.ts";
import { printOutcome } from "./outcomes.ts";
import { DATABASES, IS_SHORT, ROUNDS_LIMIT } from "./rounds.ts";

const LISTING = { action: "DescribeUHostInstance", byId: false } as const;
/** In every tenth host, or on every page of a listing. */
const FAULTS: readonly FaultRule["fault"][] = [
  NOT_JSON,
  EMPTY_ANSWER,
  FIRST_PAGE_ALWAYS,
  growingTotal(3),
  dropHostField("UHostId", 10),
  { kind: "truncatedJson" },
  jsonScalar(null),
  NO_BODY,
  { kind: "hugeBody", mebibytes: 20, gzip: true },
  deepJson(100_000),
  setField("UHostSet", {}),
  rawTotal("1e999"),
  wrongTotal(350),
  EMPTY_PAGE,
  overlappingPages(99),
  { kind: "duplicateHosts", which: "first" },
  yearTenThousand(10),
  nameWithNul(10),
  { kind: "retCode", retCode: 299 },
  redirect("http://169.254.169.254/"),
  httpStatus(502),
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
        await stage.provider.control("addFaults", { ...LISTING, fault });
        const { data } = await root.post("/api/hosts/sync?wait=25");
        let [run] = data.runs;
        for (let looks = 0; run.status === "running" && looks < 10; looks++) {
          [run] = (await root.post("/api/hosts/sync?wait=25")).data.runs;
        }
        expect(run.status, JSON.stringify(fault)).toMatch(/^(partial|failed)$/);
        expect(run, JSON.stringify(fault)).toMatchObject({ created: 0, gone: 0 });
        expect(await hostTotal(root), JSON.stringify(fault)).toBe(total);
        await stage.provider.control("clearFaults");
        expect(await syncAll(root), JSON.stringify(fault)).toMatchObject({ status: "succeeded", created: 0, gone: 0 });
      }
      expect(program.output.filter((line) => /uncaught exception|unhandled (rejection|error)/.test(line))).toEqual([]);
      printOutcome({
        scenario: "a provider that misbehaves in another way each time",
        database: name,
        rounds: faults.length,
        outcome: "every run ended as partial or failed, 0 hosts gone, 0 doubled; the next sync complete each time",
      });
    },
    ROUNDS_LIMIT,
  );
});
