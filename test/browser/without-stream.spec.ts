import type { Locator, Page, WebSocketRoute } from "@playwright/test";
import { requestRenewal } from "../harness/data.ts";
import { countCalls, expectLive, row, submitSignIn, untilQuiet } from "./actions.ts";
import { allowErrors, expect, expectAccessible, test } from "./fixtures.ts";
import { startHostProxy } from "./host-proxy.ts";

/** What a proxy does that does not know WebSockets. */
const PROXIES = [
  { what: "refuses WebSockets", handle: (socket: WebSocketRoute) => socket.close() },
  { what: "never answers WebSockets", handle: () => undefined },
];

for (const { what, handle } of PROXIES) {
  test(`refreshes the page every 30 s behind a proxy that ${what}`, async ({
    page,
    client,
    assignedHost,
    signIn,
  }) => {
    allowErrors(/WebSocket/);
    await page.routeWebSocket(/\/trpc/, handle);
    await page.clock.install();
    await signIn(page, "/renewals?status=all");
    await expect(page.getByText("暂无续费申请")).toBeVisible();

    await page.clock.fastForward(13_000);
    const banner = page.getByRole("status").filter({ hasText: "暂时无法建立实时连接" });
    await expect(banner).toContainText("每 30 秒自动刷新一次");
    await expect(page.getByRole("button", { name: "实时连接：未建立" })).toBeVisible();

    await requestRenewal(client.api, assignedHost.id, 30);
    await page.clock.fastForward(30_000);

    await expect(row(page, assignedHost.ucloudId)).toBeVisible();
  });
}

test("does not refresh a hidden page until it is shown again", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  await page.routeWebSocket(/\/trpc/, () => undefined);
  await page.clock.install();
  await signIn(page, "/renewals?status=all");
  await expect(page.getByText("暂无续费申请")).toBeVisible();
  await requestRenewal(client.api, assignedHost.id, 30);
  const calls = countCalls(page, "renewals.list");

  await setHidden(page, true);
  await page.clock.fastForward(65_000);
  // A call is sent a timer after it was made, with the others of its moment: by then it was seen.
  await page.clock.runFor(1_000);
  expect(calls()).toBe(0);

  await setHidden(page, false);
  await expect(row(page, assignedHost.ucloudId)).toBeVisible();
});

test("stops refreshing once the stream is there", async ({ page, signIn }) => {
  const unanswered = countUnansweredPings(page);
  await page.clock.install();
  await signIn(page, "/users");
  await expectLive(page);
  await expect(page.getByText("1 人", { exact: true })).toBeVisible();
  await untilQuiet(page);
  const calls = countCalls(page, "users.list");

  // In steps shorter than a ping may take: the clock must not outrun the answers that keep the
  // stream open.
  for (let step = 0; step < 5; step++) {
    await page.clock.fastForward(7_000);
    await expect.poll(unanswered).toBe(0);
  }

  expect(calls()).toBe(0);
});

/** Counts the pings without an answer on the sockets that are opened from now on. */
function countUnansweredPings(page: Page): () => number {
  let count = 0;
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => {
      if (payload === "PING") count++;
    });
    socket.on("framereceived", ({ payload }) => {
      if (payload === "PONG") count--;
    });
  });
  return () => count;
}

async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "hidden", { configurable: true, get: () => ${isHidden} });
    Object.defineProperty(document, "visibilityState", {
      configurable: true,
      get: () => ${isHidden ? '"hidden"' : '"visible"'},
    });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  `);
}

test("says what to tell the operator when a proxy passes another host", async ({
  page,
  server,
}) => {
  allowErrors(/WebSocket/);
  await using proxy = await startHostProxy(server.url, "console.internal");
  await page.clock.install();
  await page.goto(`${proxy.url}/login`);
  await submitSignIn(page);
  await expect(page.getByRole("banner")).toBeVisible();
  const banner = page.getByRole("status").filter({ hasText: "实时连接一直被拒绝" });

  await passTimeUntilVisible(page, banner);

  await expect(banner).toContainText("proxy_set_header Host $http_host;");
  await expect(banner).toContainText("同一地址的连接过多，代理后面应设置 TRUST_PROXY");
  await expect(banner).toContainText("运维文档");
  await expectAccessible(page);
});

test("speaks of no refusal while the server is down", async ({ page, context, signIn }) => {
  allowErrors(/WebSocket|ERR_CONNECTION_REFUSED/);
  const open: WebSocketRoute[] = [];
  let isDown = false;
  await page.routeWebSocket(/\/trpc/, (socket) => {
    if (isDown) void socket.close();
    else socket.connectToServer();
    open.push(socket);
  });
  await page.clock.install();
  await signIn(page);
  await expectLive(page);

  isDown = true;
  await context.route(/\/(trpc|healthz)/, (route) => route.abort("connectionrefused"));
  for (const socket of open) await socket.close();
  const banner = page.getByRole("status").filter({ hasText: "正在重新连接" });
  await passTimeUntilVisible(page, banner);
  for (let step = 0; step < 12; step++) await page.clock.runFor(8_000);

  await expect(banner).toBeVisible();
});

/** Attempts to connect are up to eight seconds apart. */
async function passTimeUntilVisible(page: Page, shown: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(8_000);
    await expect(shown).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 60_000 });
}
