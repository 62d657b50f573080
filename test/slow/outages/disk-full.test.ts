import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createInactiveConfig } from "../../harness/calls.ts";
import { copyTestTemplate } from "../../harness/database.ts";
import { ROUNDS_LIMIT, rounds } from "../../harness/rounds.ts";
import { openServerFixture, signIn } from "../../harness/server-fixture.ts";

/** As much as the database takes, and some more. */
const DISK = "200m";

// Only root may mount a disk that is small enough to be filled, and not everywhere.
test.skipIf(!canMount())(
  "a full disk makes writes fail with 503 and leaves reads alone",
  { timeout: ROUNDS_LIMIT },
  async () => {
    await using fixture = await openServerFixture({ server: null, hosts: 0 });
    const { directory } = fixture.storage;
    using disk = mountDisk(directory);
    await copyTestTemplate(join(directory, "data"));
    const server = await fixture.start();
    const root = await signIn(server.url);
    const acknowledged: string[] = [];
    const write = async () => {
      const name = `配置 ${acknowledged.length}`;
      const answer = await createInactiveConfig(root, name);
      if (answer.status === 201) acknowledged.push(name);
      return answer;
    };
    for (let round = 0; round < rounds(5, 1); round++) {
      for (let n = 0; n < 20; n++) expect((await write()).status).toBe(201);
      const filler = disk.fill();
      let answer = await write();
      for (let n = 0; n < 5_000 && answer.status === 201; n++) answer = await write();
      expect([answer.status, answer.data.code]).toEqual([503, "UNAVAILABLE"]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      for (const path of ["/api/users", "/api/auth/me", "/api/hosts/configs/list"]) {
        expect((await root.get(path)).status, path).toBe(200);
      }
      rmSync(filler);
      await expect.poll(async () => (await write()).status).toBe(201);
    }
    expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    const next = await fixture.start();
    const { data } = await (await signIn(next.url)).get("/api/hosts/configs/list");
    const names = data.map(({ name }: { readonly name: string }) => name);
    expect(acknowledged.filter((name) => !names.includes(name))).toEqual([]);
    await next.kill("SIGTERM");
  },
);

function canMount(): boolean {
  const directory = mkdtempSync(join(tmpdir(), "host-console-disk-"));
  try {
    using _disk = mountDisk(directory);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** A disk of its own in memory, over what is in the directory. */
function mountDisk(directory: string) {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", directory]);
  return {
    /** Takes what is left, to the last byte; returns the file to remove. */
    fill(): string {
      const path = join(directory, "filler");
      const file = openSync(path, "w");
      for (let size = 1024 * 1024; size >= 1; ) {
        try {
          writeSync(file, Buffer.alloc(size));
        } catch {
          size = Math.floor(size / 2);
        }
      }
      closeSync(file);
      return path;
    },
    [Symbol.dispose]() {
      execFileSync("umount", ["-l", directory]);
    },
  };
}
