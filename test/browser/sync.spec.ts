import type { Page } from "@playwright/test";
import { SyncRuns } from "../../src/shared/sync.ts";
import type { Simulator } from "../../src/simulator/server.ts";
import { configure } from "../harness/server-fixture.ts";
import { dialog, fillConfig, holdAnswers, syncAllConfigs, syncSection, toast } from "./actions.ts";
import { allowErrors, expect, expectAccessible, pressEscape, test } from "./fixtures.ts";
import { type ConsoleProcess, startConsoleProcess } from "./server.ts";

const HOSTS = 1200;
const DESCRIBE = "DescribeUHostInstance";
/** Stops a sync in its middle: the first page of hosts gets through, the rest waits. */
const LATER_PAGES = { action: DESCRIBE, offset: 100 };

test.use({ simulation: { hosts: HOSTS, regions: 6, projects: 2, latencyMs: 20 } });

test("stores a key, syncs 1,200 hosts live and filters them", async ({ page, context, provider, signIn }) => {
  await signIn(page);
  await page.getByRole("link", { name: "配置管理" }).click();
  await expect(page.getByText("暂无配置")).toBeVisible();
  await fillConfig(page, provider.url);
  await dialog(page).getByRole("button", { name: "创建" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("heading", { name: "生产账号" })).toBeVisible();
  await page.getByRole("button", { name: "测试连接" }).click();
  await expect(page.getByText("密钥有效，可见 33 个地域")).toBeVisible();
  await expect(page.getByText(/可见 2 个项目/)).toBeVisible();

  await page.getByRole("link", { name: "主机管理", exact: true }).click();
  await expect(page.getByText("请先同步主机")).toBeVisible();
  await startSync(page, provider);
  await expect(page.getByRole("tab").first()).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "同步总进度" })).toBeVisible();
  await page.reload();
  const second = await context.newPage();
  await second.goto("/hosts");
  for (const window of [page, second]) await expect(syncSection(window).getByText("同步中")).toBeVisible();
  provider.control.release();
  await expect(page.getByText("同步完成")).toBeVisible();
  for (const window of [page, second]) await expect(window.getByText("1,200 台", { exact: true })).toBeVisible();

  await page.getByLabel("搜索主机").fill("web");
  await expect(page).toHaveURL(/search=web/);
  await page.getByRole("combobox", { name: "状态", exact: true }).selectOption("Running");
  await expect(page).toHaveURL(/status=Running/);
  await page.getByRole("button", { name: "清除搜索" }).click();
  await expect(page).not.toHaveURL(/search=/);
  await expect(page.getByRole("tablist", { name: "主机" })).toHaveAttribute("aria-busy", "false");
  await page.getByRole("tab").nth(2).click();
  const name = await page.getByRole("tab").nth(2).locator("span").first().textContent();
  await expect(page.getByRole("heading", { name: "计费信息" })).toBeVisible();
  const opened = page.url();
  await page.reload();
  expect(page.url()).toBe(opened);
  await expect(page.getByRole("tab", { selected: true })).toContainText(name ?? "");
});

test("cancels a sync and shows what it had done", async ({ page, api, provider, signIn }) => {
  await configure(api, provider);
  await signIn(page, "/hosts");
  await startSync(page, provider);
  await page.getByRole("button", { name: "查看同步进度" }).click();
  await page.getByRole("button", { name: /^取消 .*的同步$/ }).click();
  await expect(dialog(page).getByText("已取消").first()).toBeVisible();
  provider.control.release();
  await expect(dialog(page)).toContainText("停止前写入的主机仍然有效，没有主机被标记为消失。");
});

test("shows first what a partial sync missed and links to its run", async ({ page, hosts: _, provider, signIn }) => {
  for (const region of ["hk", "sg"]) {
    provider.control.addFaults({ action: DESCRIBE, region, fault: { kind: "retCode", retCode: 299 } });
  }
  await signIn(page, "/hosts");
  await syncAllConfigs(page);
  const end = toast(page, "同步部分完成");
  const result = /(香港、新加坡|新加坡、香港)：该密钥没有访问权限，请在云平台的访问控制中为其授权；未变 [\d,]+ 台/;
  await expect(end).toContainText(result);
  await expect(syncSection(page)).toContainText(result);
  await end.getByRole("button", { name: "查看详情" }).click();
  const problems = dialog(page)
    .getByRole("article", { name: "生产账号 的同步" })
    .getByRole("list", { name: "同步问题" });
  await expect(problems).toContainText("香港（2 个项目）");
  await expect(dialog(page)).not.toContainText("当前没有进行中的同步");
  await page.reload();
  await expect(problems).toBeVisible();
  await expectAccessible(page);
  await pressEscape(page);
  await expect(page).toHaveURL(/\/hosts$/);
  await page.goto("/configs");
  await expect(page.getByText(result)).toBeVisible();
});

test("shows that the provider does not answer yet, and closes the result", async ({ page, api, provider, signIn }) => {
  await configure(api, provider);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, "/hosts");
  provider.control.hold({ action: DESCRIBE });
  await syncAllConfigs(page);
  await expect(syncSection(page)).toContainText("正在等待云服务商响应…");
  await expect(syncSection(page)).not.toContainText("0 / 0 台");
  await expect(syncSection(page).getByRole("progressbar")).not.toHaveAttribute("aria-valuenow");
  provider.control.release();
  const close = syncSection(page).getByRole("button", { name: /的同步结果$/ });
  await close.click();
  await expect(syncSection(page)).toBeHidden();
});

test("moves the bar by regions and by hosts of the last whole sync", async ({ page, hosts: _, provider, signIn }) => {
  await signIn(page, "/hosts");
  await startSync(page, provider);
  await expect(syncSection(page)).toContainText(/已读取 \d+ 台/);
  await expect(async () => {
    const text = await syncSection(page).textContent();
    const [, seen, done, total] = /已读取 ([\d,]+) 台 · 地域 (\d+)\/(\d+)/.exec(text ?? "") ?? [];
    const share = (Number(done) / Number(total) + Number(seen?.replace(",", "")) / HOSTS) / 2;
    const now = await syncSection(page).getByRole("progressbar").getAttribute("aria-valuenow");
    expect(Number(now)).toBe(Math.round(share * 100));
  }).toPass();
  provider.control.release();
  await expect(page.getByText("同步完成")).toBeVisible();
});

test("ignores an older sync run that arrives after the final one", async ({ page, api, provider, signIn }) => {
  await configure(api, provider);
  provider.control.hold({ action: "GetRegion" });
  const { runs } = SyncRuns.parse((await api.post("/api/hosts/sync?wait=0")).data);
  const held = await holdAnswers(page, /hosts\.syncRun[,?]/, 1);
  // With an earlier progress event the page would not read the run.
  await page.routeWebSocket(/\/trpc/, async (socket) => {
    await held.answered;
    socket.connectToServer();
  });
  await signIn(page, `/hosts?panel=sync&run=${runs[0]?.id}`);
  await expect(dialog(page)).toBeVisible();
  await held.answered;
  provider.control.release();
  await expect(toast(page, "同步完成")).toBeVisible();
  // Then it is hardly ever asked for by itself.
  await expect(page.getByRole("button", { name: /^实时连接：已连接/, includeHidden: true })).toBeAttached();
  const current = dialog(page).getByRole("region", { name: "当前同步" });
  held.release();
  await page.waitForLoadState("networkidle");
  await expect(current.getByRole("article")).toContainText("已完成");
  await expect(current).not.toContainText("同步中");
});

const testWithProcess = test.extend<{ readonly process: ConsoleProcess }>({
  process: async ({ provider }, use) => {
    await using process = await startConsoleProcess(provider.url);
    await use(process);
  },
  server: async ({ process }, use) => {
    await use(process);
  },
});

testWithProcess("reconnects to a restarted server during a sync", async ({ page, api, provider, process, signIn }) => {
  allowErrors(/WebSocket|Failed to load resource|ERR_CONNECTION_REFUSED/);
  await configure(api, provider);
  await signIn(page, "/hosts");
  await startSync(page, provider);
  await expect(page.getByRole("tab").first()).toBeVisible();
  await process.restart();
  await expect(syncSection(page).getByText("已中断")).toBeVisible({ timeout: 70_000 });
  provider.control.release();
  await syncAllConfigs(page);
  await expect(page.getByText("1,200 台", { exact: true })).toBeVisible({ timeout: 20_000 });
});

/** On the hosts page: starts a sync that stays in its middle until the provider is released. */
async function startSync(page: Page, provider: Simulator): Promise<void> {
  provider.control.hold(LATER_PAGES);
  await syncAllConfigs(page);
  await expect(syncSection(page).getByText("同步中")).toBeVisible();
}
