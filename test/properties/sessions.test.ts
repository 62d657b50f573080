import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { type Account, PASSWORD, useApp } from "../harness/app.ts";
import { stillClock } from "../harness/fixed-clock.ts";
import { restClient } from "../harness/rest.ts";
import { rememberStart } from "../harness/restore-users.ts";
import { DONE, type Made, MISSING, mostly, PROPERTY_LIMIT, pick, tellStories, verdictOf } from "./random-actions.ts";
import { sessionsModel } from "./sessions-model.ts";

const LIMITS = { ttl: 900, idle: 600 } as const;
const clock = stillClock();
const app = useApp({ overrides: { clock }, config: { session: LIMITS } });
const OTHER_PASSWORD = "Wrong2Battery";
/** Around every limit there is: notes of use, idle and whole life of a session, the window of failures. */
const SECONDS = [59, 60, 61, 299, 300, 301, 599, 600, 601, 899, 900] as const;

/** The one that is right at the time, the one of the beginning, or another. */
type Password = "right" | "first" | "other";

/** Mostly the newest one. */
const session = mostly([0], fc.nat(7));
const password = fc.constantFrom<Password>("right", "right", "right", "first", "other");
const seconds = fc.constantFrom(...SECONDS);
const action = fc.oneof(
  { weight: 12, arbitrary: fc.record({ call: fc.constant("login"), password, times: fc.constantFrom(1, 1, 1, 9) }) },
  {
    weight: 12,
    arbitrary: fc.record({ call: fc.constantFrom("me", "settings", "logout", "refresh", "refresh"), session }),
  },
  { weight: 8, arbitrary: fc.record({ call: fc.constant("change"), session, current: password, next: password }) },
  { weight: 8, arbitrary: fc.record({ call: fc.constant("forward"), seconds }) },
  { weight: 5, arbitrary: fc.record({ call: fc.constantFrom("disable", "enable", "enable", "reset") }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant("delete") }) },
);
type Model = ReturnType<typeof sessionsModel>;

interface Scene {
  readonly model: Model;
  /** Every token there ever was, the dead ones too. */
  readonly tokens: string[];
}

let client: Account;
let restart: () => Promise<void>;

beforeEach(async () => {
  clock.rewind();
  client = await app.account("client");
  // Whoever operates is there at every hour.
  await app.database.query("update sessions set expires_at = 1e11, last_used_at = 1e11 where user_id = $1", [
    app.root.id,
  ]);
  await app.database.query("delete from sessions where user_id = $1", [client.id]);
  restart = await rememberStart(app);
});

it(
  "sessions: whatever happens to an account in whatever order, exactly the right tokens live",
  async () => {
    await tellStories(action, {
      runs: 8,
      async tell(story) {
        clock.rewind();
        await restart();
        const scene: Scene = {
          model: sessionsModel({ now: clock.now, ...LIMITS, password: PASSWORD }),
          tokens: [],
        };
        for (const each of [{ call: "login", password: "right", times: 1 } as const, ...story]) await play(scene, each);
        for (const token of scene.tokens) await expectVerdict(scene, "settings", token);
      },
    });
  },
  PROPERTY_LIMIT,
);

async function play(scene: Scene, told: Made<typeof action>): Promise<void> {
  const { model, tokens } = scene;
  switch (told.call) {
    case "login":
      for (let count = 0; count < told.times; count++) await signIn(scene, typed(scene, told.password));
      return;
    case "me":
    case "settings":
    case "logout":
    case "refresh":
      if (tokens.length > 0) await expectVerdict(scene, told.call, pick(tokens.toReversed(), told.session));
      return;
    case "change": {
      if (tokens.length === 0) return;
      const token = pick(tokens.toReversed(), told.session);
      const [currentPassword, newPassword] = [typed(scene, told.current), typed(scene, told.next)];
      const answer = await restClient(app.url, token).put("/api/auth/password", { currentPassword, newPassword });
      expect(verdictOf(answer), JSON.stringify(told)).toEqual(model.change(token, currentPassword, newPassword));
      return;
    }
    case "forward":
      clock.forward(told.seconds);
      return;
    default:
      await operate(scene, told.call);
  }
}

function typed({ model }: Scene, password: Password): string {
  return { right: model.password(), first: PASSWORD, other: OTHER_PASSWORD }[password];
}

async function signIn({ model, tokens }: Scene, password: string): Promise<void> {
  const answer = await app.anonymous.post("/api/auth/login", { username: client.username.toUpperCase(), password });
  const expected = model.login(password);
  expect(verdictOf(answer)).toEqual(expected);
  if (expected !== DONE) return;
  model.signedIn(answer.data.token);
  tokens.push(answer.data.token);
}

async function expectVerdict({ model, tokens }: Scene, call: keyof typeof CALLS, token: string): Promise<void> {
  const [method, path] = CALLS[call];
  const answer = await restClient(app.url, token).raw(method, path);
  const expected = model[call](token);
  expect(verdictOf(answer), call).toEqual(expected);
  if (call !== "refresh" || expected !== DONE) return;
  model.refreshed(token, answer.data.token);
  tokens.push(answer.data.token);
}

const CALLS = {
  me: ["GET", "/api/auth/me"],
  settings: ["GET", "/api/system-config"],
  logout: ["POST", "/api/auth/logout"],
  refresh: ["POST", "/api/auth/refresh"],
} as const;

/** What the super admin does to the account. */
async function operate({ model }: Scene, call: "disable" | "enable" | "reset" | "delete"): Promise<void> {
  const path = `/api/users/${client.id}`;
  const answer = await {
    disable: () => app.root.put(path, { isActive: false }),
    enable: () => app.root.put(path, { isActive: true }),
    reset: () => app.root.post(`${path}/reset-password`),
    delete: () => app.root.delete(path),
  }[call]();
  expect(verdictOf(answer), call).toEqual(model.isDeleted() ? MISSING : DONE);
  if (answer.status !== 200) return;
  if (call === "reset") model.reset(answer.data.newPassword);
  else model.switch(({ disable: "disabled", enable: "active", delete: "deleted" } as const)[call]);
}
