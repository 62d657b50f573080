import { crc32 } from "node:zlib";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { buildToken, makeToken, OTHER_ADDRESS } from "../harness/api-tokens.ts";
import { type Account, useApp } from "../harness/app.ts";
import { cleanUp } from "../harness/clean-up.ts";
import { fixedClock, START } from "../harness/clocks.ts";
import { failureOf, MISSING } from "../harness/data.ts";
import { useLogLines } from "../harness/log-lines.ts";
import { connect } from "../harness/raw-client.ts";
import { assertOk, type RestClient, restClient } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { scrape } from "../harness/scrape.ts";

const METRICS_TOKEN = "token-of-the-metrics";
const EXPIRES_AT = START + 30 * DAY_SECONDS;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const clock = fixedClock();
const { lines, log } = useLogLines();
// One proxy is trusted, so that a test says from where a call comes.
const app = useApp({
  overrides: { clock, log },
  config: { trustProxy: 1, session: { ttl: 3600, idle: 600 }, metricsToken: METRICS_TOKEN },
});

let owner: Account;

beforeEach(async () => {
  onTestFinished(() => clock.rewind());
  owner = await app.account("super_admin");
});

const statusOf = async (client: RestClient) => (await client.get("/api/auth/me")).status;
const make = (more: Parameters<typeof makeToken>[2] = {}) =>
  makeToken(app.url, owner, { expiresAt: EXPIRES_AT, ...more });
const callFrom = async ({ token }: { readonly token: string }, address: string) => {
  const headers = { "x-forwarded-for": address };
  return (await restClient(app.url, token).raw("GET", "/api/hosts", { headers })).status;
};

/** What an answer lists of a token, by default as it was made. */
function listed({ id, token }: { readonly id: string; readonly token: string }, more = {}) {
  const { name, scope } = buildToken();
  return {
    id,
    name,
    hint: token.slice(-4),
    scope,
    allowedAddresses: [],
    createdAt: START,
    expiresAt: EXPIRES_AT,
    lastUsedAt: null,
    lastUsedAddress: null,
    ...more,
  };
}

/** The number that the digits of base 62 are. */
function fromBase62(digits: string): bigint {
  return [...digits].reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n);
}

describe("a new API token", () => {
  it("is shown once, with its fields; lists and the database do not have it", async () => {
    const allowedAddresses = ["203.0.113.7", "2001:db8::/32"];
    const input = { ...buildToken({ scope: "read", expiresAt: EXPIRES_AT }), allowedAddresses };

    const answer = await owner.post("/api/auth/tokens", input);
    const list = await owner.get("/api/auth/tokens");
    const [row] = await app.database.query("select to_jsonb(t)::text as text from api_tokens t");

    const { token, ...shown } = answer.data;
    expect(answer.status).toBe(201);
    expect(shown).toEqual(listed(answer.data, { scope: "read", allowedAddresses }));
    expect(list.data).toEqual([shown]);
    expect(list.body).toEqual({ data: [shown] });
    expect(row?.text).not.toContain(token.slice(4, 40));
    expect(lines.join("")).not.toContain(token.slice(4, 40));
  });

  it("has a prefix, 256 random bits, and a checksum that a scanner can verify", async () => {
    const tokens = await Promise.all([make(), make(), make()]);

    for (const { token } of tokens) {
      const [, random = "", checksum = ""] = /^hct_(\w{43})(\w{6})$/.exec(token) ?? [];
      expect(fromBase62(random)).toBeLessThan(2n ** 256n);
      expect(fromBase62(checksum)).toBe(BigInt(crc32(random)));
    }
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(3);
  });

  it("ends in the future, and at most 366 days from now", async () => {
    const statusOfEnd = async (expiresAt: number) =>
      failureOf(await owner.post("/api/auth/tokens", buildToken({ expiresAt })));
    const longest = START + 366 * DAY_SECONDS;

    expect(await statusOfEnd(START)).toEqual([400, "INVALID_INPUT"]);
    expect(await statusOfEnd(longest + 1)).toEqual([400, "INVALID_INPUT"]);
    expect((await make({ expiresAt: longest })).id).not.toBe("");
    expect((await make({ expiresAt: START + 1 })).id).not.toBe("");
  });

  it("is refused beside twenty live ones; expired and revoked ones do not count", async () => {
    const create = () => owner.post("/api/auth/tokens", buildToken({ expiresAt: EXPIRES_AT }));
    await make({ expiresAt: START + 1 });
    const revoked = await make();
    clock.forward(1);
    await assertOk(owner.delete(`/api/auth/tokens/${revoked.id}`));

    const answers = await Promise.all(Array.from({ length: 22 }, create));

    const refused = answers.filter(({ status }) => status !== 201);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(refused.map(failureOf)).toEqual(Array(2).fill([409, "STATE_CONFLICT"]));
  });
});

describe("a call with an API token", () => {
  it("acts as its user, with its scope", async () => {
    const reader = (await make({ scope: "read" })).client;
    const writer = (await make({ scope: "full" })).client;
    const change = { show_network_info_to_client: true };

    expect((await reader.get("/api/auth/me")).data.id).toBe(owner.id);
    expect(failureOf(await reader.put("/api/system-config", change))).toEqual([403, "TOKEN_SCOPE"]);
    expect((await writer.put("/api/system-config", change)).status).toBe(200);
    expect((await reader.get("/api/system-config")).data).toMatchObject(change);
    expect(failureOf(await writer.get("/api/auth/tokens"))).toEqual([403, "TOKEN_SCOPE"]);
  });

  it("is none with one digit changed, nor with a session's token in its form", async () => {
    const { token } = await make();
    const changed = `${token.slice(0, 10)}${token[10] === "a" ? "b" : "a"}${token.slice(11)}`;

    expect(await statusOf(restClient(app.url, changed))).toBe(401);
    expect(await statusOf(restClient(app.url, `hct_${owner.token}`))).toBe(401);
  });

  it("works to the last second before its end, whatever ends sessions", async () => {
    const { client } = await make({ expiresAt: START + 5_000 });
    await app.database.query("delete from sessions where user_id = $1", [owner.id]);

    clock.forward(4_999);
    expect(await statusOf(client)).toBe(200);
    clock.forward(1);
    expect(await statusOf(client)).toBe(401);
  });

  it("notes when and from where the token was used, at most once a minute", async () => {
    const made = await make();
    const use = async () => {
      await callFrom(made, OTHER_ADDRESS);
      const [row] = await app.database.query(
        "select last_used_at::int as at, last_used_address as address from api_tokens",
      );
      return row;
    };

    expect(await use()).toEqual({ at: START, address: OTHER_ADDRESS });
    clock.forward(59);
    expect(await use()).toEqual({ at: START, address: OTHER_ADDRESS });
    clock.forward(1);
    expect(await use()).toEqual({ at: START + 60, address: OTHER_ADDRESS });
    // A clock that was ahead is mended.
    clock.rewind();
    expect(await use()).toEqual({ at: START, address: OTHER_ADDRESS });
  });
});

describe("the addresses of an API token", () => {
  it.each([
    { allowed: ["203.0.113.7"], from: "203.0.113.7", status: 200 },
    { allowed: ["203.0.113.7"], from: "203.0.113.8", status: 401 },
    { allowed: ["203.0.113.7"], from: "::ffff:203.0.113.7", status: 200 },
    { allowed: ["::ffff:203.0.113.7"], from: "203.0.113.7", status: 200 },
    { allowed: ["::ffff:203.0.113.0/120"], from: "203.0.113.9", status: 200 },
    { allowed: ["198.51.100.1", "203.0.113.0/24"], from: "203.0.113.255", status: 200 },
    { allowed: ["203.0.113.0/24"], from: "203.0.114.0", status: 401 },
    { allowed: ["2001:db8::/32"], from: "2001:DB8:0::1", status: 200 },
    { allowed: ["2001:db8::/32"], from: "2001:db9::1", status: 401 },
    { allowed: ["0.0.0.0/0"], from: "2001:db8::1", status: 401 },
    { allowed: ["::/0"], from: "203.0.113.7", status: 401 },
    { allowed: [], from: "203.0.113.7", status: 200 },
  ])("$allowed: a call from $from is answered $status", async ({ allowed, from, status }) => {
    const made = await make({ allowedAddresses: allowed });

    expect(await callFrom(made, from)).toBe(status);
  });

  it("are those of the caller before a trusted proxy, on the socket as well", async () => {
    const { token } = await make({ allowedAddresses: ["203.0.113.7"] });
    const headers = (address: string) => ({ "x-forwarded-for": `203.0.113.7, ${address}` });
    await using there = await connect(app.url, token, headers("203.0.113.7"));
    await using elsewhere = await connect(app.url, token, headers("203.0.113.8"));
    there.send({ id: 1, method: "query", params: { path: "auth.me" } });
    await there.until(({ messages }) => messages.some(({ id }) => id === 1));

    expect(there.messages[0]?.result?.data).toMatchObject({ id: owner.id });
    expect(await elsewhere.closed).toEqual({ code: 4401, reason: "UNAUTHENTICATED" });
  });

  it("that refuse a call leave no use, and a warning in the log", async () => {
    const made = await make({ allowedAddresses: ["203.0.113.7"] });
    lines.splice(0);

    await callFrom(made, "203.0.113.8");

    const warning = { msg: "API token refused: not allowed from there", ip: "203.0.113.8" };
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ ...warning, tokenId: made.id }),
    );
    const { data } = await owner.get("/api/auth/tokens");
    expect(data).toMatchObject([{ id: made.id, lastUsedAt: null, lastUsedAddress: null }]);
  });
});

describe("the API tokens of a user", () => {
  it("outlive a changed password, ended sessions and signing out", async () => {
    const { client } = await make();
    await app.signIn(owner.username);
    const passwords = { currentPassword: PASSWORD, newPassword: "Another2Horse" };

    await assertOk(owner.delete("/api/auth/sessions"));
    await assertOk(owner.put("/api/auth/password", passwords));
    await assertOk(owner.post("/api/auth/logout"));

    expect(await statusOf(client)).toBe(200);
  });

  it("get nothing between a reset of the password and its change", async () => {
    const { client } = await make();
    const hosts = async () => failureOf(await client.get("/api/hosts"));
    const { data } = await assertOk(app.root.post(`/api/users/${owner.id}/reset-password`));

    const meanwhile = await hosts();
    const own = await app.signIn(owner.username, data.newPassword);
    const passwords = { currentPassword: data.newPassword, newPassword: "Another2Horse" };
    await assertOk(own.put("/api/auth/password", passwords));

    expect(meanwhile).toEqual([403, "FORBIDDEN"]);
    expect((await client.get("/api/hosts")).status).toBe(200);
  });

  it("end for good when it is disabled, and when it is deleted", async () => {
    const { client } = await make();
    const path = `/api/users/${owner.id}`;

    await assertOk(app.root.put(path, { isActive: false }));
    const disabled = await statusOf(client);
    await assertOk(app.root.put(path, { isActive: true }));

    expect([disabled, await statusOf(client)]).toEqual([401, 401]);
    owner = await app.signIn(owner.username);
    expect((await owner.get("/api/auth/tokens")).data).toEqual([]);

    const other = await make();
    await assertOk(app.root.delete(path));
    expect(await statusOf(other.client)).toBe(401);
  });

  it("are refused while it is disabled, whoever wrote that", async () => {
    const { client } = await make();
    await app.database.query("update users set is_active = false where id = $1", [owner.id]);

    expect(await statusOf(client)).toBe(401);
  });

  it("are listed and revoked by a super admin, each under its own user only", async () => {
    const client = await app.account("client");
    const made = await makeToken(app.url, client, { expiresAt: EXPIRES_AT });
    const tokensOf = (id: string) => `/api/users/${id}/tokens`;

    expect((await owner.get(tokensOf(client.id))).data).toEqual([listed(made)]);
    for (const path of [`${tokensOf(owner.id)}/${made.id}`, `/api/auth/tokens/${made.id}`]) {
      expect(failureOf(await owner.delete(path))).toEqual([404, "NOT_FOUND"]);
    }
    expect((await owner.get(tokensOf(MISSING))).status).toBe(404);
    const revoked = await owner.delete(`${tokensOf(client.id)}/${made.id}`);

    expect([revoked.status, revoked.data]).toEqual([200, {}]);
    expect(await statusOf(made.client)).toBe(401);
    expect((await owner.delete(`${tokensOf(client.id)}/${made.id}`)).status).toBe(404);
  });

  it("stay listed for 30 days after their end, and are removed then", async () => {
    const made = await make({ expiresAt: START + 100 });
    const left = async () => {
      const rows = await app.database.query("select id from api_tokens");
      return rows.map(({ id }) => id);
    };

    await cleanUp(app, { clock: { now: () => START + 99 + 30 * DAY_SECONDS } });
    expect(await left()).toEqual([made.id]);
    await cleanUp(app, { clock: { now: () => START + 100 + 30 * DAY_SECONDS } });

    expect(await left()).toEqual([]);
  });

  it("that were used within the last day are counted by scope", async () => {
    const reader = await make({ scope: "read" });
    await make();
    const inUse = async () => {
      const { value } = await scrape(app.url, METRICS_TOKEN);
      return ["read", "full"].map((scope) => value("console_api_tokens_in_use", { scope }));
    };

    await callFrom(reader, OTHER_ADDRESS);
    expect(await inUse()).toEqual([1, 0]);
    clock.forward(DAY_SECONDS);

    expect(await inUse()).toEqual([0, 0]);
  });
});
