import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyTestTemplate } from "../../harness/database.ts";
import type { RestClient } from "../../harness/rest.ts";
import { eventually, openStage, signIn } from "../../harness/stage.ts";
import { printOutcome, slowest } from "./outcomes.ts";
import { ROUNDS_LIMIT, rounds } from "./rounds.ts";

/** As much as the database takes, and some more. */
const DISK = "200m";
const RECOVERY_LIMIT = 10_000;
/** Enough to need new pages of the database and of its log. */
const REMARK = "满".repeat(200);

// Only root may mount a disk that is small enough to be filled, and not everywhere.
test.skipIf(!canMount())(
  "a full disk makes writes fail with 503 and leaves reads alone; with space again all is well",
  async () => {
    await using stage = await openStage({ server: null, hosts: 0 });
    using disk = mountDisk();
    const settings = { DATA_DIR: join(disk.directory, "data") };
    await copyTestTemplate(settings.DATA_DIR);
    const server = await stage.start(settings);
    const root = await signIn(server.url);
    const acknowledged = new Set<string>();
    const recoveries: number[] = [];
    const total = rounds(5, 1);
    for (let round = 0; round < total; round++) {
      for (let n = 0; n < 20; n++) {
        expect((await write(root, `${round}-before-${n}`)).status).toBe(201);
        acknowledged.add(`${round}-before-${n}`);
      }
      const filler = disk.fill();
      const refused = await writeUntilRefused(root, `${round}`, acknowledged);
      expect([refused.status, refused.data.code]).toEqual([503, "UNAVAILABLE"]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      for (const path of ["/api/users", "/api/auth/me", "/api/hosts/configs/list"]) {
        expect((await root.get(path)).status, path).toBe(200);
      }
      rmSync(filler);
      const began = performance.now();
      await eventually(async () => expect((await write(root, `${round}-healed`)).status).toBe(201), RECOVERY_LIMIT);
      acknowledged.add(`${round}-healed`);
      recoveries.push(performance.now() - began);
    }
    expect(await server.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    const next = await stage.start(settings);
    const { data } = await (await signIn(next.url)).get("/api/hosts/configs/list");
    const names = new Set(data.map(({ name }: { readonly name: string }) => name));
    expect([...acknowledged].filter((name) => !names.has(name))).toEqual([]);
    await next.kill("SIGTERM");
    printOutcome({
      scenario: "the disk full",
      database: "embedded",
      rounds: total,
      outcome: `writes 503, reads 200; well again in ${slowest(recoveries)} at most; ${acknowledged.size} acknowledged writes, 0 lost`,
    });
  },
  ROUNDS_LIMIT,
);

async function write(root: RestClient, name: string) {
  const keys = { publicKey: "a".repeat(20), privateKey: "b".repeat(200) };
  const fields = {
    name,
    ...keys,
    apiUrl: "https://8.8.8.8/",
    defaultRegion: "cn-bj2",
    remark: REMARK,
    isActive: false,
  };
  return await root.post("/api/hosts/configs", fields);
}

async function writeUntilRefused(root: RestClient, prefix: string, acknowledged: Set<string>) {
  for (let n = 0; n < 5_000; n++) {
    const answer = await write(root, `${prefix}-${n}`);
    if (answer.status !== 201) return answer;
    acknowledged.add(`${prefix}-${n}`);
  }
  throw new Error("the disk did not fill");
}

function canMount(): boolean {
  try {
    using _disk = mountDisk();
    return true;
  } catch {
    return false;
  }
}

/** A disk of its own in memory. */
function mountDisk() {
  const directory = mkdtempSync(join(tmpdir(), "host-console-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", directory]);
  return {
    directory,
    /** Takes what is left, to the last byte; answers the file to remove. */
    fill(): string {
      const path = join(directory, "filler");
      const file = openSync(path, "w");
      try {
        for (let size = 1024 * 1024; size >= 1; ) {
          try {
            writeSync(file, Buffer.alloc(size));
          } catch {
            size = Math.floor(size / 2);
          }
        }
      } finally {
        closeSync(file);
      }
      return path;
    },
    [Symbol.dispose]() {
      execFileSync("umount", ["-l", directory]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
