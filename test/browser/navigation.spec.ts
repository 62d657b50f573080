import { assertOk } from "../harness/rest.ts";
import { configure } from "../harness/server-fixture.ts";
import { dialog, PHONE, toast } from "./actions.ts";
import { assignHost } from "./api.ts";
import { allowErrors, expect, expectAccessible, pressEscape, test } from "./fixtures.ts";

const PALETTE = "查找页面、主机、IP 或用户";
const UNKNOWN = "0198a000-0000-7000-8000-000000000000";

test("leads from a sync that finds no active configuration to their page", async ({
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

test("finds a user, a page, and an address's holder by keyboard", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const host = hosts.find(({ ipSet }) => ipSet.length > 0) ?? hosts[0];
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
  await palette.fill(host.ipSet[0]?.IP ?? "");
  const found = page.getByRole("option", {
    name: new RegExp(`${host.ucloudId}.*${host.ipSet[0]?.IP}.*张客户.*用户到期.*还有 20 天`),
  });
  await expect(found).toHaveAttribute("aria-selected", "true");

  // Enter at once would choose a result of the search before.
  const meant = hosts.find(({ id }) => id !== host.id) ?? hosts[1];
  await palette.fill(meant.ucloudId);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("option", { name: new RegExp(meant.ucloudId) })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`host=${meant.id}`));
});

test("takes two actions from an address to a call of the holder", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const host = hosts.find(({ ipSet }) => ipSet.length > 0) ?? hosts[0];
  await assertOk(api.put(`/api/users/${client.id}`, { phone: "13900001111" }));
  await assignHost(api, host, client, 20);
  await signIn(page);

  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(PALETTE).fill(host.ipSet[0]?.IP ?? "");

  await expect(page.getByRole("option", { name: /拨打 张客户.*13900001111/ })).toBeVisible();
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

test("shows the keys by a question mark", async ({ page, signIn }) => {
  await signIn(page);

  await page.keyboard.press("?");

  await expect(page.getByRole("dialog", { name: "快捷键" })).toContainText("下一个申请");
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

test("labels the collapsed sidebar and opens the API document in a new tab", async ({
  page,
  signIn,
}) => {
  await signIn(page, "/users");
  const opened = page.waitForEvent("popup");
  await page.getByRole("link", { name: "API 文档" }).click();
  await expect(await opened).toHaveURL(/\/api\/docs$/);
  await expect(await opened).toHaveTitle("多主机管理系统 API");
  await expect(page).toHaveURL(/\/users/);

  await page.getByRole("button", { name: "收起侧边栏" }).click();
  await expect(page.getByRole("link", { name: "系统配置" })).toBeVisible();
});

test("names an unknown or forbidden parameter of the address and clears it alone", async ({
  page,
  client,
  signIn,
}) => {
  for (const [path, parameter, user] of [
    ["/hosts", "status=Foo"],
    ["/hosts", "view=Foo"],
    ["/users", "role=Foo"],
    ["/renewals", "sort=Foo"],
    ["/hosts", "expired=true", client],
  ] as const) {
    await signIn(page, `${path}?${parameter}&search=web`, user);
    const notice = page.getByText(`地址中的参数 ${parameter} 无法识别或不适用于您，没有生效。`);
    await expect(notice).toBeVisible();
    await notice.getByRole("button", { name: "清除这个参数" }).click();
    await expect(page).toHaveURL((url) => url.pathname === path && url.search === "?search=web");
    await expect(notice).toBeHidden();
  }
});

test("says that an address leads to nothing and goes back to the list", async ({
  page,
  client,
  signIn,
}) => {
  allowErrors(/404/);
  await signIn(page, `/hosts?userId=${UNKNOWN}`);
  await expect(page.getByText("用户：不存在，或不由您负责")).toBeVisible();
  await page.getByRole("button", { name: "不再按用户筛选" }).click();
  await expect(page).toHaveURL(/\/hosts$/);
  await page.goto(`/renewals?renewal=${UNKNOWN}`);
  await expect(dialog(page)).toContainText("看不到这个续费申请");
  await dialog(page).getByRole("button", { name: "返回列表" }).click();
  await expect(dialog(page)).toBeHidden();

  await signIn(page, `/hosts?host=${UNKNOWN}`, client);
  await expect(page.getByRole("link", { name: "帮助" })).toBeVisible();
  await expect(page.getByRole("link", { name: "API 文档" })).toHaveCount(0);
  await page.getByRole("link", { name: "返回主机列表" }).click();
  await expect(page).toHaveURL(/\/hosts$/);
});
