import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import { failureOf } from "../harness/data.ts";
import { follow } from "../harness/raw-client.ts";
import {
  assertOk,
  JSON_TYPE,
  type RestAnswer,
  type RestClient,
  restClient,
} from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { codeAt, enableSecondFactor, insertSecondFactor, STEP } from "../harness/second-factor.ts";
import { startApp } from "../harness/start-app.ts";

const clock = fixedClock();
const app = useApp({ overrides: { clock }, config: { trustProxy: 1 } });

const WRONG_CODE = "000000";
const REFUSED = { status: 401, data: { code: "LOGIN_FAILED" } };
/** Where a recovery code is accepted, too. */
const WRONG_EITHER = "验证码或恢复码不正确，或已经使用过";

const wrongField = (message: string) => ({
  status: 400,
  data: { code: "INVALID_INPUT", errors: [{ field: "code", message }] },
});

const logIn = (username: string, password = PASSWORD) =>
  app.anonymous.post("/api/auth/login", { username, password });

async function challengeOf(username: string, password = PASSWORD): Promise<string> {
  const { data } = await assertOk(logIn(username, password));
  return String(data.secondFactor.challenge);
}

const sendCode = (challenge: string, code: string) =>
  app.anonymous.post("/api/auth/second-factor", { challenge, code });

const isSignedIn = async (client: RestClient) => (await client.get("/api/auth/me")).status === 200;

/** A client whose second factor is on; its next code is that of the next step. */
async function clientWithFactor() {
  const client = await app.account("client");
  const { secret, recoveryCodes } = await enableSecondFactor(client, clock.now());
  clock.forward(STEP);
  return { client, recoveryCodes, code: () => codeAt(secret, clock.now()), secret };
}

describe("setting up a second factor", () => {
  it("needs the password, and is on when a code of the newest secret confirms it", async () => {
    const client = await app.account("client");
    const other = await app.signIn(client.username);
    await using watching = await follow(app.url, other.token);
    const setUp = (password: string) => client.post("/api/auth/totp/setup", { password });
    const confirm = (secret: string) =>
      client.post("/api/auth/totp/confirm", { code: codeAt(secret, clock.now()) });

    expect(failureOf(await setUp("Wrong1Password"))).toEqual([400, "WRONG_PASSWORD"]);
    const first = await assertOk(setUp(PASSWORD));
    const second = await assertOk(setUp(PASSWORD));
    expect(second.data.otpauthUrl).toMatch(/^otpauth:\/\/totp\//);
    expect(new URL(second.data.otpauthUrl).searchParams.get("secret")).toBe(second.data.secret);
    expect((await logIn(client.username)).data.token).toEqual(expect.any(String));
    expect(await confirm(first.data.secret)).toMatchObject(
      wrongField("验证码不正确，或已经使用过"),
    );
    const confirmed = await confirm(second.data.secret);

    expect([confirmed.status, new Set(confirmed.data.recoveryCodes).size]).toEqual([200, 10]);
    expect([await isSignedIn(client), await isSignedIn(other)]).toEqual([true, false]);
    expect((await watching.closed).code).toBe(4401);
    expect((await setUp(PASSWORD)).data.code).toBe("STATE_CONFLICT");
    expect((await confirm(second.data.secret)).data.code).toBe("STATE_CONFLICT");
  });

  it("is shown to the user and to super admins, to its admin as null", async () => {
    const admin = await app.account("admin");
    const client = await app.account("client", { adminId: admin.id });
    const seen = async () => {
      const own = await client.get("/api/auth/me");
      const byRoot = await app.root.get(`/api/users/${client.id}`);
      const byAdmin = await admin.get(`/api/users/${client.id}`);
      const listed = await admin.get("/api/users");
      return [own.data, byRoot.data, byAdmin.data, listed.data.users[0]].map(
        ({ secondFactorEnabled }) => secondFactorEnabled,
      );
    };
    await assertOk(client.post("/api/auth/totp/setup", { password: PASSWORD }));
    expect(await seen()).toEqual([false, false, null, null]);

    await enableSecondFactor(client, clock.now());

    expect(await seen()).toEqual([true, true, null, null]);
  });
});

describe("signing in with a second factor", () => {
  it("answers a challenge for five minutes, and with a code a session", async () => {
    const { client, code } = await clientWithFactor();

    const { status, data } = await logIn(client.username);

    const { challenge } = data.secondFactor;
    expect([status, data]).toEqual([
      200,
      { secondFactor: { challenge: expect.any(String), expiresAt: clock.now() + 300 } },
    ]);
    expect(await isSignedIn(restClient(app.url, challenge))).toBe(false);
    const answer = await sendCode(challenge, code());
    expect(answer).toMatchObject({ status: 200, data: { user: { id: client.id } } });
    expect(await isSignedIn(restClient(app.url, answer.data.token))).toBe(true);
  });

  it("says nothing of the second factor before the password is right", async () => {
    const { client } = await clientWithFactor();

    const { status, data } = await logIn(client.username, "Wrong1Password");

    expect([status, data.message]).toEqual([401, "用户名或密码错误"]);
  });

  it.each([
    ["of the step before", -STEP, 200],
    ["of the step after", STEP, 200],
    ["two steps early", -2 * STEP, 401],
    ["two steps late", 2 * STEP, 401],
  ])("takes a code %s as its clock allows", async (_which, offset, status) => {
    const { client, secret } = await clientWithFactor();
    clock.forward(3 * STEP);

    const challenge = await challengeOf(client.username);

    expect((await sendCode(challenge, codeAt(secret, clock.now() + offset))).status).toBe(status);
  });

  it("takes a code in blanks, hyphens and full-width digits", async () => {
    const { client, code } = await clientWithFactor();
    const wide = [...code()].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
    const typed = ` ${wide.slice(0, 3).join("")}－${wide.slice(3).join("　")}`;

    const answer = await sendCode(await challengeOf(client.username), typed);

    expect(answer.status).toBe(200);
  });

  it("accepts a code once, also for another challenge and for other changes", async () => {
    const { client, code } = await clientWithFactor();
    await assertOk(sendCode(await challengeOf(client.username), code()));

    const again = await sendCode(await challengeOf(client.username), code());

    expect(again).toMatchObject({ status: 401, data: { message: WRONG_EITHER } });
    const body = { password: PASSWORD, code: code() };
    expect(await client.post("/api/auth/totp/disable", body)).toMatchObject(
      wrongField(WRONG_EITHER),
    );
  });

  it("accepts each recovery code once, in any case and with or without hyphens", async () => {
    const { client, recoveryCodes } = await clientWithFactor();
    const [first = "", second = ""] = recoveryCodes;
    const attempt = async (code: string) =>
      (await sendCode(await challengeOf(client.username), code)).status;

    expect(await attempt(first)).toBe(200);
    expect(await attempt(first)).toBe(401);
    expect(await attempt(second.toLowerCase().replaceAll("-", " "))).toBe(200);
  });

  it("ends a challenge at the fifth wrong code, and counts them as failed sign-ins", async () => {
    const { client, code } = await clientWithFactor();
    const challenge = await challengeOf(client.username);
    const statuses: string[] = [];
    for (let count = 0; count < 5; count++) {
      statuses.push((await sendCode(challenge, WRONG_CODE)).data.code);
    }

    const ended = await sendCode(challenge, code());

    expect(statuses).toEqual(Array(5).fill("LOGIN_FAILED"));
    expect(ended).toMatchObject(REFUSED);
    expect(ended.data.message).toBe("登录验证已失效，请重新输入用户名和密码");
  });

  it("limits wrong codes to ten in five minutes, however often the password is right", async () => {
    const { client, code } = await clientWithFactor();
    const other = await clientWithFactor();
    const challenges = [];
    for (let count = 0; count < 3; count++) challenges.push(await challengeOf(client.username));
    const [first = "", second = "", third = ""] = challenges;
    for (let count = 0; count < 5; count++) {
      expect((await sendCode(first, WRONG_CODE)).status).toBe(401);
      await logIn(client.username);
      expect((await sendCode(second, WRONG_CODE)).status).toBe(401);
    }

    const refused = await sendCode(third, code());

    expect([refused.status, refused.data.message]).toEqual([
      429,
      "验证码错误次数过多，请 5 分钟后再试",
    ]);
    expect((await logIn(client.username)).status).toBe(429);
    expect((await sendCode(await challengeOf(other.client.username), other.code())).status).toBe(
      200,
    );
  });

  it("refuses a challenge after five minutes, an unknown one, and one of another user", async () => {
    const { client, secret } = await clientWithFactor();
    const other = await clientWithFactor();
    const late = await challengeOf(client.username);
    clock.forward(299);
    const fresh = await challengeOf(other.client.username);
    clock.forward(1);
    const code = codeAt(secret, clock.now());

    expect(await sendCode(late, code)).toMatchObject(REFUSED);
    expect(await sendCode("x".repeat(43), code)).toMatchObject(REFUSED);
    expect(await sendCode(fresh, code)).toMatchObject(REFUSED);
    expect((await sendCode(fresh, other.code())).status).toBe(200);
  });

  it.each([
    ["disabled", (id: string) => app.root.put(`/api/users/${id}`, { isActive: false })],
    ["deleted", (id: string) => app.root.delete(`/api/users/${id}`)],
    ["given another password", (id: string) => app.root.post(`/api/users/${id}/reset-password`)],
  ])("refuses a challenge of a user who was %s meanwhile", async (_how, change) => {
    const { client, code } = await clientWithFactor();
    const challenge = await challengeOf(client.username);

    await assertOk(change(client.id));

    expect(await sendCode(challenge, code())).toMatchObject(REFUSED);
  });

  it("is still asked for a code after the password was reset", async () => {
    const { client, code } = await clientWithFactor();
    const { data } = await assertOk(app.root.post(`/api/users/${client.id}/reset-password`));

    const challenge = await challengeOf(client.username, data.newPassword);

    const { user } = (await assertOk(sendCode(challenge, code()))).data;
    expect(user).toMatchObject({ mustChangePassword: true, secondFactorEnabled: true });
  });
});

describe("codes at the same moment", () => {
  const CALLERS = 20;

  /** From an address of its own, at which nothing was counted. */
  function sendFrom(url: string, index: number, body: object): Promise<RestAnswer> {
    const headers = { ...JSON_TYPE, "x-forwarded-for": `203.0.113.${index}` };
    const init = { headers, body: JSON.stringify(body) };
    return restClient(url).raw("POST", "/api/auth/second-factor", init);
  }

  async function sendTwenty(challenges: readonly string[], code: string): Promise<number[]> {
    await using other = await startApp(app.database.connection, {
      overrides: { clock },
      config: { trustProxy: 1 },
    });
    const answers = await Promise.all(
      Array.from({ length: CALLERS }, (_, index) => {
        const challenge = challenges[index % challenges.length] ?? "";
        return sendFrom(index % 2 === 0 ? app.url : other.url, index, { challenge, code });
      }),
    );
    return answers.map(({ status }) => status).toSorted();
  }

  it.each([
    ["a code of the authenticator", 0],
    ["a recovery code", 1],
  ])("let one in with %s, on two replicas", async (_what, which) => {
    const { client, code, recoveryCodes } = await clientWithFactor();
    const challenges: string[] = [];
    for (let count = 0; count < CALLERS; count++) {
      challenges.push(await challengeOf(client.username));
    }

    const statuses = await sendTwenty(challenges, [code(), recoveryCodes[0] ?? ""][which] ?? "");

    expect(statuses).toEqual([200, ...Array(CALLERS - 1).fill(401)]);
  });

  it("have no more than five tries with one challenge", async () => {
    const { client, code } = await clientWithFactor();
    const challenge = await challengeOf(client.username);

    const statuses = await sendTwenty([challenge], WRONG_CODE);

    expect(statuses).toEqual(Array(CALLERS).fill(401));
    expect((await sendCode(challenge, code())).status).toBe(401);
    const rows = await app.database.query("select failures from sign_in_challenges");
    expect(rows).toEqual([]);
  });
});

describe("changing the own second factor", () => {
  const path = (change: string) => `/api/auth/totp/${change}`;

  it("makes ten other recovery codes, after the password and a code", async () => {
    const { client, code, recoveryCodes } = await clientWithFactor();
    const renew = (password: string, code: string) =>
      client.post(path("recovery-codes"), { password, code });

    expect(failureOf(await renew("Wrong1Password", code()))).toEqual([400, "WRONG_PASSWORD"]);
    expect(await renew(PASSWORD, WRONG_CODE)).toMatchObject(wrongField(WRONG_EITHER));
    const renewed = (await assertOk(renew(PASSWORD, code()))).data.recoveryCodes;

    expect(new Set([...renewed, ...recoveryCodes]).size).toBe(20);
    const [former = ""] = recoveryCodes;
    expect((await sendCode(await challengeOf(client.username), former)).status).toBe(401);
    expect((await sendCode(await challengeOf(client.username), renewed[0])).status).toBe(200);
  });

  it("switches it off with a recovery code, and ends the other sessions", async () => {
    const { client, code, recoveryCodes } = await clientWithFactor();
    const signedIn = await sendCode(await challengeOf(client.username), code());
    const other = restClient(app.url, signedIn.data.token);
    const waiting = await challengeOf(client.username);
    const disable = () =>
      client.post(path("disable"), { password: PASSWORD, code: recoveryCodes[0] });

    expect(await disable()).toMatchObject({ status: 200, data: {} });

    expect([await isSignedIn(client), await isSignedIn(other)]).toEqual([true, false]);
    clock.forward(STEP);
    expect(await sendCode(waiting, code())).toMatchObject(REFUSED);
    expect((await logIn(client.username)).data.token).toEqual(expect.any(String));
    expect(failureOf(await disable())).toEqual([409, "STATE_CONFLICT"]);
    const rows = await app.database.query("select from recovery_codes");
    expect(rows).toEqual([]);
  });

  it("limits wrong codes to ten in five minutes, whatever the password", async () => {
    const { client, code } = await clientWithFactor();
    const disable = (code: string) => client.post(path("disable"), { password: PASSWORD, code });
    for (let count = 0; count < 10; count++) {
      expect((await disable(WRONG_CODE)).status).toBe(400);
    }

    expect((await disable(code())).status).toBe(429);
    clock.forward(300);
    expect((await disable(code())).status).toBe(200);
  });

  it("goes on after the clock was ahead when a code was accepted", async () => {
    const { client, code } = await clientWithFactor();
    const future = Math.floor(clock.now() / STEP) + 1_000_000;
    await app.database.query("update second_factors set last_used_step = $1", [future]);

    expect((await sendCode(await challengeOf(client.username), code())).status).toBe(200);
  });
});

describe("resetting the second factor of a user", () => {
  it("lets in with the password alone, and ends all sessions", async () => {
    const { client } = await clientWithFactor();
    await using watching = await follow(app.url, client.token);
    await using observing = await follow(app.url, app.root.token);

    const answer = await app.root.post(`/api/users/${client.id}/reset-second-factor`);

    expect([answer.status, answer.data]).toEqual([200, {}]);
    expect([await isSignedIn(client), (await watching.closed).code]).toEqual([false, 4401]);
    expect((await logIn(client.username)).data.user.secondFactorEnabled).toBe(false);
    await observing.until(({ events }) =>
      events.some(({ event }) => event.type === "user.changed" && event.data.id === client.id),
    );
  });

  it("is refused for oneself", async () => {
    await insertSecondFactor(app.database, app.root.id);

    const answer = await app.root.post(`/api/users/${app.root.id}/reset-second-factor`);

    expect(failureOf(answer)).toEqual([409, "CONFLICT"]);
  });
});
