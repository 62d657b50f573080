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
import { drawLetters } from "./letters.ts";

/**
 * Takes pictures of every screen of the demo, and of letters, in both themes and sizes, into
 * docs/screenshots or another directory. `--only` limits them to the screens and letters of these
 * names; `login` is one, too.
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
await using browser = await chromium.launch(config.use?.launchOptions);
await drawLetters(browser, OUTPUT, isWanted);

await using demo = startProgram({ args: [join(ROOT, "scripts/demo.ts")], env: { PORT: "0" } });
const baseURL = await demo.line(/演示已就绪：(http:\S+)/);
const root = await signInToApi(baseURL, { username: "admin", password: PASSWORD });
const screensOfUsers = await findScreens(root);
await syncAll(root);

for (const colorScheme of ["light", "dark"] as const) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const [username, screens] of Object.entries(screensOfUsers)) {
      const options = {
        colorScheme,
        viewport,
        locale: "zh-CN",
        timezoneId: "Asia/Shanghai",
        // Nothing is caught half-way.
        reducedMotion: "reduce",
      } as const;
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
  const { requests } = (await assertOk(api.get("/api/renewals?status=completed"))).data;
  const host: Host = hosts[0];
  const [run] = runs.toSorted((a: SyncRun, b: SyncRun) => b.updated - a.updated);

  return {
    admin: {
      dashboard: { path: "/dashboard" },
      hosts: { path: "/hosts" },
      "hosts-table": { path: "/hosts?view=table" },
      host: { path: `/hosts?host=${host.id}` },
      "host-tags": { path: `/hosts?host=${host.id}`, act: editTags },
      "host-note": { path: `/hosts?host=${host.id}`, act: editNote },
      "hosts-filter": { path: "/hosts?view=table&tag=生产", act: openTagFilter },
      "host-history": { path: `/hosts?host=${host.id}&tab=history` },
      configs: { path: "/configs" },
      "config-paused": { path: "/configs", act: showPausedConfig },
      users: { path: "/users" },
      "users-import": { path: "/users/import", act: checkUsers },
      "hosts-import": { path: "/hosts/import" },
      user: { path: `/users/${host.users[0]?.id}` },
      changes: { path: "/changes?period=week" },
      notices: { path: "/notices" },
      renewals: { path: "/renewals" },
      "renewal-undo": { path: `/renewals?status=completed&renewal=${requests[0]?.id}` },
      "notice-rules": { path: "/notice-settings" },
      "notice-channels": { path: "/notice-settings?tab=channels" },
      "notice-records": { path: "/notice-settings?tab=records" },
      audit: { path: "/audit", act: openEntry },
      "system-config": { path: "/system-config" },
      sync: { path: "/hosts?panel=sync" },
      "sync-changes": { path: `/hosts?panel=sync&run=${run?.id}`, act: openChanges },
      account: { path: "/account" },
      "second-factor-set-up": { path: "/account", act: beginSetUp },
      "api-token": { path: "/account", act: beginToken },
      "not-found": { path: "/nowhere" },
      forbidden: { path: "/unauthorized" },
      // The last one: what is typed there is kept, and pages say so.
      "batch-tags": { path: "/hosts?view=table&tag=生产", act: openBatchTags },
    },
    zhang_kehu: {
      "client-dashboard": { path: "/dashboard" },
      "client-hosts": { path: "/hosts" },
      "client-renewals": { path: "/client/renewals" },
      "client-notices": { path: "/notices" },
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

async function editTags(page: Page): Promise<void> {
  await page.getByRole("button", { name: "编辑标签" }).click();
  await page.getByRole("combobox", { name: "标签" }).fill("数");
  await page.getByRole("listbox").getByRole("option").first().waitFor();
}

async function editNote(page: Page): Promise<void> {
  await page.getByRole("button", { name: "编辑内部备注" }).click();
  await page.getByRole("dialog", { name: "内部备注" }).waitFor();
}

async function openTagFilter(page: Page): Promise<void> {
  await page.getByRole("button", { name: /筛选/ }).first().click();
  await page.getByRole("combobox", { name: "标签" }).click();
  await page.getByRole("listbox").getByRole("option").first().waitFor();
}

async function openBatchTags(page: Page): Promise<void> {
  await page.getByRole("checkbox", { name: "选择本页全部" }).click();
  const menu = page.getByRole("button", { name: "批量操作" });
  if (await menu.isVisible()) {
    await menu.click();
    await page.getByRole("menuitem", { name: "修改标签" }).click();
  } else {
    await page.getByRole("button", { name: "修改标签" }).click();
  }
  await page.getByRole("combobox", { name: "添加" }).fill("核心,");
  await page.getByRole("button", { name: "移除 核心" }).waitFor();
}

async function openEntry(page: Page): Promise<void> {
  await page
    .getByRole("button", { name: /^展开详情/ })
    .first()
    .click();
}

async function beginSetUp(page: Page): Promise<void> {
  await page.getByRole("button", { name: "开启两步验证" }).click();
  await page.getByRole("dialog").getByLabel("当前密码").fill(PASSWORD);
  await page.getByRole("button", { name: "下一步" }).click();
  await page.getByRole("img", { name: "验证器的二维码" }).waitFor();
}

/** A new user, one that is there and one that is wrong. */
async function checkUsers(page: Page): Promise<void> {
  const lines = [
    "用户名,姓名,角色,手机号,负责管理员",
    "sun_lei,孙磊,C端用户,13900001111,li_guanli",
    "zhang_kehu,张客户,C端用户,,",
    "qian_xin,钱欣,C端用户,1390000,li_guanli",
  ];
  await page.getByLabel("选择文件").setInputFiles({
    name: "新用户.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(lines.join("\n")),
  });
  await page.getByRole("heading", { name: "核对并导入" }).waitFor();
}

async function beginToken(page: Page): Promise<void> {
  await page.getByRole("button", { name: "新建令牌" }).click();
  await page.getByRole("dialog", { name: "新建 API 令牌" }).waitFor();
}

async function openChanges(page: Page): Promise<void> {
  await page.getByRole("button", { name: /查看变更的主机$/ }).click();
  await page.getByRole("list", { name: "主机的变化" }).waitFor();
}
