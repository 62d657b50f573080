import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { restClient } from "../harness/rest.ts";
import {
  canHarden,
  type Image,
  type Running,
  readImage,
  runHardened,
  runWithBuildah,
} from "./run-image.ts";

const FIRST_PASSWORD = /初始密码：(\S+?)（/;
/** The contract's limit for stopping, in seconds. */
const STOP_LIMIT = 10;

const image = readImage(process.env);
let passed = 0;

check("the image runs as an ordinary user, keeps its data in /data and listens on 3000", () => {
  assert.match(image.User, /^[1-9]\d*:[1-9]\d*$/);
  assert.deepEqual(Object.keys(image.Volumes), ["/data"]);
  assert.deepEqual(Object.keys(image.ExposedPorts), ["3000/tcp"]);
  for (const setting of ["HOST=0.0.0.0", "PORT=3000", "DATA_DIR=/data"])
    assert.ok(image.Env.includes(setting), setting);
});

check("it holds the server and nothing that builds or tests it", () => {
  const parts = ["dist", "mikro-orm.config.ts", "node_modules", "package.json", "scripts", "src"];
  assert.deepEqual(readdirSync(join(image.root, "app")).sort(), parts);
  assert.deepEqual(readdirSync(join(image.root, "app/src")).sort(), ["server", "shared"]);
  const packages = readdirSync(join(image.root, "app/node_modules"));
  for (const name of ["node", "vite", "typescript", "react", "vitest"])
    assert.ok(!packages.includes(name), name);
});

// As `docker run` makes a volume: with the owner that /data has in the image.
mkdirSync(image.volume);
const [uid, gid] = image.User.split(":").map(Number);
const owner = statSync(join(image.root, "data"));
check("/data belongs to its user", () => assert.deepEqual([owner.uid, owner.gid], [uid, gid]));
spawnSync("chown", [image.User, image.volume]);

const settings = { HOST: "127.0.0.1", PORT: "0" };
let password: string;

{
  await using first = await runWithBuildah(image, settings);
  password = await first.line(FIRST_PASSWORD);
  check("its process has the image's user", () =>
    assert.equal(statusOf(first).Uid, `${uid} ${uid} ${uid} ${uid}`),
  );
  await signIn(first);

  const [page, document] = await Promise.all([
    fetch(`${first.url}/`),
    fetch(`${first.url}/api/docs`),
  ]);
  const html = await page.text();
  check("the console and the API's page are served", () => {
    assert.match(html, /<div id="root">/);
    assert.equal(document.status, 200);
  });
  const port = new URL(first.url).port;
  check("its health check is content", () => assert.equal(health(image, port), 0));
  await stops(first);
  check("and is not once it has stopped", () => assert.notEqual(health(image, port), 0));
}

// The data are kept, so the password is still right and no other is made.
const start = canHarden() ? runHardened : runWithBuildah;
{
  await using second = await start(image, settings);
  await signIn(second);
  if (start === runHardened) ranHardened(second);
  else
    console.log(
      "  not checked, as this machine allows no mounts: read-only root, no capabilities, process 1",
    );
  await stops(second);
  check("it printed no new password", () =>
    assert.ok(!second.output.some((line) => FIRST_PASSWORD.test(line))),
  );
}
console.log(
  `${passed} checks passed; chroot isolation cannot show: own network and port mapping, Docker's own use of HEALTHCHECK`,
);

function check(title: string, assertion: () => void): void {
  assertion();
  passed++;
  console.log(`  ${title}`);
}

async function signIn({ url }: Running): Promise<void> {
  const answer = await restClient(url).post("/api/auth/login", { username: "admin", password });
  check("the super admin signs in", () =>
    assert.equal(answer.status, 200, JSON.stringify(answer.body)),
  );
}

async function stops(program: Running): Promise<void> {
  const { code, signal, seconds } = await program.stop();
  check(`SIGTERM ends it with code 0 after ${seconds.toFixed(1)} s`, () => {
    assert.deepEqual({ code, signal }, { code: 0, signal: null });
    assert.ok(seconds < STOP_LIMIT);
  });
}

function ranHardened(program: Running): void {
  const status = statusOf(program);
  check("it is process 1 of its own", () => assert.match(status.NSpid ?? "", / 1$/));
  check("it has no capability and gets none", () => {
    for (const set of ["CapEff", "CapPrm", "CapBnd"]) assert.match(status[set] ?? "", /^0+$/);
    assert.equal(status.NoNewPrivs, "1");
  });
  check("its root was read-only", () => {
    const mounts = readFileSync(`/proc/${program.serverPid}/mountinfo`, "utf8").split("\n");
    assert.match(
      mounts.map((line) => line.split(" ")).find((fields) => fields[4] === "/")?.[5] ?? "",
      /^ro\b/,
    );
  });
}

function statusOf(program: Running): Record<string, string | undefined> {
  const lines = readFileSync(`/proc/${program.serverPid}/status`, "utf8").split("\n");
  const fields = lines.map((line) => line.split(":\t"));
  return Object.fromEntries(fields.map(([name, value]) => [name, value?.replaceAll("\t", " ")]));
}

function health({ buildah, container, Healthcheck: { Test } }: Image, port: string): number | null {
  const [, ...command] = Test;
  const { file, args } = buildah(
    "run",
    "--isolation",
    "chroot",
    "--env",
    `PORT=${port}`,
    container,
    "--",
    ...command,
  );
  return spawnSync(file, args, { stdio: "ignore" }).status;
}
