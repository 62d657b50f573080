import type { Locator, Page } from "@playwright/test";
import type { Simulator } from "../../src/simulator/server.ts";
import { startServer } from "../harness/programs.ts";
import { ROOT_ENV } from "../harness/root-user.ts";
import { configure } from "../harness/server-fixture.ts";
import { openTestStorage } from "../harness/storage.ts";
import {
  dialog,
  fillConfig,
  goTo,
  openSyncPanel,
  syncAllConfigs,
  syncProgress,
  toast,
  untilQuiet,
} from "./actions.ts";
import { allowErrors, expect, expectAccessible, pressEscape, test } from "./fixtures.ts";

const HOSTS = 240;
const DESCRIBE = "DescribeUHostInstance";

test.use({ simulation: { hosts: HOSTS, regions: 6, projects: 2, latencyMs: 20 } });

test("leads from the empty list of hosts to the first configuration", async ({
  page,
  provider,
  signIn,
}) => {
  await signIn(page, "/hosts");
  await page.getByRole("main").getByRole("button", { name: "同步主机" }).first().click();
  await page.getByRole("menuitem", { name: "前往配置管理" }).click();
  await expect(page).toHaveURL(/\/configs$/);
  await expect(page.getByText("暂无配置")).toBeVisible();

  await page.goBack();
  await page.getByRole("main").getByRole("link", { name: "新增配置" }).click();
  await fillConfig(page, provider.url);
  const byDefault = dialog(page).getByRole("switch", { name: "设为默认配置" });
  await expect(byDefault).toBeChecked();
  await expect(byDefault).toBeDisabled();
  await expect(byDefault).toHaveAccessibleDescription("第一个配置自动成为默认配置");
  await dialog(page).getByRole("button", { name: "创建", exact: true }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("heading", { name: "生产账号" })).toBeVisible();

  await page.getByRole("button", { name: "测试连接" }).click();
  await expect(page.getByText("密钥有效，可见 33 个地域")).toBeVisible();
  await expect(page.getByText(/可见 2 个项目/)).toBeVisible();
  await toast(page, "连接成功").getByRole("button", { name: "关闭提示" }).click();

  await page.getByRole("link", { name: "主机管理", exact: true }).click();
  await expect(page.getByText("请先同步主机")).toBeVisible();
});

test("shows a running sync and its hosts in every window, also after a reload", async ({
  page,
  context,
  api,
  provider,
  signIn,
}) => {
  await configure(api, provider);
  await signIn(page, "/hosts");
  await expect(page.getByText("请先同步主机")).toBeVisible();

  await startSync(page, provider);
  await expect(page.getByRole("tab").first()).toBeVisible();

  await page.reload();
  const second = await context.newPage();
  await second.goto("/hosts");
  for (const window of [page, second]) {
    await expect(syncProgress(window)).toBeVisible();
  }

  await page.evaluate(`
    new MutationObserver(() => {
      if (document.querySelector("[data-sonner-toast]")) document.body.dataset.toasted = "";
    }).observe(document.body, { childList: true, subtree: true });
  `);
  provider.control.release();
  await expect(syncProgress(page)).toHaveCount(0);
  for (const window of [page, second]) {
    await expect(window.getByText(`${HOSTS} 台`, { exact: true })).toBeVisible();
  }
  await untilQuiet(page);
  await expect(page.locator("body")).not.toHaveAttribute("data-toasted");
});

test("shows the progress of a sync, and cancels it", async ({
  page,
  hosts: _,
  provider,
  signIn,
}) => {
  await signIn(page, "/hosts");
  await startSync(page, provider);
  const panel = await openSyncPanel(page);
  const bar = panel.getByRole("progressbar", { name: "生产账号 的同步进度" });

  // Half by regions, half by the hosts of the last whole sync. Both move on between two reads,
  // which is why they are read until they agree.
  await expect(async () => {
    const text = await bar.getAttribute("aria-valuetext");
    const [, seen, done, total] = /已读取 (\d+) 台 · 地域 (\d+)\/(\d+)/.exec(text ?? "") ?? [];
    const share = (Number(done) / Number(total) + Number(seen) / HOSTS) / 2;
    const now = await bar.getAttribute("aria-valuenow");
    expect(Number(now)).toBe(Math.round(share * 100));
  }).toPass();

  await cancel(panel);
  await expect(panel).toContainText("停止前写入的主机仍然有效");

  provider.control.release();
  await pressEscape(page);
  await expect(syncProgress(page)).toHaveCount(0);
});

test("keeps the problems of a sync on the screen while it goes on", async ({
  page,
  hosts: _,
  provider,
  signIn,
  database,
}) => {
  const fault = { kind: "retCode", retCode: 299 } as const;
  provider.control.addFaults({ action: DESCRIBE, region: "hk", fault });
  await signIn(page, "/hosts");
  await startSync(page, provider);
  await page.getByRole("button", { name: "查看同步进度" }).click();
  const problems = dialog(page).getByRole("list", { name: "同步问题" });
  await expect(problems).toContainText("香港");

  const countProgress = async () =>
    (await database.query("select from events where type = 'sync.progress'")).length;
  const before = await countProgress();
  await expect.poll(countProgress).toBeGreaterThan(before + 2);

  expect(await problems.isVisible()).toBe(true);
});

test("shows what a partial sync could not read, and links its run", async ({
  page,
  hosts: _,
  provider,
  signIn,
  database,
}) => {
  for (const region of ["hk", "sg"]) {
    provider.control.addFaults({
      action: DESCRIBE,
      region,
      fault: { kind: "retCode", retCode: 299 },
    });
  }
  const end = toast(page, "同步部分完成");
  const result =
    /(香港、新加坡|新加坡、香港)：该密钥没有访问权限，请在云服务商的访问控制中为其授权；未变 \d+ 台/;

  await signIn(page, "/hosts");
  await syncAllConfigs(page);
  await expect(end).toContainText(result);

  await end.getByRole("button", { name: "查看详情" }).click();
  const problems = dialog(page)
    .getByRole("list", { name: "同步记录" })
    .getByRole("list", { name: "同步问题" });
  await expect(problems).toContainText("香港（2 个项目）");

  // As many newer runs as a page of the history has.
  await database.query(
    `insert into sync_runs (id, config_id, config_name, trigger, status, started_at)
     select
       ('ffffffff-ffff-7fff-bfff-' || lpad(n::text, 12, '0'))::uuid,
       gen_random_uuid(), '', 'manual', 'succeeded', 1
     from generate_series(1, 20) n`,
  );
  await page.reload();
  await expect(problems).toBeVisible();
  await expectAccessible(page);

  await pressEscape(page);
  await expect(page).toHaveURL(/\/hosts$/);
  await goTo(page, "/configs");
  await expect(page.getByText(result)).toBeVisible();
});

interface ConsoleProcess {
  readonly url: string;
  /** Kills the process and starts it again on the same data and port. */
  readonly restart: () => Promise<void>;
}

const testWithProcess = test.extend<{ readonly process: ConsoleProcess }>({
  process: async ({ provider }, use) => {
    await using storage = await openTestStorage();
    const settings = {
      ...storage.env,
      ...ROOT_ENV,
      PROVIDER_ALLOWED_ORIGINS: provider.url,
      LOG_LEVEL: "warn",
    };
    let running = await startServer(settings);
    const { url } = running;
    const restart = async () => {
      await running.kill("SIGKILL");
      running = await startServer({ ...settings, PORT: new URL(url).port });
    };
    await use({ url, restart });
    // An orderly stop would wait for the announcement to proxies.
    await running.kill("SIGKILL");
  },
  server: ({ process }, use) => use(process),
});

testWithProcess(
  "reconnects to a restarted server during a sync",
  async ({ page, api, provider, process, signIn }) => {
    allowErrors(/WebSocket|Failed to load resource|ERR_CONNECTION_REFUSED/);
    await configure(api, provider);
    await signIn(page, "/hosts");
    await startSync(page, provider);
    await expect(page.getByRole("tab").first()).toBeVisible();

    const panel = await openSyncPanel(page);

    await process.restart();

    await cancel(panel);

    provider.control.release();
    await pressEscape(page);
    await syncAllConfigs(page);
    await expect(page.getByText(`${HOSTS} 台`, { exact: true })).toBeVisible();
  },
);

/** On the hosts page: starts a sync that stops in one region until the provider is released. */
async function startSync(page: Page, provider: Simulator): Promise<void> {
  provider.control.hold({ action: DESCRIBE, region: "cn-bj2" });
  await syncAllConfigs(page);
  await expect(syncProgress(page)).toBeVisible();
}

/** Cancels the running sync of 生产账号 among these runs. */
async function cancel(runs: Locator): Promise<void> {
  await runs.getByRole("button", { name: "取消 生产账号 的同步" }).click();
  await expect(runs.getByText("已取消").first()).toBeVisible();
}
