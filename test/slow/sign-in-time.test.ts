import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { PASSWORD } from "../harness/root-user.ts";

const app = useApp({ overrides: { passwordCost: undefined } });
/**
 * Of the medians, largest to smallest; a quarter is noise, and a hash that is not computed is more
 * than three times.
 */
const MOST = 1.25;
/** Samples of each kind before the medians are looked at, and before they are believed. */
const FEWEST = 15;
const ENOUGH = 200;

/**
 * One sign-in that fails, in ms. Each name has its failures forgotten, for a refusal by the limit
 * is another story.
 */
async function timeOf(username: string, password: string): Promise<number> {
  await app.database.query("delete from login_failures");
  const began = performance.now();
  const { status } = await app.anonymous.post("/api/auth/login", { username, password });
  expect(status).toBe(401);
  return performance.now() - began;
}

it("a sign-in takes the same time for unknown names, wrong passwords, disabled users", async () => {
  const active = await app.account("client");
  const disabled = await app.account("client");
  await app.root.put(`/api/users/${disabled.id}`, { isActive: false });
  const kinds = {
    unknown: () => timeOf("nobody_here", PASSWORD),
    impossible: () => timeOf("没有这个人", PASSWORD),
    wrong: () => timeOf(active.username, "Wrong1Password"),
    disabled: () => timeOf(disabled.username, PASSWORD),
  };
  const measured = Object.entries(kinds).map(([kind, time]) => ({
    kind,
    time,
    times: [] as number[],
  }));
  // Another process may take the processor away at any time, so more samples are taken while the
  // medians differ: an honest difference stays however many there are. Each kind is first in turn,
  // for what one leaves behind slows down the next.
  let ratio = Number.POSITIVE_INFINITY;
  for (let sample = 0; sample < ENOUGH && ratio > MOST; sample++) {
    const first = sample % measured.length;
    for (const { time, times } of [...measured.slice(first), ...measured.slice(0, first)])
      times.push(await time());
    if (sample + 1 < FEWEST) continue;
    const medians = measured.map(({ times }) => median(times));
    ratio = Math.max(...medians) / Math.min(...medians);
  }
  const observed = measured
    .map(({ kind, times }) => `${kind} ${median(times).toFixed(1)} ms`)
    .join(", ");

  expect(ratio, observed).toBeLessThanOrEqual(MOST);
}, 120_000);

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
