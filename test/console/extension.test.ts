import fc from "fast-check";
import { expect, it } from "vitest";
import { type ExtensionMode, extensionInput, extensionOf } from "@/components/renewals/extension";
import { formatDate } from "@/lib/format";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import { decide, expiryOf } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { hostAssigned } from "./store-assignment.ts";

const clock = fixedClock();
const app = useApp({ overrides: { clock } });

const DAY = DAY_SECONDS;
const MODES: readonly (typeof ExtensionMode.options)[number][] = ["30", "90", "180", "365", "day"];

const asked = fc.record({
  mode: fc.constantFrom(...MODES, "day" as const),
  /** From now to the client's end, and to the common last day. */
  endsIn: fc.integer({ min: -40 * DAY, max: 400 * DAY }),
  lastDayIn: fc.integer({ min: DAY, max: 800 * DAY }),
});

it("the extension that the dialog shows is the one that the server makes", async () => {
  const now = clock.now();
  const client = await app.account("client");

  for (const { mode, endsIn, lastDayIn } of fc.sample(asked, 8)) {
    const period = { assignedAt: now - 50 * DAY, assignedExpireTime: now + endsIn };
    const hostId = await hostAssigned(app, client.id, period);
    const fields = { mode, day: formatDate(now + lastDayIn) };
    const shown = extensionOf(fields, now + endsIn, now);

    const input = { hostIds: [hostId], ...extensionInput(fields) };
    const { data } = await assertOk(client.post("/api/renewals/batch", input));
    const [{ ok, id }] = data.results;

    expect([fields, endsIn, ok]).toEqual([fields, endsIn, shown?.isPossible]);
    if (!ok) continue;
    await assertOk(decide(app, id, "completed"));
    expect(await expiryOf(app, hostId, client)).toBe(shown?.end);
  }
});

it.each([
  [1, true],
  [364, true],
  [365, true],
  [366, false],
])(
  "%i days to a common last day: possible is %s, for the dialog and the server",
  async (days, isPossible) => {
    const now = clock.now();
    const client = await app.account("client");
    const period = { assignedAt: now - 50 * DAY, assignedExpireTime: now + 10 * DAY };
    const hostId = await hostAssigned(app, client.id, period);
    const fields = { mode: "day", day: formatDate(now + (10 + days) * DAY) } as const;

    const input = { hostIds: [hostId], ...extensionInput(fields) };
    const { data } = await assertOk(client.post("/api/renewals/batch", input));

    expect(extensionOf(fields, now + 10 * DAY, now)).toMatchObject({ days, isPossible });
    expect(data.results).toMatchObject([{ ok: isPossible }]);
  },
);

it("a host that has ended can be extended to the first day that the dialog offers", async () => {
  const now = clock.now();
  const client = await app.account("client");
  const period = { assignedAt: now - 50 * DAY, assignedExpireTime: now - DAY };
  const hostId = await hostAssigned(app, client.id, period);
  const fields = { mode: "day", day: formatDate(now + DAY) } as const;

  const input = { hostIds: [hostId], ...extensionInput(fields) };
  const { data } = await assertOk(client.post("/api/renewals/batch", input));

  expect(extensionOf(fields, now - DAY, now)?.isPossible).toBe(true);
  expect(data.results).toMatchObject([{ ok: true }]);
});
