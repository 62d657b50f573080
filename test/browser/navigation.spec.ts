import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { dialog, PHONE, toast } from "./actions.ts";
import { importHosts, shareHost, signInToApi } from "./api.ts";
import { expect, signIn, test } from "./fixtures.ts";

test("leads from an empty list to the first configuration", async ({ page }) => {
  await signIn(page);
  await page.goto("/hosts");
  await page.getByRole("main").getByRole("button", { name: "同步主机" }).first().click();
  await page.getByRole("menuitem", { name: "前往配置管理" }).click();
  await expect(page).toHaveURL(/\/configs$/);
  await expect(page.getByText("暂无配置")).toBeVisible();

  await page.goto("/hosts");
  await page.getByRole("main").getByRole("link", { name: "新增配置" }).click();
  await expect(page).toHaveURL(/\/configs$/);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("同步");
  await expect(page.getByRole("option", { name: "同步全部主机" })).toHaveCount(0);
  await page.getByRole("option", { name: "新增配置" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(page).toHaveURL(/\/configs$/);

  await page.getByRole("button", { name: "新增配置" }).click();
  const byDefault = dialog(page).getByRole("checkbox", { name: "设为默认配置" });
  await expect(byDefault).toBeChecked();
  await expect(byDefault).toBeDisabled();
  await expect(byDefault).toHaveAccessibleDescription("第一个配置自动成为默认配置");
});

test.describe("a sync that finds no active configuration", () => {
  test.use({ expectedComplaints: [/409/] });

  test("leads to the configurations, where one can be activated", async ({ page, provider, server }) => {
    const api = await signInToApi(server.url);
    const idle = { name: "生产账号", ...MAIN_KEYS, apiUrl: provider.url, defaultRegion: "cn-bj2", isActive: false };
    await api("POST", "/api/hosts/configs", idle);
    await signIn(page);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("同步");
    await page.getByRole("option", { name: "同步全部主机" }).click();
    await toast(page, "同步失败", "没有启用的云服务商配置").getByRole("button", { name: "前往配置管理" }).click();
    await expect(page).toHaveURL(/\/configs$/);
    await expect(page.getByRole("heading", { name: "生产账号" })).toBeVisible();
  });
});

test("closes an overlay with the back button of a phone before it leaves the page", async ({ openWindow }) => {
  const page = await openWindow(PHONE);
  await signIn(page);
  for (const name of ["用户管理", "主机管理"]) {
    await page.getByRole("button", { name: "打开导航菜单" }).click();
    await page.getByRole("link", { name, exact: true }).click();
    await expect(dialog(page)).toBeHidden();
  }
  await expect(page).toHaveURL(/\/hosts$/);
  const openings = [
    () => page.getByRole("button", { name: "打开导航菜单" }).click(),
    () => page.getByRole("button", { name: /^查找/ }).click(),
    () => page.getByRole("button", { name: "筛选" }).click(),
  ];
  for (const open of openings) {
    await open();
    await expect(dialog(page)).toBeVisible();
    await page.evaluate("history.back()");
    await expect(dialog(page)).toBeHidden();
    await expect(page).toHaveURL(/\/hosts$/);
  }
  await page.evaluate("history.back()");
  await expect(page).toHaveURL(/\/users$/);
  await page.getByRole("button", { name: "创建用户" }).first().click();
  await page.evaluate("history.back()");
  await expect(dialog(page)).toBeHidden();
  await expect(page).toHaveURL(/\/users$/);
});

test("closes the newest overlay with the back button", async ({ page }) => {
  await signIn(page);
  await page.getByRole("link", { name: "用户管理", exact: true }).click();
  await page.getByRole("button", { name: "创建用户" }).click();
  const form = page.getByRole("dialog", { name: "创建用户" });
  await expect(form).toBeVisible();
  await page.keyboard.press("Control+k");
  const palette = page.getByPlaceholder("查找页面、主机、IP、用户或操作");
  await expect(palette).toBeFocused();
  await page.evaluate("history.back()");
  await expect(palette).toBeHidden();
  await expect(form).toBeVisible();
  // A press in between, or the browser takes the second way back for an escape from a trap.
  await form.getByLabel("用户名").click();
  await page.evaluate("history.back()");
  await expect(form).toBeHidden();
  await expect(page).toHaveURL(/\/users$/);
});

test("lets crawlers read every page in robots.txt", async ({ request }) => {
  const rules = await (await request.get("/robots.txt")).text();
  expect(rules.match(/^Disallow: .*$/gm)).toEqual(["Disallow: /api/", "Disallow: /trpc"]);
});

test("shows the labels of the collapsed sidebar above the page", async ({ page }) => {
  await signIn(page);
  await page.goto("/users");
  await page.getByRole("button", { name: "收起侧边栏" }).click();
  await page.getByRole("link", { name: "系统配置" }).hover();
  const label = page.locator("[data-radix-popper-content-wrapper]");
  await expect(label).toContainText("系统配置");
  const box = await label.boundingBox();
  if (box === null) throw new Error("no label in sight");
  const end = [box.x + box.width - 3, box.y + box.height / 2];
  const isOnTop = `document.elementFromPoint(${end})?.closest("[data-radix-popper-content-wrapper]") !== null`;
  await expect.poll(() => page.evaluate(isOnTop)).toBe(true);
});

test("opens the API document in a new tab", async ({ page }) => {
  await signIn(page);
  const opened = page.waitForEvent("popup");
  await page.getByRole("link", { name: "API 文档" }).click();
  const description = await opened;
  await expect(description).toHaveURL(/\/api\/docs$/);
  await expect(description).toHaveTitle("多主机管理系统 API");
  await expect(page).toHaveURL(/\/dashboard/);
});

test.describe("on a phone", () => {
  test.use(PHONE);

  test("scrolls to the start of the next page of a list", async ({ page, provider, server }) => {
    await importHosts(await signInToApi(server.url), provider);
    await signIn(page);
    await page.goto("/hosts");
    const next = page.getByRole("button", { name: "下一页" });
    await next.scrollIntoViewIfNeeded();
    expect(await page.evaluate("scrollY")).toBeGreaterThan(800);
    await next.click();
    await expect(page.getByText("共 60 台 · 第 2 / 3 页")).toBeAttached();
    await expect.poll(() => page.evaluate("scrollY")).toBeLessThan(300);
  });
});

test("warns that assigning a host again replaces its period", async ({ page, provider, server }) => {
  const { host } = await shareHost(server.url, provider);
  await signIn(page);
  await page.goto(`/hosts?host=${host.id}`);
  await page.getByRole("button", { name: "分配用户" }).click();
  await expect(dialog(page)).not.toContainText("将被这次的有效期替换");
  await dialog(page).getByRole("combobox", { name: "用户", exact: true }).click();
  await page.getByRole("option", { name: /张客户/ }).click();
  await expect(page.getByRole("dialog", { name: "分配主机" })).toContainText(
    /该主机已分配给此用户，原有的有效期（.*还有 30 天）将被这次的有效期替换/,
  );
});
