import type { Page, WebSocketRoute } from "@playwright/test";
import { dialog, PHONE, toast } from "./actions.ts";
import { applyForRenewal, shareHost, signInToApi } from "./api.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";
import { ADMIN } from "./server.ts";

/** While `hurry` is on, the time limit of a call, 30 s, passes at once. Other timers are not touched. */
const HURRY = `
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => timeout(window.hurry && ms === 30_000 ? 300 : ms);
`;
const PROXY_PAGE = { contentType: "text/html", body: "<h1>Internal Server Error</h1>" };
const OVER = "认证失败，请重新登录";

test.describe("a session that was revoked", () => {
  test.use({ expectedComplaints: [/401/] });

  test("redirects to the sign-in when the session is revoked, and back afterwards", async ({
    page,
    server,
    openWindow,
  }) => {
    await signIn(page);
    await page.goto("/users?search=root");
    await expect(page.getByRole("button", { name: /^实时连接：已连接/ })).toBeVisible();
    await endOtherSessions(server.url);
    await expect(page).toHaveURL(`/login?${new URLSearchParams({ from: "/users?search=root" })}`);
    await expect(toast(page, OVER)).toBeVisible();
    await expect(page.getByText("登录已失效，请重新登录后继续。")).toBeVisible();
    await expectAccessible(page);
    await enter(page);
    await expect(page).toHaveURL("/users?search=root");
    await expect(page.getByText("1 人", { exact: true })).toBeVisible();

    const deaf = await openWindow(PHONE);
    // A network that lets no socket through: this window learns of its end by asking.
    await deaf.routeWebSocket(/\/trpc/, () => undefined);
    await signIn(deaf);
    await deaf.goto("/system-config");
    const network = deaf.getByRole("switch", { name: "向C端用户显示网络信息" });
    await expect(network).not.toBeChecked();
    // By then nothing but the switch asks.
    await deaf.waitForLoadState("networkidle");
    await endOtherSessions(server.url);
    await network.click();
    await expect(toast(deaf, OVER)).toBeVisible();
    await expect(deaf).toHaveURL(`/login?${new URLSearchParams({ from: "/system-config" })}`);
    await enter(deaf);
    await expect(deaf).toHaveURL("/system-config");
    await network.click();
    await expect(network).toBeChecked();
  });
});

test.describe("a lost network", () => {
  test.use({ expectedComplaints: [/WebSocket|ERR_INTERNET_DISCONNECTED/] });

  test("shows the loss of the network and catches up by itself", async ({ page, context, provider, server }) => {
    const { host, client } = await shareHost(server.url, provider);
    const sockets: WebSocketRoute[] = [];
    await page.routeWebSocket(/\/trpc/, (socket) => {
      socket.connectToServer();
      sockets.push(socket);
    });
    await signIn(page);
    await page.goto("/renewals?status=all");
    const dot = page.getByRole("button", { name: /^实时连接/ });
    await expect(dot).toHaveAccessibleName("实时连接：已连接，数据会自动更新");
    await expect(page.getByText("暂无续费申请")).toBeVisible();

    await context.setOffline(true);
    // The browser's offline switch leaves open sockets alone; a real loss would not.
    for (const socket of sockets) await socket.close();
    await expect(page.getByRole("status").filter({ hasText: "网络连接已断开" })).toBeVisible();
    await expect(dot).toHaveAccessibleName("实时连接：网络已断开");
    await expectAccessible(page);
    await applyForRenewal(await signInToApi(server.url, client), host, 30);
    await page.getByRole("button", { name: "刷新" }).click();
    await expect(toast(page, "加载失败", "网络连接失败，请检查网络")).toBeVisible();
    await expect(page.getByText("暂无续费申请")).toBeVisible();

    await context.setOffline(false);
    await expect(dot).toHaveAccessibleName("实时连接：已连接，数据会自动更新");
    await expect(page.getByText("网络连接已断开")).toHaveCount(0);
    await expect(toast(page, "新的续费申请", "张客户")).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: host.ucloudId })).toBeVisible();
  });
});

test("shows changes from before the stream was open", async ({ page, provider, server }) => {
  const { host, client } = await shareHost(server.url, provider);
  const asClient = await signInToApi(server.url, client);
  await signIn(page);
  const opening = Promise.withResolvers<void>();
  await page.routeWebSocket(/\/trpc/, async (socket) => {
    await opening.promise;
    socket.connectToServer();
  });

  await page.goto("/renewals?status=all");
  await expect(page.getByText("暂无续费申请")).toBeVisible();
  await applyForRenewal(asClient, host, 30);
  opening.resolve();
  await expect(page.getByRole("row").filter({ hasText: host.ucloudId })).toBeVisible();
});

test.describe("a page whose code cannot be fetched", () => {
  test.use({ expectedComplaints: [/ERR_INTERNET_DISCONNECTED|dynamically imported module|WebSocket|页面/] });

  test("keeps the console usable and loads with a click once the network is back", async ({ page, context }) => {
    await signIn(page);
    await context.setOffline(true);
    await page.getByRole("link", { name: "系统配置" }).click();
    await expectFailure(page, "页面加载失败", "");
    await expect(page.getByRole("link", { name: "主机管理", exact: true })).toBeVisible();
    await context.setOffline(false);
    await page.getByRole("button", { name: "重试" }).click();
    await expect(page.getByRole("switch", { name: "向C端用户显示网络信息" })).toBeVisible();
  });
});

test.describe("a page that failed without the server", () => {
  test.use({ expectedComplaints: [/502|WebSocket/] });

  test("loads by itself once the stream is back", async ({ page }) => {
    const sockets: WebSocketRoute[] = [];
    await page.routeWebSocket(/\/trpc/, (socket) => {
      socket.connectToServer();
      sockets.push(socket);
    });
    await signIn(page);
    const dot = page.getByRole("button", { name: /^实时连接/ });
    await expect(dot).toHaveAccessibleName("实时连接：已连接，数据会自动更新");
    await page.route(/\/trpc\/.*users\.list/, (route) => route.fulfill({ status: 502, ...PROXY_PAGE }));
    await page.getByRole("link", { name: "用户管理" }).click();
    await expectFailure(page, "加载失败", "");
    await page.unroute(/\/trpc\/.*users\.list/);
    // Pointed at, it does not run out.
    await toast(page, "加载失败").hover();
    for (const socket of sockets) await socket.close();
    await expect(page.getByText("1 人", { exact: true })).toBeVisible();
    await expect(toast(page, "加载失败")).toHaveCount(0);
  });
});

test.describe("a server that fails or does not answer", () => {
  test.use({ expectedComplaints: [/50[023]/] });

  test("is reported in a message and can be retried", async ({ page }) => {
    await page.addInitScript(HURRY);
    await page.goto("/login");
    await page.route(/\/trpc\/auth\.login/, (route) => route.fulfill({ status: 502, ...PROXY_PAGE }));
    await enter(page);
    await expect(toast(page, "登录失败", "服务器内部错误")).toBeVisible();
    await page.unroute(/\/trpc\/auth\.login/);
    await signIn(page);

    await page.route(/\/trpc\/.*users\.list/, () => undefined);
    await page.evaluate("window.hurry = true");
    await page.getByRole("link", { name: "用户管理" }).click();
    await expectFailure(page, "加载失败", "请求超时，请稍后重试");
    await expect(toast(page, "加载失败", "请求超时，请稍后重试")).toBeVisible();
    await page.evaluate("window.hurry = false");
    await expectAccessible(page);
    await page.unroute(/\/trpc\/.*users\.list/);
    await page.getByRole("button", { name: "重试" }).click();
    await expect(page.getByText("1 人", { exact: true })).toBeVisible();

    await page.route(/\/trpc\/.*users\.create/, () => undefined);
    await page.getByRole("button", { name: "创建用户" }).click();
    await dialog(page).getByLabel("用户名").fill("zhang_kehu");
    await dialog(page).getByLabel("密码", { exact: true }).fill(ADMIN.password);
    await dialog(page).getByLabel("姓名").fill("张客户");
    await page.evaluate("window.hurry = true");
    await dialog(page).getByRole("button", { name: "创建" }).click();
    await expect(toast(page, "创建失败", "请求超时，请稍后重试")).toBeVisible();
    await page.evaluate("window.hurry = false");
    await page.unroute(/\/trpc\/.*users\.create/);
    await dialog(page).getByRole("button", { name: "创建" }).click();
    await expect(toast(page, "创建成功", "张客户")).toBeVisible();

    await page.getByRole("button", { name: "创建用户" }).click();
    await page.route(/\/trpc\/.*users\.list/, (route) => route.fulfill({ status: 500, ...PROXY_PAGE }));
    await dialog(page).getByRole("combobox", { name: "负责管理员" }).click();
    await page.getByPlaceholder("搜索用户名、姓名或邮箱").last().fill("li");
    await expect(page.getByRole("alert")).toContainText("加载失败：请求失败");
    await page.unroute(/\/trpc\/.*users\.list/);
    await page.getByRole("button", { name: "重试" }).click();
    await expect(page.getByText("没有匹配的管理员")).toBeVisible();

    await page.route(/\/trpc\/.*hosts\.list/, (route) => route.fulfill({ status: 500, ...PROXY_PAGE }));
    await page.goto("/hosts");
    await expectFailure(page, "加载失败", "请求失败");
    await page.unroute(/\/trpc\/.*hosts\.list/);
    await page.getByRole("button", { name: "重试" }).click();
    await expect(page.getByText("请先同步主机")).toBeVisible();

    const busy = { status: 503, json: { message: "服务暂时不可用，请稍后重试" } };
    await page.route(/\/trpc\/.*configs\.list/, (route) => route.fulfill(busy));
    await page.goto("/configs");
    await expectFailure(page, "加载失败", "服务暂时不可用，请稍后重试");
    await page.unroute(/\/trpc\/.*configs\.list/);
    await page.getByRole("button", { name: "重试" }).click();
    await expect(page.getByText("暂无配置")).toBeVisible();

    await page.route(/\/trpc\/.*settings\./, (route) => route.fulfill(busy));
    await page.goto("/system-config");
    await expectFailure(page, "获取系统配置失败", "获取系统配置失败，请稍后重试");
    await page.unroute(/\/trpc\/.*settings\./);
    await page.getByRole("button", { name: "重试" }).click();
    const network = page.getByRole("switch", { name: "向C端用户显示网络信息" });
    await expect(network).not.toBeChecked();
    await page.route(/\/trpc\/.*settings\.update/, (route) => route.fulfill(busy));
    await network.click();
    await expect(toast(page, "更新系统配置失败", "更新系统配置失败，请稍后重试")).toBeVisible();
    await expect(network).not.toBeChecked();
    await page.unroute(/\/trpc\/.*settings\.update/);
    await network.click();
    await expect(toast(page, "系统配置更新成功")).toBeVisible();
    await expect(network).toBeChecked();
  });
});

async function expectFailure(page: Page, title: string, message: string): Promise<void> {
  const failure = page.getByRole("main").getByRole("alert");
  await expect(failure).toContainText(title);
  await expect(failure).toContainText(message);
}

/** As a person does on the page of personal settings, from another device. */
async function endOtherSessions(url: string): Promise<void> {
  const api = await signInToApi(url);
  await api("DELETE", "/api/auth/sessions");
}

async function enter(page: Page): Promise<void> {
  await page.getByLabel("用户名").fill(ADMIN.username);
  await page.getByLabel("密码", { exact: true }).fill(ADMIN.password);
  await page.getByRole("button", { name: "登录", exact: true }).click();
}
