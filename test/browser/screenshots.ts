import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium, type Page } from "@playwright/test";
import config from "../../playwright.config.ts";
import type { Host } from "../../src/shared/hosts.ts";
import type { SyncRun } from "../../src/shared/sync.ts";
import { ROOT, startProgram } from "../harness/programs.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";
import { signIn as signInToApi, syncAll } from "../harness/server-fixture.ts";
import { PHONE, submitSignIn } from "./actions.ts";

/**
 * Takes pictures of every screen of the demo, in both themes and sizes, into docs/screenshots or
 * another directory. `--only` limits them to the screens of these names; `login` is one, too.
 *
 *     npm run screenshots -- [DIRECTORY] [--only NAME]…
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", multiple: true } },
});
const OUTPUT = positionals[0] ?? join(ROOT, "docs/screenshots");
const SIZES = { desktop: { width: 1440, height: 900 }, phone: PHONE.viewport };
/** The password of every user of the demo. */
const PASSWORD = "Yanshi2026";

interface Screen {
  readonly path: string;
  /** What a person does there before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>;
}

await mkdir(OUTPUT, { recursive: true });
await using demo = startProgram({ args: [join(ROOT, "scripts/demo.ts")], env: { PORT: "0" } });
const baseURL = await demo.line(/演示已就绪：(http:\S+)/);
const root = await signInToApi(baseURL, { username: "admin", password: PASSWORD });
const screensOfUsers = await findScreens(root);
await syncAll(root);
await using browser = await chromium.launch(config.use?.launchOptions);

for (const colorScheme of ["light", "dark"] as const) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const [username, screens] of Object.entries(screensOfUsers)) {
      const options = { colorScheme, viewport, locale: "zh-CN", timezoneId: "Asia/Shanghai" };
      await using context = await browser.newContext({ baseURL, ...options });
      const page = await context.newPage();
      const takePicture = async (name: string) => {
        await page.screenshot({ path: join(OUTPUT, `${name}-${size}-${colorScheme}.png`) });
      };

      await page.goto("/login");
      await page.getByRole("button", { name: "登录", exact: true }).waitFor();
      if (username === "admin" && isWanted("login")) await takePicture("login");
      await submitSignIn(page, { username, password: PASSWORD });
      await page.waitForURL(/dashboard/);

      for (const [name, { path, act }] of Object.entries(screens)) {
        if (!isWanted(name)) continue;
        await page.goto(path);
        await page.waitForLoadState("networkidle");
        await act?.(page);
        await takePicture(name);
      }
    }
  }
}

function isWanted(name: string): boolean {
  return values.only === undefined || values.only.includes(name);
}

/**
 * The screens of each user by name. The host of the pictures has a history, and the run is the one
 * that updated most hosts.
 */
async function findScreens(api: RestClient): Promise<Record<string, Record<string, Screen>>> {
  const search = encodeURIComponent("物流跟踪-主节点");
  const { hosts } = (await assertOk(api.get(`/api/hosts?search=${search}`))).data;
  const { runs } = (await assertOk(api.get("/api/hosts/sync-runs"))).data;
  const host: Host = hosts[0];
  const [run] = runs.toSorted((a: SyncRun, b: SyncRun) => b.updated - a.updated);

  return {
    admin: {
      dashboard: { path: "/dashboard" },
      hosts: { path: "/hosts" },
      "hosts-table": { path: "/hosts?view=table" },
      host: { path: `/hosts?host=${host.id}` },
      "host-history": { path: `/hosts?host=${host.id}&tab=history` },
      configs: { path: "/configs" },
      "config-paused": { path: "/configs", act: showPausedConfig },
      users: { path: "/users" },
      user: { path: `/users/${host.users[0]?.id}` },
      changes: { path: "/changes?period=week" },
      renewals: { path: "/renewals" },
      "system-config": { path: "/system-config" },
      sync: { path: "/hosts?panel=sync" },
      "sync-changes": { path: `/hosts?panel=sync&run=${run?.id}`, act: openChanges },
      account: { path: "/account" },
      "not-found": { path: "/nowhere" },
      forbidden: { path: "/unauthorized" },
    },
    zhang_kehu: {
      "client-dashboard": { path: "/dashboard" },
      "client-hosts": { path: "/hosts" },
      "client-renewals": { path: "/client/renewals" },
    },
    li_guanli: {
      "admin-dashboard": { path: "/dashboard" },
      "admin-hosts": { path: "/hosts" },
      "my-clients": { path: "/my-clients" },
    },
  };
}

async function showPausedConfig(page: Page): Promise<void> {
  await page.getByText("自动同步已暂停").last().scrollIntoViewIfNeeded();
}

async function openChanges(page: Page): Promise<void> {
  await page.getByRole("button", { name: /查看变更的主机$/ }).click();
  await page.getByRole("list", { name: "主机的变化" }).waitFor();
}
