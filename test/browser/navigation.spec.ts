import { configure } from "../harness/server-fixture.ts";
import { dialog, PHONE, toast } from "./actions.ts";
import { addressOf, assignHost, findHost } from "./api.ts";
import { allowErrors, expect, expectAccessible, pressEscape, test } from "./fixtures.ts";

const PALETTE = "查找页面、主机、IP 或用户";
const UNKNOWN = "0198a000-0000-7000-8000-000000000000";

test("leads from a sync without an active configuration to the configurations", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  allowErrors(/409/);
  await configure(api, provider, { isActive: false });
  await signIn(page);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("同步");
  await page.getByRole("option", { name: "同步全部主机" }).click();
  await toast(page, "同步失败", "没有启用的云服务商配置")
    .getByRole("button", { name: "前往配置管理" })
    .click();

  await expect(page).toHaveURL(/\/configs$/);
  await expect(page.getByRole("heading", { name: "生产账号" })).toBeVisible();
});

test("says only that a search failed where one of the palette did", async ({ page, signIn }) => {
  allowErrors(/ERR_FAILED/);
  await signIn(page, "/dashboard");
  await page.route(/\/trpc\/.*hosts\.list/, (route) => route.abort());

  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(PALETTE).fill("nothing-like-it");

  await expect(page.getByText(/^主机查找失败/)).toBeVisible();
  await expect(page.getByText("没有找到匹配的内容")).toHaveCount(0);
});

test("opens a host from the palette with the focus on its heading", async ({
  page,
  hosts: [listed, found],
  signIn,
}) => {
  await signIn(page, "/dashboard");

  for (const host of [found, listed]) {
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder(PALETTE).fill(host.ucloudId);
    await page.getByRole("option", { name: new RegExp(host.ucloudId) }).click();

    await expect(page.getByRole("heading", { name: host.name })).toBeFocused();
    await expect(page.getByPlaceholder(PALETTE)).toHaveCount(0);
    await expect(page.getByRole("heading", { name: host.name })).toBeFocused();
  }
});

test("finds a user, a page, and hosts in the palette by keyboard", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const host = findHost(hosts, ({ ipSet }) => ipSet.length > 0);
  await assignHost(api, host, client, 20);
  await signIn(page);
  const find = page.getByRole("button", { name: "查找…" });
  const palette = page.getByPlaceholder(PALETTE);

  await find.press("Enter");
  await expect(palette).toBeFocused();
  await pressEscape(page);
  await expect(find).toBeFocused();

  await page.keyboard.press("Enter");
  await page.keyboard.type("root");
  await expect(page.getByRole("option", { name: /系统管理员/ })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/users\/[\da-f-]{36}$/);
  await expect(page.getByRole("main")).toBeFocused();

  await page.keyboard.press("Control+k");
  await expect(palette).toBeFocused();
  await page.keyboard.type("配置");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/configs/);

  await page.keyboard.press("Control+k");
  await palette.fill(addressOf(host));
  const found = page.getByRole("option", {
    name: new RegExp(`${host.ucloudId}.*${addressOf(host)}.*张客户.*用户到期.*还有 20 天`),
  });
  await expect(found).toHaveAttribute("aria-selected", "true");

  // An Enter while the results are still those of the search before must choose none of them.
  const other = findHost(hosts, ({ id }) => id !== host.id);
  await palette.fill(other.ucloudId);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("option", { name: new RegExp(other.ucloudId) })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`host=${other.id}`));
});

test("creates a user, adds a configuration and changes the theme from the palette", async ({
  page,
  signIn,
}) => {
  await signIn(page);

  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: "切换主题：深色" }).click();
  await expect(page.locator("html")).toHaveClass(/dark/);

  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: "创建用户" }).click();
  await expect(page.getByRole("dialog", { name: "创建用户" })).toBeVisible();
  await pressEscape(page);
  await expect(dialog(page)).toBeHidden();

  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: "新增配置" }).click();
  await expect(page.getByRole("dialog", { name: "新增配置" })).toBeVisible();
  await expect(page).toHaveURL(/\/configs/);
});

test("shows the keyboard shortcuts when ? is pressed", async ({ page, signIn }) => {
  await signIn(page);

  await page.keyboard.press("?");

  const keys = page.getByRole("dialog", { name: "快捷键" });
  for (const text of ["移到批量操作B", "提交打开的表单CtrlEnter", "移到提示AltT", "下一个申请J"]) {
    await expect(keys).toContainText(text);
  }
  await expect(keys).not.toContainText(/Mac|⌘/);
  await expectAccessible(page);
});

test("closes an overlay with the back button before it leaves the page", async ({
  signIn,
  openWindow,
}) => {
  const page = await openWindow(PHONE);
  await signIn(page);
  for (const name of ["用户管理", "主机管理"]) {
    await page.getByRole("button", { name: "打开导航菜单" }).click();
    await page.getByRole("link", { name, exact: true }).click();
    await expect(dialog(page)).toBeHidden();
  }
  await expect(page).toHaveURL(/\/hosts$/);

  for (const name of ["打开导航菜单", /^查找/, "筛选", "打开同步面板"]) {
    await page.getByRole("button", { name }).click();
    await expect(dialog(page)).toBeVisible();
    await page.evaluate("history.back()");
    await expect(dialog(page)).toBeHidden();
    await expect(page).toHaveURL(/\/hosts$/);
  }

  await page.evaluate("history.back()");
  await expect(page).toHaveURL(/\/users$/);
  await page.getByRole("button", { name: "创建用户" }).first().click();
  const form = page.getByRole("dialog", { name: "创建用户" });
  await expect(form).toBeVisible();

  await page.evaluate("history.back()");
  await expect(form).toBeHidden();
  await expect(page).toHaveURL(/\/users$/);
});

test("opens the API document from the collapsed sidebar in a new tab", async ({ page, signIn }) => {
  await signIn(page, "/users");
  await page.getByRole("button", { name: "收起侧边栏" }).click();
  const opened = page.waitForEvent("popup");

  await page.getByRole("link", { name: "API 文档" }).click();

  await expect(await opened).toHaveURL(/\/api\/docs$/);
  await expect(await opened).toHaveTitle("多主机管理系统 API");
  await expect(page).toHaveURL(/\/users/);
});

test("names a parameter of the address that has no effect, and clears only it", async ({
  page,
  client,
  signIn,
}) => {
  for (const { path, parameter, account } of [
    { path: "/hosts", parameter: "status=Foo" },
    { path: "/renewals", parameter: "sort=Foo" },
    { path: "/hosts", parameter: "expired=true", account: client },
  ]) {
    await signIn(page, `${path}?${parameter}&search=web`, account);
    const notice = page.getByText(`地址中的参数 ${parameter} 无法识别或不适用于您，没有生效。`);
    await expect(notice).toBeVisible();

    await notice.getByRole("button", { name: "清除这个参数" }).click();
    await expect(page).toHaveURL((url) => url.pathname === path && url.search === "?search=web");
    await expect(notice).toBeHidden();
  }
});

test("says that a filter names an unknown user, and removes it", async ({ page, signIn }) => {
  allowErrors(/404/);

  await signIn(page, `/hosts?userId=${UNKNOWN}`);

  await expect(page.getByText("用户：不存在，或不由您负责")).toBeVisible();
  await page.getByRole("button", { name: /^移除筛选：用户/ }).click();
  await expect(page).toHaveURL(/\/hosts$/);
});

test("says that an address names an unknown request, and returns to the list", async ({
  page,
  signIn,
}) => {
  allowErrors(/404/);

  await signIn(page, `/renewals?renewal=${UNKNOWN}`);

  await expect(dialog(page)).toContainText("看不到这个续费申请");
  await dialog(page).getByRole("button", { name: "返回列表" }).click();
  await expect(dialog(page)).toBeHidden();
});

test("leads a client from an unknown host back to the list", async ({ page, client, signIn }) => {
  allowErrors(/404/);

  await signIn(page, `/hosts?host=${UNKNOWN}`, client);

  await page.getByRole("link", { name: "返回主机列表" }).click();
  await expect(page).toHaveURL(/\/hosts$/);
});

test("links the help for a client, but not the API document", async ({ page, client, signIn }) => {
  await signIn(page, "/hosts", client);

  await expect(page.getByRole("link", { name: "帮助" })).toBeVisible();
  await expect(page.getByRole("link", { name: "API 文档" })).toHaveCount(0);
});
