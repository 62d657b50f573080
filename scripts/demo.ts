import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { type AppOptions, createApp, type RunningApp } from "../src/server/app.ts";
import { systemClock } from "../src/server/platform/clock.ts";
import { connectionConfig } from "../src/server/platform/database/open.ts";
import { openEmbeddedDatabase } from "../src/server/platform/embedded-database/open.ts";
import { type Config, readConfig } from "../src/server/platform/environment/config.ts";
import { describeOperationalError } from "../src/server/platform/errors.ts";
import { createLog, ignoreOutputErrors } from "../src/server/platform/log.ts";
import { stopSignal } from "../src/server/platform/stop-signal.ts";
import { openStorage } from "../src/server/storage.ts";
import { MAIN_KEYS, OTHER_KEYS } from "../src/simulator/options.ts";
import { query } from "../test/harness/database.ts";
import { type ProviderProgram, ROOT, startProvider } from "../test/harness/programs.ts";
import { startDemoReceiver } from "./demo/demo-receiver.ts";
import { type ChannelTargets, sendMessages } from "./demo/messages.ts";
import { DEMO_ADMIN, fillDemo, SIGN_INS } from "./demo-data.ts";

const DAY = 86_400;
const YEAR = 365 * DAY;
/** The password is printed anyway; a sign-in replaces its hash. */
const QUICK_HASHES = { memoryCost: 1024, timeCost: 2 };
/** Of the provider once somebody watches. */
const LATENCY_MS = 120;
/** Closed to a new account. */
const REGION = "cn-sh";
const MARK_SCHEDULED = `
  update sync_runs
  set trigger = 'schedule', requested_by = null, requested_by_name = null, queued_at = started_at
  where config_id = $1`;
const Projects = z.array(z.object({ id: z.string() }));

ignoreOutputErrors();
try {
  await runDemo(once(stopSignal(process.env), "abort"));
} catch (error) {
  process.exitCode = 1;
  console.error(describeOperationalError(error) ?? error);
}

/**
 * A server with a simulated provider and the other sides of its notice channels, on a database that
 * is deleted at the end.
 */
async function runDemo(stopped: Promise<unknown>): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const dataDir = resources.adopt(
    await mkdtemp(join(tmpdir(), "host-console-demo-")),
    (directory) => rm(directory, { recursive: true, force: true }),
  );
  const simulator = resources.use(
    await startProvider([
      "--hosts",
      "1200",
      "--projects",
      "6",
      "--jitter",
      "80",
      "--clock",
      "system",
    ]),
  );
  const webhookSecret = `whsec_${randomBytes(32).toString("base64")}`;
  const receiver = resources.use(await startDemoReceiver(webhookSecret));
  const config = readConfig(
    {
      ...process.env,
      DATA_DIR: dataDir,
      // The demo never touches a database that the environment names.
      DATABASE_URL: "",
      DATABASE_URL_FILE: "",
      ADMIN_USERNAME: DEMO_ADMIN.username,
      ADMIN_PASSWORD: DEMO_ADMIN.password,
      ADMIN_PASSWORD_FILE: "",
      PROVIDER_ALLOWED_ORIGINS: simulator.url,
      OUTBOUND_ALLOWED: `127.0.0.1:${receiver.mailPort},${receiver.url}`,
      // For links in messages.
      PUBLIC_ORIGINS: process.env.PUBLIC_ORIGINS ?? `http://127.0.0.1:${process.env.PORT ?? 3000}`,
      LOG_LEVEL: process.env.LOG_LEVEL ?? "warn",
    },
    false,
  );
  const log = createLog({ level: config.logLevel, pretty: false });
  // Opening it takes longer than anything else at a start, so it stays open.
  const database = resources.use(await openEmbeddedDatabase({ dataDir, log }));
  const connection = { kind: "embedded", ...database.connection } as const;
  const startApp: StartApp = async (settings, options) => {
    const storage = await openStorage(config, { connection, log });
    return await createApp({ ...config, ...settings }, { ...options, storage, log });
  };
  const markScheduled = (configId: string) =>
    query({ connection: connectionConfig(connection) }, MARK_SCHEDULED, [configId]);
  const targets = { mailPort: receiver.mailPort, webhookUrl: receiver.url, webhookSecret };
  await fill(startApp, simulator, { markScheduled, targets });
  const app = resources.use(await startApp({}, { consoleDir: join(ROOT, "dist/client") }));

  console.log(`\n多主机管理系统演示已就绪：${app.url}\n`);
  for (const { role, username, password } of SIGN_INS)
    console.log(`  ${role}\t${username}\t${password}`);
  console.log(`\n邮件与 Webhook 渠道发出的消息：${receiver.url}`);
  console.log("登录超级管理员后，在“主机管理”中点击“同步主机”，即可看到同步逐个地域进行。");
  console.log("演示数据在退出（Ctrl+C）后删除。\n");
  await Promise.race([stopped, app.failed, database.failed, simulator.exited]);
}

type StartApp = (
  settings: Partial<Config>,
  options: Omit<AppOptions, "storage" | "log">,
) => Promise<RunningApp>;

interface FillOptions {
  readonly markScheduled: (configId: string) => Promise<unknown>;
  readonly targets: ChannelTargets;
}

/** With a clock that can be set back, on a port of its own. */
async function fill(
  startApp: StartApp,
  { url: apiUrl, control }: ProviderProgram,
  { markScheduled, targets }: FillOptions,
): Promise<void> {
  let age = 0;
  const clock = { ...systemClock, now: () => systemClock.now() - age };
  // Sessions outlive the days that pass, and sign-ins may come from other addresses.
  const settings = { port: 0, session: { ttl: YEAR, idle: YEAR }, trustProxy: 1 };
  await using app = await startApp(settings, { clock, passwordCost: QUICK_HASHES });
  const projects = Projects.parse(await control("projects"));
  await control("setRegionOpen", REGION, true);
  await control("addHosts", { region: REGION });
  const provider = {
    account: { apiUrl, ...MAIN_KEYS },
    otherKeys: OTHER_KEYS,
    // The last ones are of the other accounts.
    projectIds: projects.slice(0, -OTHER_KEYS.length).map(({ id }) => id),
    control,
    closeRegion: () => control("setRegionOpen", REGION, false),
  };
  const setAge = (days: number) => {
    age = Math.round(days * DAY);
  };
  await fillDemo({ url: app.url, setAge, markScheduled }, provider);
  await sendMessages(app.url, targets);
  await control("setLatency", LATENCY_MS);
}
