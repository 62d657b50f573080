import type { Locator, Page, WebSocketRoute } from "@playwright/test";
import { requestRenewal } from "../harness/data.ts";
import { dialog, expectLive, row, submitSignIn, toast } from "./actions.ts";
import { allowErrors, expect, expectAccessible, test } from "./fixtures.ts";

/** While `hasShortLimit` is set, the time limit of a call is 300 ms instead of 30 s. */
const SHORT_LIMIT = `
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => timeout(window.hasShortLimit && ms === 30_000 ? 300 : ms);
`;
const LOGIN = /\/trpc\/auth\.login/;
const USERS = /\/trpc\/.*users\.list/;
const SETTINGS = /\/trpc\/.*settings\./;
/** The answer of a proxy whose server failed. */
const BROKEN = { status: 502, contentType: "text/html", body: "<h1>Internal Server Error</h1>" };
/** The answer of a server that is overloaded. */
const BUSY = { status: 503, json: { message: "服务暂时不可用，请稍后重试" } };

test("shows that the network is lost and then catches up", async ({
  page,
  client,
  context,
  assignedHost,
  signIn,
}) => {
  allowErrors(/WebSocket|ERR_INTERNET_DISCONNECTED/);
  const closeSockets = await trackSockets(page);
  await signIn(page, "/renewals?status=all");
  const dot = page.getByRole("button", { name: /^实时连接/ });
  await expect(dot).toHaveAccessibleName("实时连接：已连接，数据会自动更新");
  await expect(page.getByText("暂无续费申请")).toBeVisible();

  await context.setOffline(true);
  // The browser's offline switch leaves open sockets alone; a real loss would not.
  await closeSockets();
  await expect(page.getByRole("status").filter({ hasText: "网络连接已断开" })).toBeVisible();
  await expect(dot).toHaveAccessibleName("实时连接：网络已断开");
  await expectAccessible(page);

  await requestRenewal(client.api, assignedHost.id, 30);
  await context.setOffline(false);
  await expect(dot).toHaveAccessibleName("实时连接：已连接，数据会自动更新");
  await expect(page.getByText("网络连接已断开")).toHaveCount(0);
  await expect(toast(page, "新的续费申请", "张客户")).toBeVisible();
  await expect(row(page, assignedHost.ucloudId)).toBeVisible();
});

test("keeps the list of users when a refresh fails, and says so", async ({
  page,
  context,
  client,
  signIn,
}) => {
  allowErrors(/WebSocket|ERR_INTERNET_DISCONNECTED/);
  await signIn(page, "/users");
  await expect(page.getByRole("link", { name: client.name, exact: true })).toBeVisible();

  await context.setOffline(true);
  await page.getByRole("button", { name: "刷新" }).click();

  await expect(toast(page, "加载失败", "网络连接失败，请检查网络")).toBeVisible();
  await expect(page.getByRole("link", { name: client.name, exact: true })).toBeVisible();
});

test("shows changes from before the stream was open", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  const opening = Promise.withResolvers<void>();
  await page.routeWebSocket(/\/trpc/, async (socket) => {
    await opening.promise;
    socket.connectToServer();
  });
  await signIn(page, "/renewals?status=all");
  await expect(page.getByText("暂无续费申请")).toBeVisible();

  await requestRenewal(client.api, assignedHost.id, 30);
  opening.resolve();

  await expect(row(page, assignedHost.ucloudId)).toBeVisible();
});

test("keeps the menu without a page's code and loads the code with the network", async ({
  page,
  context,
  signIn,
}) => {
  allowErrors(/ERR_INTERNET_DISCONNECTED|dynamically imported module|WebSocket|页面/);
  await signIn(page);

  await context.setOffline(true);
  await page.getByRole("link", { name: "系统配置" }).click();
  await expectFailure(page, "页面加载失败");
  await expect(page.getByRole("link", { name: "主机管理", exact: true })).toBeVisible();

  await context.setOffline(false);
  await expect(page.getByRole("switch", { name: "向C端用户显示网络信息" })).toBeVisible();
});

test("loads a failed page by itself once the stream is back", async ({ page, signIn }) => {
  allowErrors(/502|WebSocket/);
  const closeSockets = await trackSockets(page);
  await signIn(page);
  await expectLive(page);
  await page.route(USERS, (route) => route.fulfill(BROKEN));
  await page.getByRole("link", { name: "用户管理" }).click();
  await expectFailure(page, "加载失败");

  await page.unroute(USERS);
  await closeSockets();

  await expect(page.getByText("1 人", { exact: true })).toBeVisible();
});

test("reports a sign-in whose server fails, and signs in afterwards", async ({ page }) => {
  allowErrors(/502/);
  await page.goto("/login");
  await page.route(LOGIN, (route) => route.fulfill(BROKEN));

  await submitSignIn(page);
  await expect(page.getByRole("alert")).toContainText(/登录失败.*服务器内部错误/);

  await page.unroute(LOGIN);
  await submitSignIn(page);
  await expect(page.getByRole("banner")).toBeVisible();
});

test("reports a server that does not answer, and retries", async ({ page, signIn }) => {
  await page.addInitScript(SHORT_LIMIT);
  await signIn(page);
  await page.route(USERS, () => undefined);

  await page.evaluate("window.hasShortLimit = true");
  await page.getByRole("link", { name: "用户管理" }).click();
  await expectFailure(page, "加载失败", "请求超时，请稍后重试");
  await expect(toast(page, "加载失败", "请求超时，请稍后重试")).toBeVisible();
  await page.evaluate("window.hasShortLimit = false");
  await expectAccessible(page);

  await page.unroute(USERS);
  await page.getByRole("button", { name: "重试" }).click();
  await expect(page.getByText("1 人", { exact: true })).toBeVisible();
});

test("reports a picker whose search fails, and retries", async ({ page, signIn }) => {
  allowErrors(/502/);
  await signIn(page, "/users");
  await page.getByRole("button", { name: "创建用户" }).click();
  await page.route(USERS, (route) => route.fulfill(BROKEN));

  await dialog(page).getByRole("combobox", { name: "负责管理员" }).click();
  await page.getByPlaceholder("搜索姓名、用户名、手机号或邮箱").last().fill("li");
  await expect(page.getByRole("alert")).toContainText("加载失败：服务器暂时不可用");

  await page.unroute(USERS);
  await page.getByRole("button", { name: "重试" }).click();
  await expect(page.getByText("没有可选的管理员")).toBeVisible();
});

test("says that a busy server neither reads nor saves a switch", async ({ page, signIn }) => {
  allowErrors(/503/);
  const network = page.getByRole("switch", { name: "向C端用户显示网络信息" });
  await page.route(SETTINGS, (route) => route.fulfill(BUSY));
  await signIn(page, "/system-config");
  const failure = await expectFailure(page, "获取系统配置失败", "获取系统配置失败，请稍后重试");

  await page.unroute(SETTINGS);
  await failure.getByRole("button", { name: "重试" }).click();
  await expect(network).not.toBeChecked();

  await page.route(SETTINGS, (route) => route.fulfill(BUSY));
  await network.click();
  await expect(toast(page, "更新系统配置失败", "更新系统配置失败，请稍后重试")).toBeVisible();
  await expect(network).not.toBeChecked();

  await page.unroute(SETTINGS);
  await network.click();
  await expect(toast(page, "系统配置更新成功")).toBeVisible();
  await expect(network).toBeChecked();
});

/** Lets the sockets of the page through, and returns what closes them all. */
async function trackSockets(page: Page): Promise<() => Promise<void>> {
  const sockets: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/trpc/, (socket) => {
    socket.connectToServer();
    sockets.push(socket);
  });
  return async () => {
    for (const socket of sockets) await socket.close();
  };
}

/** The page says in place of its content that it could not be loaded. */
async function expectFailure(page: Page, title: string, message = ""): Promise<Locator> {
  const failure = page.getByRole("main").getByRole("alert").filter({ hasText: title });
  await expect(failure).toContainText(message);
  return failure;
}
