import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { Router } from "wouter";
import { holdersOf } from "@/components/assignments/holders";
import { countOutcomes, type Outcome } from "@/components/batch/result";
import { RegionChart } from "@/features/dashboard/region-chart";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp } from "../harness/app.ts";
import { assign, insertHosts } from "../harness/data.ts";

// A sum, a first or a last of two values in order is right by chance: here are three, in none.

const UNSORTED = [2, 3, 1];
/** How many regions the chart shows one by one. */
const SHOWN_REGIONS = 8;

const app = useApp();

it("the chart of regions has the hosts of all that it does not name in one row", async () => {
  const biggest = Array.from({ length: SHOWN_REGIONS }, (_, n) => repeat(9, `region-a${n}`));
  const others = UNSORTED.map((count, n) => repeat(count, `region-b${n}`));
  await insertHosts(app, [...biggest, ...others].flat());
  const { data } = await app.root.get("/api/hosts/summary");

  const page = { ssrPath: "/", children: createElement(RegionChart, { numbers: data }) };
  const html = renderToString(createElement(Router, page));

  const text = html.replaceAll(/<[^>]+>/g, "|");
  expect(text).toMatch(/其他 3 个地域\|+6\|+0\|+0\|+6\|/);
});

it("a holder of three hosts has them from the first end to the last", async () => {
  const client = await app.account("client");
  const hostIds = await insertHosts(app, [{}, {}, {}]);
  const ends: number[] = [];
  for (const [index, hostId] of hostIds.entries()) {
    const to = (UNSORTED[index] ?? 0) * DAY_SECONDS;
    const { assignedExpireTime } = await assign(app, hostId, client.id, { to });
    ends.push(assignedExpireTime);
  }
  const { data } = await app.root.get("/api/hosts");

  const [holder] = holdersOf(data.hosts);

  expect(holder?.hosts).toHaveLength(3);
  expect([holder?.firstEnd, holder?.lastEnd]).toEqual([Math.min(...ends), Math.max(...ends)]);
});

it("the outcomes of a batch are counted, each by itself", () => {
  const outcomes = ["unknown", "succeeded", "failed", "unknown", "succeeded", "unknown"] as const;

  const counts = countOutcomes(outcomes.map(toResult));

  expect(counts).toEqual({ succeeded: 2, failed: 1, unknown: 3 });
});

function repeat(count: number, region: string) {
  return Array.from({ length: count }, () => ({ region, status: "Running" }));
}

function toResult(outcome: Outcome, index: number) {
  const id = String(index);
  return { id, host: { id, name: "web", ucloudId: "uhost-1" }, outcome };
}
