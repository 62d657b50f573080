import { describe, expect, it } from "vitest";
import { type Account, PASSWORD, useApp } from "../harness/app.ts";
import { restClient } from "../harness/rest.ts";
import { rememberStart } from "../harness/restore-users.ts";
import { atOnce, CALLERS, eachRound, onlyWinner, RACE_LIMIT } from "../harness/rounds.ts";

const app = useApp({ config: { trustProxy: 1 } });

async function guess(username: string, address: string): Promise<number> {
  const headers = { "content-type": "application/json", "x-forwarded-for": address };
  const body = JSON.stringify({ username, password: "Wrong1Password" });
  return (await app.anonymous.raw("POST", "/api/auth/login", { headers, body })).status;
}

describe("parallel password guesses", () => {
  it(
    "ten guesses are verified for one account from one address",
    async () => {
      await eachRound(async (round) => {
        const address = `198.51.100.${round}`;
        const statuses = await Promise.all(Array.from({ length: 40 }, () => guess("root", address)));
        expect(statuses.filter((status) => status === 401)).toHaveLength(10);
        expect(await guess("root", address)).toBe(429);
      });
    },
    RACE_LIMIT,
  );

  it(
    "a hundred guesses are verified for one account from many addresses",
    async () => {
      await eachRound(async (round) => {
        const name = `guessed_${round}`;
        let verified = 0;
        for (let wave = 1; wave <= 6; wave++) {
          const addressOf = (n: number) => `203.0.113.${(n % 20) + 1 + round * 20}`;
          const statuses = await Promise.all(Array.from({ length: 40 }, (_, n) => guess(name, addressOf(n))));
          verified += statuses.filter((status) => status === 401).length;
        }
        expect(verified).toBe(100);
      });
    },
    RACE_LIMIT,
  );
});

describe("twenty concurrent callers", () => {
  it(
    "create one user when their usernames differ only in case",
    async () => {
      await eachRound(async (round) => {
        const name = `zhang_san_${round}`;
        const { data } = onlyWinner(
          await atOnce((index) => {
            const username = [...name]
              .map((letter, at) => ((index >> (at % 5)) & 1 ? letter.toUpperCase() : letter))
              .join("");
            return app.root.post("/api/users", { username, password: PASSWORD, name: "张三", role: "client" });
          }),
          [409, "CONFLICT"],
        );
        const rows = await app.database.query("select id from users where lower(username) = $1", [name]);
        expect(rows).toEqual([{ id: data.id }]);
      });
    },
    RACE_LIMIT,
  );

  it(
    "refresh one token once, and only the new token stays valid",
    async () => {
      await eachRound(async () => {
        const { id, token } = await app.signIn("root");
        const { data } = onlyWinner(await atOnce(() => restClient(app.url, token).post("/api/auth/refresh")), [
          401,
          "UNAUTHENTICATED",
        ]);
        expect((await restClient(app.url, token).get("/api/auth/me")).status).toBe(401);
        expect((await restClient(app.url, data.token).get("/api/auth/me")).data.id).toBe(id);
        await restClient(app.url, data.token).post("/api/auth/logout");
        // The first super admin's session predates the race.
        expect(await app.database.query("select count(*)::int as sessions from sessions")).toEqual([{ sessions: 1 }]);
      });
    },
    RACE_LIMIT,
  );
});

describe("two super admins with ten concurrent calls each", () => {
  const REMOVALS = {
    disable: (actor: Account, other: Account) => actor.put(`/api/users/${other.id}`, { isActive: false }),
    delete: (actor: Account, other: Account) => actor.delete(`/api/users/${other.id}`),
  };

  it.each([
    ["disable", "disable"],
    ["delete", "delete"],
    ["disable", "delete"],
  ] as const)(
    "when they %s and %s each other, one survives and can still sign in",
    async (one, other) => {
      const pair = [app.root, await app.account("super_admin")] as const;
      const restart = await rememberStart(app);
      await eachRound(async (round) => {
        await restart();
        const answers = await atOnce((index) => {
          const [actor, target] = (index + round) % 2 === 0 ? pair : [pair[1], pair[0]];
          return REMOVALS[index % 2 === 0 ? one : other](actor, target);
        });
        const rows = await app.database.query("select id from users where role = 'super_admin' and is_active");
        const survivor = pair.find(({ id }) => id === rows[0]?.id);
        expect(rows).toHaveLength(1);
        expect((await survivor?.get("/api/auth/me"))?.status).toBe(200);
        const loser = pair.find((account) => account !== survivor);
        expect((await loser?.get("/api/auth/me"))?.status).toBe(401);
        // The winner may disable a disabled user again, but not delete a deleted one again.
        const refused = answers.filter(({ status }) => status !== 200);
        expect(refused.length).toBeGreaterThanOrEqual(CALLERS / 2);
        for (const { status } of refused) expect([401, 404, 409]).toContain(status);
      });
      const [left] = await app.database.query("select username from users where role = 'super_admin' and is_active");
      await app.signIn(String(left?.username));
    },
    RACE_LIMIT,
  );
});
