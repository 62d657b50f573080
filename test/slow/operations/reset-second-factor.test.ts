import { expect, test } from "vitest";
import { now } from "../../harness/data.ts";
import { outcomeOf } from "../../harness/programs.ts";
import { ROOT_USER } from "../../harness/root-user.ts";
import { enableSecondFactor } from "../../harness/second-factor.ts";
import { openServerFixture, signIn } from "../../harness/server-fixture.ts";
import { TEST_SERVER_URL } from "../../harness/storage.ts";
import { startAdmin } from "./commands.ts";

const DATABASES = [
  { name: "the embedded database", where: null },
  { name: "a PostgreSQL server", where: TEST_SERVER_URL },
];
/** Without a server the second would be the embedded one again. */
const AVAILABLE = DATABASES.slice(0, TEST_SERVER_URL === null ? 1 : 2);

test.each(AVAILABLE)("a lost phone is replaced beside a running server on $name", async (on) => {
  await using fixture = await openServerFixture({ hosts: 1, server: on.where });
  const server = await fixture.start();
  const root = await signIn(server.url);
  await enableSecondFactor(root, now(), ROOT_USER.password);
  const reset = (...args: readonly string[]) =>
    outcomeOf(startAdmin(fixture.settings, "reset-second-factor", ...args));

  expect(await reset("nobody")).toMatchObject({
    code: 1,
    stderr: ["没有用户名为 nobody 的用户，未作任何改动。"],
  });
  expect(await reset()).toMatchObject({ code: 1, stderr: [expect.stringMatching(/^用法/)] });
  expect(await reset(ROOT_USER.username.toUpperCase())).toMatchObject({ code: 0, stderr: [] });

  expect((await root.get("/api/auth/me")).status).toBe(401);
  const again = await signIn(server.url);
  expect((await again.get("/api/auth/me")).data.secondFactorEnabled).toBe(false);
});
