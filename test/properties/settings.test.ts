import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { type Account, useApp } from "../harness/app.ts";
import { DAY, insertHost } from "../harness/data.ts";
import { stillClock } from "../harness/fixed-clock.ts";
import { rememberStart } from "../harness/restore-users.ts";
import {
  DONE,
  FORBIDDEN,
  INVALID,
  type Made,
  mostly,
  PROPERTY_LIMIT,
  pick,
  tellStories,
  verdictOf,
} from "./random-actions.ts";

const clock = stillClock();
const FOREVER = 1_000_000_000;
const app = useApp({ overrides: { clock }, config: { session: { ttl: FOREVER, idle: FOREVER } } });
const IPS = [{ Type: "Private", IP: "10.9.0.7" }];
const FLAG = "show_network_info_to_client";

/** The cast is the super admin, the client's admin, another one, the client. */
const anybody = fc.nat(3);
/** A setting is a boolean, or absent to stay as it is; nothing that looks like a boolean will do. */
const value = fc.oneof(
  { weight: 4, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: fc.constantFrom<unknown>("true", "false", 1, 0, "", null, [], [true], {}, undefined) },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const more = fc.option(fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue(), { maxKeys: 2 }), {
  nil: {},
  freq: 8,
});
const start = fc.constantFrom(-2 * DAY, -DAY, 0, 1);
const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ call: fc.constant("set"), actor: mostly([0], anybody), value, more }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant("assign"), start, days: fc.constantFrom(1, 2) }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant("unassign") }) },
  { weight: 3, arbitrary: fc.record({ call: fc.constant("forward"), seconds: fc.constantFrom(1, DAY - 1, DAY) }) },
);

interface Model {
  isShown: boolean;
  period: { readonly from: number; readonly to: number } | null;
}

let cast: readonly Account[];
let client: Account;
let hostId: string;
let restart: () => Promise<void>;

beforeEach(async () => {
  clock.rewind();
  const admins = [await app.account("admin"), await app.account("admin")];
  client = await app.account("client", { adminId: admins[0]?.id ?? "" });
  cast = [app.root, ...admins, client];
  hostId = await insertHost(app, { ip_set: IPS });
  restart = await rememberStart(app);
});

it(
  "settings: only booleans are taken, and a client sees addresses while they are shown and the assignment is current",
  async () => {
    await tellStories(action, {
      runs: 6,
      async tell(story) {
        clock.rewind();
        await restart();
        const model: Model = { isShown: false, period: null };
        for (const each of story) {
          await play(model, each);
          await look(model);
        }
      },
    });
  },
  PROPERTY_LIMIT,
);

async function play(model: Model, told: Made<typeof action>): Promise<void> {
  const pair = { hostId, userId: client.id };
  switch (told.call) {
    case "set": {
      const actor = pick(cast, told.actor);
      const isGood =
        [true, false, undefined].some((good) => good === told.value) &&
        Object.keys(told.more).every((key) => key === FLAG);
      const answer = await actor.put("/api/system-config", { ...told.more, [FLAG]: told.value });
      const expected = actor !== app.root ? FORBIDDEN : isGood ? DONE : INVALID;
      expect(verdictOf(answer), JSON.stringify(told)).toEqual(expected);
      if (expected === DONE && told.value !== undefined) model.isShown = told.value === true;
      return;
    }
    case "assign": {
      const from = clock.now() + told.start;
      model.period = { from, to: from + told.days * DAY };
      const input = { ...pair, assignedAt: from, assignedExpireTime: model.period.to };
      return expect(verdictOf(await app.root.post("/api/hosts/assign", input))).toEqual(DONE);
    }
    case "unassign":
      await app.root.post("/api/hosts/unassign", pair);
      model.period = null;
      return;
    case "forward":
      clock.forward(told.seconds);
  }
}

async function look({ isShown, period }: Model): Promise<void> {
  const [root, own, foreign, seen] = await Promise.all(cast.map((account) => account.get(`/api/hosts/${hostId}`)));
  const now = clock.now();
  const hasBegun = period !== null && period.from <= now;
  const isCurrent = hasBegun && now <= period.to;
  expect(root?.data.ipSet).toEqual(IPS);
  expect(own?.data.ipSet).toEqual(period === null ? undefined : IPS);
  expect([own?.status, foreign?.status, seen?.status]).toEqual([
    period === null ? 404 : 200,
    404,
    hasBegun ? 200 : 404,
  ]);
  if (hasBegun) expect(seen?.data.ipSet).toEqual(isShown && isCurrent ? IPS : []);
}
