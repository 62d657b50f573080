import { beforeEach, describe, expect, it } from "vitest";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { useApp } from "../harness/app.ts";
import { fixedClock } from "../harness/clocks.ts";
import type { RestAnswer } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";

const clock = fixedClock();
const app = useApp({
  overrides: { clock },
  config: { trustProxy: 1, session: { ttl: 1e9, idle: 1e9 } },
});
const WRONG = "Wrong1Password";

/** Headers of other proxies, which count for nothing. */
const FORGED = ["forwarded", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"];
const forged = (address: string) =>
  Object.fromEntries(FORGED.map((header) => [header, `for=${address}`]));

/** The harness signs in from the loopback address. */
function post(
  path: string,
  input: object,
  address: string,
  { anonymous } = app,
): Promise<RestAnswer> {
  const headers = {
    "content-type": "application/json",
    "x-forwarded-for": address,
    ...forged(address),
  };
  return anonymous.raw("POST", path, { headers, body: JSON.stringify(input) });
}

const attempt = (username: string, password: string, address: string, server = app) =>
  post("/api/auth/login", { username, password }, address, server);

const signIn = async (username: string, password: string, address = "198.51.100.1") =>
  (await attempt(username, password, address)).status;

async function fail(username: string, times: number, address?: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < times; count++) statuses.push(await signIn(username, WRONG, address));
  return statuses;
}

/** A hundred failures from ten addresses. */
async function failFromEverywhere(username: string): Promise<void> {
  for (let n = 1; n <= 10; n++)
    expect(await fail(username, 10, `203.0.113.${n}`)).toEqual(times(10, 401));
}

const times = (count: number, status: number) => Array.from({ length: count }, () => status);

describe("sign-ins to one account from one address", () => {
  it("limits failed sign-ins to ten in five minutes, and says for how long", async () => {
    await app.account("client", { username: "wang" });
    expect(await fail("wang", 10)).toEqual(times(10, 401));

    const refused = await attempt("wang", WRONG, "198.51.100.1");

    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "300"]);
    expect(refused.body).toMatchObject({
      code: "TOO_MANY_REQUESTS",
      message: "密码错误次数过多，请 5 分钟后再试",
    });
  });

  it("accepts the right password from another address meanwhile", async () => {
    await fail("root", 10);

    expect(await signIn("root", PASSWORD, "198.51.100.2")).toBe(200);
  });

  it("accepts guesses and the right password again after five minutes", async () => {
    await fail("root", 10);

    clock.forward(299);
    const early = await signIn("root", PASSWORD);
    clock.forward(1);
    const guess = await signIn("root", WRONG);
    const right = await signIn("root", PASSWORD);

    expect([early, guess, right]).toEqual([429, 401, 200]);
  });

  it("verifies ten of twenty guesses in a batch, and then none over REST", async () => {
    const guesses = Array.from({ length: 20 }, (_, n) => [
      n,
      { username: "root", password: `Wrong${n}Password` },
    ]);
    const path = `/trpc/${Array(20).fill("auth.login").join()}?batch=1`;
    const { data } = await post(path, Object.fromEntries(guesses), "198.51.100.9");
    const codes = data.map((each: { error: { data: { code: string } } }) => each.error.data.code);

    expect(codes.filter((code: string) => code === "LOGIN_FAILED")).toHaveLength(10);
    expect(await signIn("root", PASSWORD, "198.51.100.9")).toBe(429);
  });

  it("verifies ten of forty concurrent guesses", async () => {
    for (const address of ["198.51.100.1", "198.51.100.2", "198.51.100.3"]) {
      const statuses = await Promise.all(
        Array.from({ length: 40 }, () => signIn("root", WRONG, address)),
      );
      expect(statuses.toSorted()).toEqual([...times(10, 401), ...times(30, 429)]);
      expect(await signIn("root", WRONG, address)).toBe(429);
    }
  });

  it("takes no count of right passwords that come at once, after many wrong ones", async () => {
    await fail("root", 9);

    const statuses = await Promise.all(Array.from({ length: 4 }, () => signIn("root", PASSWORD)));
    const later = await signIn("root", PASSWORD);

    expect(statuses).toContain(200);
    expect(later).toBe(200);
    expect(await fail("root", 11)).toEqual([...times(10, 401), 429]);
  });

  it("verifies only one of four guesses that come at once after nine", async () => {
    const address = "198.51.100.7";
    await fail("root", 9, address);

    const attempts = [WRONG, WRONG, WRONG, WRONG].map((password) =>
      signIn("root", password, address),
    );
    const statuses = await Promise.all(attempts);

    expect(statuses.toSorted()).toEqual([401, 429, 429, 429]);
  });

  it("returns the retry delay over tRPC as well", async () => {
    await fail("root", 10, "127.0.0.1");
    for (const [path, body] of [
      ["/trpc/auth.login", { username: "root", password: PASSWORD }],
      ["/trpc/auth.login?batch=1", { 0: { username: "root", password: PASSWORD } }],
    ] as const) {
      const { status, headers } = await app.anonymous.post(path, body);
      expect([status, headers.get("retry-after")]).toEqual([429, "300"]);
    }
  });

  it.each(["wang", "nobody_here", "没有这个人"])(
    "counts failures whatever the case of the name: %s",
    async (name) => {
      await app.account("client", { username: "wang" });

      const statuses = [...(await fail(name, 5)), ...(await fail(name.toUpperCase(), 6))];

      expect(statuses).toEqual([...times(10, 401), 429]);
    },
  );

  it("counts failures for that account alone", async () => {
    await app.account("client", { username: "wang" });
    await fail("wang", 10);

    expect(await signIn("root", PASSWORD)).toBe(200);
  });

  it("resets the count after a successful sign-in", async () => {
    for (let round = 0; round < 2; round++) {
      expect(await fail("root", 9)).toEqual(times(9, 401));
      expect(await signIn("root", PASSWORD)).toBe(200);
    }
  });

  it("resets the count when the password is reset, of that account alone", async () => {
    const client = await app.account("client", { username: "Wang_Er" });
    // A pattern would match it as well.
    await app.account("client", { username: "WangXEr" });
    await fail("Wang_Er", 10);
    await fail("WangXEr", 10);

    const { data } = await app.root.post(`/api/users/${client.id}/reset-password`);

    expect(await signIn("Wang_Er", data.newPassword)).toBe(200);
    expect(await signIn("WangXEr", PASSWORD)).toBe(429);
  });

  it("resets the count when the username becomes free", async () => {
    const client = await app.account("client", { username: "Wang_Er" });
    await fail("Wang_Er", 10);
    // As after a hundred failures from many addresses.
    await app.database.query(
      "update login_failures set failures = 101 where account_key = 'account:wang_er'",
    );
    await app.root.delete(`/api/users/${client.id}`);

    await app.account("client", { username: "Wang_Er" });

    expect(await signIn("Wang_Er", PASSWORD)).toBe(200);
  });
});

describe("a right sign-in", () => {
  /** What it leaves of seven failures, by counter. */
  const LEFT = { account: 7, address: 7, pair: 0 };

  beforeEach(async () => {
    // Those of the harness, which has signed in itself.
    await app.database.query("delete from login_failures");
    await fail("root", 1);
  });

  it("has the counters that are named here", async () => {
    const rows = await app.database.query("select account_key from login_failures");

    const counters = rows.map(({ account_key }) => String(account_key).split(":")[0]);
    expect(counters.sort()).toEqual(Object.keys(LEFT).sort());
  });

  it.each(Object.entries(LEFT))(
    "leaves, where only %s has seven failures, %i",
    async (name, left) => {
      const counter = `${name}:%`;
      await app.database.query(
        `update login_failures
         set failures = case when account_key like $1 then 7 else 0 end`,
        [counter],
      );

      expect(await signIn("root", PASSWORD)).toBe(200);

      const rows = await app.database.query(
        "select failures from login_failures where account_key like $1",
        [counter],
      );
      expect(rows.map(({ failures }) => failures)).toEqual(left === 0 ? [] : [left]);
    },
  );
});

describe("sign-ins from one address", () => {
  /** As many failures as are allowed less one, each for another account. */
  async function failForMany(): Promise<void> {
    for (let n = 0; n < 49; n++) expect(await fail(`name_${n}`, 1)).toEqual([401]);
  }

  it("are limited to fifty failures in five minutes, which a right one does not reset", async () => {
    await failForMany();
    expect(await signIn("root", PASSWORD)).toBe(200);
    expect(await fail("name_50", 1)).toEqual([401]);

    const refused = await attempt("root", PASSWORD, "198.51.100.1");
    const elsewhere = await signIn("root", PASSWORD, "198.51.100.2");
    clock.forward(300);
    const later = await signIn("root", PASSWORD);

    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "300"]);
    expect([elsewhere, later]).toEqual([200, 200]);
  });

  it("with right passwords for several accounts at once do not count", async () => {
    const names = ["wang", "zhang", "liu", "zhao", "chen"];
    for (const username of names) await app.account("client", { username });
    await failForMany();

    await Promise.all([...names, ...names].map((name) => signIn(name, PASSWORD)));

    for (const name of names) expect(await signIn(name, PASSWORD)).toBe(200);
    expect(await fail("name_50", 2)).toEqual([401, 429]);
  });
});

describe.each<{ trustProxy: false | string[]; count: string; eleventh: number }>([
  { trustProxy: false, count: "one address", eleventh: 429 },
  { trustProxy: ["127.0.0.0/8"], count: "the named addresses", eleventh: 401 },
])(
  "failed sign-ins that each name another address, with trustProxy $trustProxy",
  ({ trustProxy, count, eleventh }) => {
    const server = useApp({ config: { trustProxy } });

    it(`count for ${count}`, async () => {
      const statuses: number[] = [];
      for (let n = 0; n < 11; n++)
        statuses.push((await attempt("root", WRONG, `203.0.113.${n}`, server)).status);

      expect(statuses).toEqual([...times(10, 401), eleventh]);
    });
  },
);

describe("sign-ins to one account from many addresses", () => {
  it("limits failures to a hundred in an hour for addresses that never signed in", async () => {
    await app.account("client", { username: "wang" });
    expect(await signIn("root", PASSWORD)).toBe(200);
    await failFromEverywhere("wang");

    const refused = await attempt("WANG", PASSWORD, "198.51.100.1");
    clock.forward(3599);
    const early = await signIn("wang", PASSWORD);
    clock.forward(1);
    const later = await signIn("wang", PASSWORD);

    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
    expect(refused.body).toMatchObject({ message: "密码错误次数过多，请 60 分钟后再试" });
    expect([early, later]).toEqual([429, 200]);
  });

  it("does not block an address that signed in to the account within ninety days", async () => {
    await signIn("root", PASSWORD, "2001:db8:1:2::1");
    await signIn("root", PASSWORD, "192.0.2.2");
    clock.forward(90 * DAY_SECONDS - 1);
    await signIn("root", PASSWORD, "2001:db8:1:2::1");
    clock.forward(1);
    await failFromEverywhere("root");

    const neverSignedIn = await signIn("root", PASSWORD, "198.51.100.1");
    const tooLongAgo = await signIn("root", PASSWORD, "192.0.2.2");
    const sameNetwork = await signIn("root", PASSWORD, "2001:db8:1:2::2");

    expect([neverSignedIn, tooLongAgo, sameNetwork]).toEqual([429, 429, 200]);
    // Its own limit holds all the same.
    expect(await fail("root", 11, "2001:db8:1:2::3")).toEqual([...times(10, 401), 429]);
  });

  it("remembers the hundred newest addresses of an account", async () => {
    const now = clock.now();
    await app.database.query(`
      insert into known_addresses (user_id, address, last_signed_in_at)
      select id, '192.0.2.' || n, ${now - 1000} + n
      from users, generate_series(1, 100) n where username = 'root'
    `);

    await signIn("root", PASSWORD, "198.51.100.1");

    const known = await app.database.query("select address from known_addresses");
    const addresses = known.map(({ address }) => address);
    expect(addresses).toHaveLength(100);
    expect(addresses).toContain("198.51.100.1");
    expect(addresses).not.toContain("192.0.2.1");
  });

  it("does not let one address lock an account with what is beyond its own limit", async () => {
    await fail("root", 120, "203.0.113.1");
    expect(await signIn("root", PASSWORD, "198.51.100.1")).toBe(200);
  });
});

it("a flood of wrong sign-ins from one address keeps the queue open to others", async () => {
  await app.account("client", { username: "wang" });
  const flood = Promise.all(
    Array.from({ length: 50 }, (_, n) => signIn(`flood_${n}`, WRONG, "203.0.113.1")),
  );
  const others = Array.from({ length: 10 }, (_, n) => signIn("wang", PASSWORD, `198.51.100.${n}`));
  expect(await Promise.all(others)).toEqual(times(10, 200));
  const verified = (await flood).filter((status) => status === 401).length;
  const counted = "select failures from login_failures where account_key = 'address:203.0.113.1'";
  const [counter] = await app.database.query(counted);
  expect(counter?.failures).toBe(verified);
});
