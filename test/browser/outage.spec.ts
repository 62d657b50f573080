import type { Route } from "@playwright/test";
import { assertOk } from "../harness/rest.ts";
import { dialog, fillUser, submit } from "./actions.ts";
import { allowErrors, expect, expectAccessible, test } from "./fixtures.ts";

const ME = /\/trpc\/.*auth\.me/;
const UNREACHABLE = "暂时无法连接服务器";
/** How an outage looks to a tab that is reloaded. */
const OUTAGES = [
  {
    what: "answers 503",
    handle: (route: Route) => route.fulfill({ status: 503, body: "" }),
  },
  {
    what: "is down",
    handle: (route: Route) => route.abort("connectionrefused"),
  },
  {
    what: "answers nothing",
    handle: () => undefined,
  },
];

for (const { what, handle } of OUTAGES) {
  test(`keeps the session of all tabs when the server ${what}`, async ({
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

    await context.route(ME, handle);
    await reloaded.reload();

    await expect(reloaded.getByRole("alert")).toContainText(UNREACHABLE);
    await expect(reloaded).toHaveURL("/hosts?search=web");
    await expectAccessible(reloaded);

    await context.unroute(ME);
    // The call that hangs would last for its half minute.
    if (what === "answers nothing") await reloaded.reload();
    await expect(reloaded.getByRole("banner")).toBeVisible();
    await expect(reloaded).toHaveURL("/hosts?search=web");

    await expect(dialog(page).getByLabel("姓名")).toHaveValue("张客户");
    await submit(page, "创建", "创建成功");
  });
}

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

  await assertOk(api.put(`/api/users/${client.id}`, { isActive: false }));
  await context.unroute(ME);

  await expect(page.getByText("认证失败，请重新登录")).toBeVisible();
});
