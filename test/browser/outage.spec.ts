import type { Page, Route } from "@playwright/test";
import { assertOk } from "../harness/rest.ts";
import { dialog, fillUser, submit, toast } from "./actions.ts";
import { allowErrors, expect, expectAccessible, test } from "./fixtures.ts";

const ME = /\/trpc\/.*auth\.me/;
const UNREACHABLE = "暂时无法连接服务器";
/** How an outage looks to a tab that is reloaded, and how the tab learns that it is over. */
const OUTAGES = [
  {
    what: "answers 503",
    handle: (route: Route) => route.fulfill({ status: 503, body: "" }),
    // The console asks again by itself.
    askAgain: async () => undefined,
  },
  {
    what: "is down",
    handle: (route: Route) => route.abort("connectionrefused"),
    askAgain: (page: Page) => page.getByRole("button", { name: "立即重试" }).click(),
  },
  {
    what: "answers nothing",
    handle: () => undefined,
    // The call that hangs would last for its half minute.
    askAgain: (page: Page) => page.reload(),
  },
];

test("keeps the session of all tabs whatever an outage looks like", async ({
  page,
  context,
  signIn,
}) => {
  allowErrors(/503|ERR_CONNECTION_REFUSED/);
  await signIn(page, "/users");
  await fillUser(page);
  const reloaded = await context.newPage();
  await reloaded.goto("/hosts?search=web");
  await expect(reloaded.getByRole("banner")).toBeVisible();

  for (const { what, handle, askAgain } of OUTAGES) {
    await context.route(ME, handle);
    await reloaded.reload();

    await expect(reloaded.getByRole("alert"), what).toContainText(UNREACHABLE);
    await expect(reloaded).toHaveURL("/hosts?search=web");

    await context.unroute(ME);
    await askAgain(reloaded);
    await expect(reloaded.getByRole("banner"), what).toBeVisible();
    await expect(reloaded).toHaveURL("/hosts?search=web");
  }

  await expect(dialog(page).getByLabel("姓名")).toHaveValue("张客户");
  await submit(page, "创建", "创建成功");
});

test("ends a session only when the server refuses it after an outage", async ({
  page,
  context,
  api,
  client,
  signIn,
}) => {
  allowErrors(/401|503/);
  await signIn(page, "/dashboard", client);
  await context.route(ME, (route) => route.fulfill({ status: 503, body: "" }));
  await page.reload();
  await expect(page.getByRole("alert")).toContainText(UNREACHABLE);
  await expectAccessible(page);

  await assertOk(api.put(`/api/users/${client.id}`, { isActive: false }));
  await context.unroute(ME);
  await page.getByRole("button", { name: "立即重试" }).click();

  await expect(page.getByText("认证失败，请重新登录")).toBeVisible();
});

test("shows what was said before the code of toasts could be loaded", async ({
  page,
  context,
  signIn,
}) => {
  allowErrors(/ERR_CONNECTION_REFUSED/);
  const code = /assets\/sonner-.*\.js/;
  await context.route(code, (route) => route.abort("connectionrefused"));
  const refused = page.waitForEvent("requestfailed", (request) => code.test(request.url()));
  await signIn(page, "/users");
  await refused;

  await fillUser(page);
  await dialog(page).getByRole("button", { name: "创建", exact: true }).click();
  await expect(dialog(page)).toBeHidden();
  await context.unroute(code);

  await expect(toast(page, "创建成功")).toBeVisible({ timeout: 10_000 });
});
