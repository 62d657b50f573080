import { MAIN_KEYS } from "../../src/simulator/options.ts";
import {
  addConfiguration,
  allowSync,
  chooseAllConfigurations,
  freezeSync,
  openHosts,
  syncSection,
  toast,
} from "./actions.ts";
import { importHosts, signInToApi } from "./api.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

const HOSTS = 1200;
const DESCRIBE = "DescribeUHostInstance";

test.describe("sync", () => {
  test.use({ providerArgs: ["--hosts", String(HOSTS), "--regions", "6", "--projects", "2", "--latency", "20"] });

  test("stores a key, tests it, syncs 1,200 hosts live, filters them and opens one", async ({ page, provider }) => {
    await signIn(page);
    await page.getByRole("link", { name: "配置管理" }).click();
    await expect(page.getByText("暂无配置")).toBeVisible();
    await addConfiguration(page, { url: provider.url, ...MAIN_KEYS });
    await page.getByRole("button", { name: "测试连接" }).click();
    await expect(page.getByText("密钥有效，可见 33 个地域")).toBeVisible();
    await expect(page.getByText(/可见 2 个项目/)).toBeVisible();

    await openHosts(page);
    await expect(page.getByText("请先同步主机")).toBeVisible();
    // The first page of hosts gets through, the rest waits: this is what the middle of a sync looks like.
    await freezeSync(provider, { action: DESCRIBE, offset: 100 });
    await chooseAllConfigurations(page);
    await expect(syncSection(page).getByText("同步中")).toBeVisible();
    await expect(page.getByRole("tab").first()).toBeVisible();
    await expect(page.getByRole("progressbar", { name: "同步总进度" })).toBeVisible();
    await allowSync(provider);
    await expect(page.getByText("同步完成")).toBeVisible();
    await expect(page.getByText(`${HOSTS.toLocaleString("zh-CN")} 台`, { exact: true })).toBeVisible();

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
    await expectAccessible(page);
  });

  test("continues a sync over a reload and shows it in a second window", async ({ page, provider, context }) => {
    await signIn(page);
    await page.goto("/configs");
    await addConfiguration(page, { url: provider.url, ...MAIN_KEYS });
    await freezeSync(provider, { action: DESCRIBE, offset: 100 });
    await openHosts(page);
    await chooseAllConfigurations(page);
    await expect(syncSection(page).getByText("同步中")).toBeVisible();
    await page.reload();
    await expect(syncSection(page).getByText("同步中")).toBeVisible();
    const second = await context.newPage();
    await second.goto("/hosts");
    await expect(syncSection(second).getByText("同步中")).toBeVisible();
    await allowSync(provider);
    for (const window of [page, second]) {
      await expect(window.getByText(`${HOSTS.toLocaleString("zh-CN")} 台`, { exact: true })).toBeVisible();
    }
  });

  test("cancels a sync and shows what it had done", async ({ page, provider }) => {
    await signIn(page);
    await page.goto("/configs");
    await addConfiguration(page, { url: provider.url, ...MAIN_KEYS });
    await freezeSync(provider, { action: DESCRIBE, offset: 100 });
    await openHosts(page);
    await chooseAllConfigurations(page);
    await page.getByRole("button", { name: "查看同步进度" }).click();
    await page.getByRole("button", { name: /^取消 .*的同步$/ }).click();
    await expect(page.getByRole("dialog").getByText("已取消").first()).toBeVisible();
    await allowSync(provider);
    await expectAccessible(page);

    // Hosts are marked gone a thousand at a time, and between two of those a run can be stopped.
    await expect(page.getByRole("dialog")).toContainText("停止前写入的主机仍然有效，没有主机被标记为消失。");
    const address = page.url();
    // No request of the old page may be under way when the route is in place.
    await page.goto("about:blank");
    await page.route(/\/trpc\/.*syncRuns/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll('"gone":0', '"gone":1000') });
    });
    await page.goto(address);
    await expect(page.getByRole("dialog")).toContainText("停止前写入的主机仍然有效。");
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  test("shows first what a partial sync missed and links to its run", async ({ page, provider, server }) => {
    await importHosts(await signInToApi(server.url), provider);
    for (const region of ["hk", "sg"]) {
      const fault = { kind: "retCode", retCode: 299 } as const;
      await provider.control("addFaults", { action: DESCRIBE, region, fault });
    }
    await signIn(page);
    await page.goto("/hosts");
    await chooseAllConfigurations(page);
    const end = toast(page, "同步部分完成");
    const result = /该密钥没有访问权限（(香港、新加坡|新加坡、香港)），请在云平台的访问控制中为其授权；未变 [\d,]+ 台/;
    await expect(end).toContainText(result);
    await expect(syncSection(page)).toContainText(result);
    await end.getByRole("button", { name: "查看详情" }).click();
    const run = page.getByRole("dialog").getByRole("article", { name: "生产账号 的同步" });
    await expect(run.getByRole("list", { name: "同步问题" })).toContainText("香港（2 个项目）");
    await expect(page.getByRole("dialog")).not.toContainText("当前没有进行中的同步");
    await page.reload();
    await expect(run.getByRole("list", { name: "同步问题" })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(/\/hosts$/);
    await page.goto("/configs");
    await expect(page.getByText(result)).toBeVisible();
  });

  test("names the provider while it does not answer", async ({ page, provider }) => {
    await signIn(page);
    await page.goto("/configs");
    await addConfiguration(page, { url: provider.url, ...MAIN_KEYS });
    await freezeSync(provider, { action: DESCRIBE });
    await openHosts(page);
    await chooseAllConfigurations(page);
    await expect(syncSection(page)).toContainText("正在等待云服务商响应…");
    await expect(syncSection(page)).not.toContainText("0 / 0 台");
    await expect(syncSection(page).getByRole("progressbar")).not.toHaveAttribute("aria-valuenow");
    await allowSync(provider);
    await expect(page.getByText("同步完成")).toBeVisible();
  });

  test("moves the bar by regions and by the hosts of the last whole sync", async ({ page, provider, server }) => {
    await importHosts(await signInToApi(server.url), provider);
    await signIn(page);
    await freezeSync(provider, { action: DESCRIBE, offset: 100 });
    await openHosts(page);
    await chooseAllConfigurations(page);
    await expect(syncSection(page)).toContainText(/已读取 \d+ 台/);
    await expect(async () => {
      const text = await syncSection(page).textContent();
      const [, seen, done, total] = /已读取 ([\d,]+) 台 · 地域 (\d+)\/(\d+)/.exec(text ?? "") ?? [];
      const share = (Number(done) / Number(total) + Number(seen?.replace(",", "")) / HOSTS) / 2;
      const now = await syncSection(page).getByRole("progressbar").getAttribute("aria-valuenow");
      expect(Number(now)).toBe(Math.round(share * 100));
    }).toPass();
    await allowSync(provider);
    await expect(page.getByText("同步完成")).toBeVisible();
  });

  test("keeps the sync button's text and width beside its spinner", async ({ page, provider }) => {
    await signIn(page);
    await page.goto("/configs");
    await addConfiguration(page, { url: provider.url, ...MAIN_KEYS });
    await freezeSync(provider, { action: "GetRegion" });
    const button = page.getByRole("button", { name: "测试连接" });
    const idle = await button.boundingBox();
    await button.click();
    await expect(button).toHaveAttribute("aria-busy", "true");
    await expect(button.locator(":scope > svg")).toHaveClass(/animate-spin/);
    await expect(button.locator(".opacity-0")).toHaveCount(0);
    expect((await button.boundingBox())?.width).toBe(idle?.width);
    await allowSync(provider);
    await expect(toast(page, "连接成功")).toBeVisible();
  });

  test("closes the result of a sync on a phone", async ({ page, provider }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await signIn(page);
    await page.goto("/configs");
    await addConfiguration(page, { url: provider.url, ...MAIN_KEYS }, "数据平台（单个项目）");
    await page.goto("/hosts");
    await chooseAllConfigurations(page);
    const close = syncSection(page).getByRole("button", { name: /的同步结果$/ });
    await expect(close).toBeVisible();
    const details = await syncSection(page).getByRole("button", { name: "查看详情" }).boundingBox();
    const cross = await close.boundingBox();
    expect(cross?.y).toBe(details?.y);
    expect(cross?.x).toBeGreaterThan(details?.x ?? Number.POSITIVE_INFINITY);
    await close.click();
    await expect(syncSection(page)).toBeHidden();
  });

  test.describe("when the server is killed during a sync", () => {
    test.use({ expectedComplaints: [/WebSocket|Failed to load resource|ERR_CONNECTION_REFUSED/] });

    test("reconnects, shows the run as interrupted, and completes the next one", async ({ page, provider, server }) => {
      await signIn(page);
      await page.goto("/configs");
      await addConfiguration(page, { url: provider.url, ...MAIN_KEYS });
      await freezeSync(provider, { action: DESCRIBE, offset: 100 });
      await openHosts(page);
      await chooseAllConfigurations(page);
      await expect(page.getByRole("tab").first()).toBeVisible();
      await server.restart();
      await expect(syncSection(page).getByText("已中断")).toBeVisible({ timeout: 70_000 });
      await allowSync(provider);
      await chooseAllConfigurations(page);
      await expect(page.getByText(`${HOSTS.toLocaleString("zh-CN")} 台`, { exact: true })).toBeVisible({
        timeout: 20_000,
      });
    });
  });
});
