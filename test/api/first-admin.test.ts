import { describe, expect, it, onTestFinished } from "vitest";
import { ensureFirstAdmin } from "../../src/server/auth/first-admin.ts";
import { createPasswordHasher } from "../../src/server/auth/password-hasher.ts";
import { systemClock } from "../../src/server/core/clock.ts";
import { createLocalBus } from "../../src/server/core/local-bus.ts";
import { createLog } from "../../src/server/core/log.ts";
import { openOrm } from "../../src/server/database/open.ts";
import { NewPassword } from "../../src/shared/passwords.ts";
import { useApp, WEAK_HASHES } from "../harness/app.ts";

const app = useApp();
const log = createLog({ level: "silent", pretty: false });

async function replica() {
  const orm = await openOrm({ connection: app.database.connection, log });
  onTestFinished(() => orm.close());
  const passwords = createPasswordHasher({ concurrency: 2, maxWaiting: 10, cost: WEAK_HASHES });
  return { em: orm.em.fork(), bus: createLocalBus(), passwords, clock: systemClock, log };
}

describe("the first super admin", () => {
  it("signs in with the configured password and need not change it", async () => {
    expect((await app.root.get("/api/auth/me")).data).toMatchObject({
      username: "root",
      role: "super_admin",
      mustChangePassword: false,
    });
  });

  it("signs in with a generated password and must change it", async () => {
    await app.database.query("delete from users");
    const made = await ensureFirstAdmin(await replica(), { username: "boss", password: null });
    expect(made?.username).toBe("boss");
    const password = made?.generatedPassword ?? "";
    expect(NewPassword.safeParse(password).success).toBe(true);
    const answer = await app.anonymous.post("/api/auth/login", { username: "boss", password });
    expect(answer.data.user).toMatchObject({ role: "super_admin", mustChangePassword: true });
  });

  it("is not created while any super admin exists, even a disabled one", async () => {
    await app.database.query("update users set is_active = false");
    expect(await ensureFirstAdmin(await replica(), { username: "boss", password: null })).toBeNull();
    expect(await app.database.query("select id from users")).toHaveLength(1);
  });

  it("is created once by replicas that start together", async () => {
    await app.database.query("delete from users");
    const made = await Promise.all(
      Array.from({ length: 6 }, async (_, index) =>
        ensureFirstAdmin(await replica(), { username: `boss${index}`, password: null }),
      ),
    );
    expect(made.filter((admin) => admin !== null)).toHaveLength(1);
    expect(await app.database.query("select id from users where role = 'super_admin'")).toHaveLength(1);
  });

  it("does not get a username that is taken", async () => {
    await app.database.query("delete from users");
    await app.database.query(
      `insert into users (id, username, password_hash, name, role, created_at)
       values (gen_random_uuid(), 'Boss', 'x', 'Boss', 'client', 0)`,
    );
    await expect(ensureFirstAdmin(await replica(), { username: "boss", password: null })).rejects.toThrow(
      /ADMIN_USERNAME/,
    );
  });
});
