import type { Page } from "@playwright/test";
import { Host } from "../../src/shared/hosts.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { countCalls, dateText, dialog, pick, toast } from "./actions.ts";
import { applyForRenewal, createAccount, importHost, shareHost, signInToApi } from "./api.ts";
import { expect, expectAccessible, expectContrast, expectStill, signIn, test } from "./fixtures.ts";

test.describe("a submit button", () => {
  // The name that is taken.
  test.use({ expectedComplaints: [/409/] });

  test("sends once when it is clicked twice", async ({ page, provider }) => {
    await signIn(page);
    await page.goto("/configs");
    await fillConfiguration(page, provider.url);
    const configs = countCalls(page, "configs.create");
    const users = countCalls(page, "users.create");
    await dialog(page).getByRole("button", { name: "创建" }).dblclick();
    await expect(dialog(page)).toBeHidden();
    await expect(page.getByRole("heading", { name: "生产账号" })).toHaveCount(1);

    await page.goto("/users");
    await fillUser(page);
    await dialog(page).getByLabel("用户名").fill("root");
    await dialog(page).getByRole("button", { name: "创建" }).dblclick();
    await expect(toast(page, "创建失败")).toHaveCount(1);
    await expect(dialog(page).getByLabel("用户名")).toBeFocused();
    await dialog(page).getByLabel("用户名").fill("zhang_kehu");
    await dialog(page).getByRole("button", { name: "创建" }).dblclick();
    await expect(dialog(page)).toBeHidden();
    await expect(toast(page, "创建成功", "张客户")).toBeVisible();
    expect(configs()).toBe(1);
    expect(users()).toBe(2);
  });
});

test("keeps a button's text and width beside its spinner", async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/users\.create/, async (route) => {
    await released;
    await route.continue();
  });
  await signIn(page);
  await page.goto("/users");
  await fillUser(page);
  const button = dialog(page).getByRole("button", { name: "创建" });
  // The dialog grows as it rises.
  await expectStill(page);
  const idle = await button.boundingBox();
  await button.click();
  await expect(button.locator("svg")).toHaveClass(/animate-spin/);
  await expect(button.getByText("创建")).toHaveCSS("opacity", "1");
  expect((await button.boundingBox())?.width).toBeCloseTo(idle?.width ?? 0);
  release();
  await expect(toast(page, "创建成功")).toBeVisible();
});

test("asks before Esc or a click outside discards a form", async ({ page, provider }) => {
  await signIn(page);
  await page.goto("/configs");
  await page.getByRole("button", { name: "新增配置" }).first().click();
  await expect(dialog(page).getByLabel("配置名称")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();

  await fillConfiguration(page, provider.url);
  const form = page.getByRole("dialog");
  const confirmation = page.getByRole("alertdialog", { name: "放弃未保存的内容？" });
  await page.keyboard.press("Escape");
  await expectAccessible(page);
  await confirmation.getByRole("button", { name: "继续编辑" }).click();
  await expect(confirmation).toBeHidden();
  await expect(form.getByLabel("API地址")).toBeFocused();
  await expect(form.getByLabel("公钥")).toHaveValue(MAIN_KEYS.publicKey);
  await form.getByRole("button", { name: "关闭" }).click();
  await expect(confirmation.getByRole("button", { name: "继续编辑" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(confirmation).toBeHidden();
  await page.mouse.click(8, 8);
  await expect(form.getByLabel("公钥")).toHaveValue(MAIN_KEYS.publicKey);
  await form.getByRole("button", { name: "关闭" }).click();
  await confirmation.getByRole("button", { name: "放弃" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("button", { name: "新增配置" }).first()).toBeFocused();

  // The page itself is left only after the browser's own confirmation.
  await fillConfiguration(page, provider.url);
  const browserDialog = page.waitForEvent("dialog");
  await page.evaluate("setTimeout(() => location.reload())");
  await (await browserDialog).dismiss();
  await expect(form.getByLabel("公钥")).toHaveValue(MAIN_KEYS.publicKey);
  await form.getByRole("button", { name: "关闭" }).click();
  await confirmation.getByRole("button", { name: "放弃" }).click();

  // 取消 means it.
  await fillConfiguration(page, provider.url);
  await form.getByRole("button", { name: "取消" }).click();
  await expect(dialog(page)).toBeHidden();

  // So does the browser's way back, with nothing to lose any more.
  await page.getByRole("link", { name: "用户管理" }).click();
  await page.getByRole("link", { name: "配置管理" }).click();
  await fillConfiguration(page, provider.url);
  await page.evaluate("history.back()");
  await expect(confirmation).toBeVisible();
  await confirmation.getByRole("button", { name: "继续编辑" }).click();
  await expect(form.getByLabel("公钥")).toHaveValue(MAIN_KEYS.publicKey);
  await page.evaluate("history.back()");
  await confirmation.getByRole("button", { name: "放弃" }).click();
  await expect(dialog(page)).toBeHidden();
  await page.evaluate("history.back()");
  await expect(page).toHaveURL(/\/users$/);
});

test("edits an assignment by keyboard from its present values and returns the focus to its menu", async ({
  page,
  provider,
  server,
}) => {
  const api = await signInToApi(server.url);
  const host = await importHost(api, provider);
  for (const [username, name] of Object.entries({ chen_kehu: "陈客户", wang_kehu: "王客户", li_kehu: "李客户" })) {
    await createAccount(api, { username, name, role: "client" });
  }
  await signIn(page);
  await page.goto(`/hosts?host=${host.id}`);
  await page.getByRole("button", { name: "分配用户" }).click();
  await dialog(page).getByRole("radio", { name: "自定义" }).click();
  await dialog(page).getByLabel("自定义天数").fill("40");
  await dialog(page).getByRole("combobox", { name: "用户", exact: true }).click();
  await page.keyboard.type("wang");
  const options = page.getByRole("option");
  await expect(options).toHaveCount(1);
  await expect(options).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByRole("combobox", { name: "用户", exact: true })).toContainText("王客户");
  const start = dialog(page).getByLabel("开始时间");
  await start.fill("2026-01-02T03:04");
  await expect(page.getByText("自 2026-01-02 03:04 起共 40 天")).toBeVisible();
  await dialog(page).getByRole("button", { name: "分配", exact: true }).click();
  await expect(toast(page, "分配成功", "有效期 40 天")).toBeVisible();

  const menu = page.getByRole("button", { name: "对 王客户 的操作" });
  await menu.press("Enter");
  await page.getByRole("menuitem", { name: "修改有效期" }).press("Enter");
  await expect(start).toHaveValue("2026-01-02T03:04");
  await expect(dialog(page).getByLabel("自定义天数")).toHaveValue("40");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await expect(menu).toBeFocused();
  await menu.press("Enter");
  await page.getByRole("menuitem", { name: "取消分配" }).press("Enter");
  await dialog(page).getByRole("button", { name: "取消分配" }).click();
  await expect(menu).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
});

test("starts an assignment now by default and warns of a period that is over", async ({ page, provider, server }) => {
  const api = await signInToApi(server.url);
  const host = await importHost(api, provider);
  await createAccount(api, { username: "zhang_kehu", name: "张客户", role: "client" });
  await signIn(page);
  await page.goto(`/hosts?host=${host.id}`);
  await page.getByRole("button", { name: "分配用户" }).click();
  const form = page.getByRole("dialog", { name: "分配主机" });
  const start = form.getByLabel("开始时间");
  const inAYear = `将于 ${dateText(Date.now() / 1000 + 365 * DAY_SECONDS)}`;
  const overAlready = form.getByText("该有效期已经结束，用户会立即看到“已过期”");
  await expect(form).toContainText(inAYear);
  await form.getByRole("radio", { name: "自定义" }).click();
  await expect(form.getByText("填写有效期后显示到期时间")).toBeVisible();
  await form.getByRole("radio", { name: "365 天" }).click();
  await expect(overAlready).toBeHidden();
  await start.fill("2020-01-01T00:00");
  await expect(overAlready).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
    await expectContrast(page);
  }
  await pick(form.getByRole("combobox", { name: "用户", exact: true }), /张客户/);
  await form.getByRole("button", { name: "分配", exact: true }).click();
  await expect(toast(page, "分配成功", "有效期 365 天")).toBeVisible();

  await page.getByRole("button", { name: "分配用户" }).click();
  await pick(form.getByRole("combobox", { name: "用户", exact: true }), /张客户/);
  await start.fill("2020-01-01T00:00");
  await start.fill("");
  await expect(form).toContainText(inAYear);
  await form.getByRole("button", { name: "分配", exact: true }).click();
  await expect(form).toBeHidden();
  const [assigned] = Host.parse(await api("GET", `/api/hosts/${host.id}`)).users;
  expect(dateText(assigned?.assignedExpireTime ?? 0)).toBe(inAYear.slice(-10));
});

test("saves an assignment that renewals extended beyond 365 days with its stored end", async ({
  page,
  provider,
  server,
}) => {
  const api = await signInToApi(server.url);
  const host = await importHost(api, provider);
  const client = await createAccount(api, { username: "zhang_kehu", name: "张客户", role: "client" });
  const now = Math.floor(Date.now() / 1000);
  const days = (count: number) => now + count * DAY_SECONDS;
  const period = { assignedAt: days(-150), assignedExpireTime: days(100) };
  await api("POST", "/api/hosts/assign", { hostId: host.id, userId: client.id, ...period });
  const asClient = await signInToApi(server.url, client);
  const storedEnd = async () =>
    Host.parse(await api("GET", `/api/hosts/${host.id}`)).users.find(({ id }) => id === client.id)?.assignedExpireTime;
  const { id } = await applyForRenewal(asClient, host, 150);
  await api("PUT", `/api/renewals/${id}/process`, { status: "completed" });

  await signIn(page);
  await page.goto(`/hosts?host=${host.id}`);
  const openPeriod = async () => {
    await page.getByRole("button", { name: "对 张客户 的操作" }).click();
    await page.getByRole("menuitem", { name: "修改有效期" }).click();
  };
  await openPeriod();
  await expect(dialog(page).getByLabel("自定义天数")).toHaveValue("400");
  await expect(dialog(page)).toContainText(`将于 ${dateText(days(250))}`);
  await dialog(page).getByLabel("备注").fill("已与客户确认");
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "保存" }).click();
  await expect(toast(page, "有效期已更新", "有效期 400 天")).toBeVisible();
  expect(await storedEnd()).toBe(days(250));

  await openPeriod();
  await dialog(page).getByLabel("自定义天数").fill("401");
  await dialog(page).getByRole("button", { name: "保存" }).click();
  await expect(dialog(page).getByText("分配天数必须在1-365天之间")).toBeVisible();
  expect(await storedEnd()).toBe(days(250));
});

test("keeps the focus on the configuration that becomes the default", async ({ page, provider, server }) => {
  const api = await signInToApi(server.url);
  for (const name of ["主账号", "子账号"]) {
    const config = { name, ...MAIN_KEYS, apiUrl: provider.url, defaultRegion: "cn-bj2" };
    await api("POST", "/api/hosts/configs", config);
  }
  await signIn(page);
  await page.goto("/configs");
  await page.getByRole("button", { name: "将 子账号 设为默认" }).press("Enter");
  await expect(toast(page, "更新成功", "子账号 已设为默认配置")).toBeVisible();
  await expect(page.getByRole("button", { name: "将 主账号 设为默认" })).toBeVisible();
  await expect(page.getByRole("button", { name: "编辑 子账号" })).toBeFocused();
});

test("removes a failed connection test when the configuration is corrected", async ({ page, provider, server }) => {
  const api = await signInToApi(server.url);
  const config = { name: "生产账号", ...MAIN_KEYS, privateKey: "wrong", apiUrl: provider.url, defaultRegion: "cn-bj2" };
  await api("POST", "/api/hosts/configs", config);
  await signIn(page);
  await page.goto("/configs");
  const steps = page.getByRole("main").getByText("签名校验失败");
  await page.getByRole("button", { name: "测试连接" }).click();
  await expect(toast(page, "连接失败", "签名校验失败")).toBeVisible();
  await change("备注", "生产环境");
  await expect(steps).toBeVisible();
  await change("私钥", MAIN_KEYS.privateKey);
  await expect(steps).toHaveCount(0);
  await expect(toast(page, "连接失败")).toHaveCount(0);
  await page.getByRole("button", { name: "测试连接" }).click();
  await expect(toast(page, "连接成功", "生产账号")).toBeVisible();

  async function change(label: string, value: string): Promise<void> {
    await page.getByRole("button", { name: "编辑 生产账号" }).click();
    await dialog(page).getByLabel(label, { exact: false }).first().fill(value);
    await dialog(page).getByRole("button", { name: "保存" }).click();
    await expect(dialog(page)).toBeHidden();
  }
});

test("moves the focus to the page when its row leaves the list", async ({ page, provider, server }) => {
  const { host, client } = await shareHost(server.url, provider);
  await applyForRenewal(await signInToApi(server.url, client), host, 30);
  await signIn(page);
  await page.goto("/renewals?status=pending");
  await page.getByRole("button", { name: "处理", exact: true }).press("Enter");
  await dialog(page).getByRole("button", { name: "批准申请" }).press("Enter");
  await expect(toast(page, "处理成功")).toBeVisible();
  await expect(page.getByText("没有待处理的申请")).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
});

async function fillConfiguration(page: Page, url: string): Promise<void> {
  await page.getByRole("button", { name: "新增配置" }).first().click();
  await dialog(page).getByLabel("配置名称").fill("生产账号");
  await dialog(page).getByLabel("公钥").fill(MAIN_KEYS.publicKey);
  await dialog(page).getByLabel("私钥", { exact: false }).first().fill(MAIN_KEYS.privateKey);
  await dialog(page).getByLabel("API地址").fill(url);
}

async function fillUser(page: Page): Promise<void> {
  await page.getByRole("button", { name: "创建用户" }).first().click();
  await dialog(page).getByLabel("用户名").fill("zhang_kehu");
  await dialog(page).getByLabel("密码", { exact: true }).fill("Correct1Horse");
  await dialog(page).getByLabel("姓名").fill("张客户");
}
