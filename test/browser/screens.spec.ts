import type { Page } from "@playwright/test";
import { syncAll } from "../harness/server-fixture.ts";
import { goTo } from "./actions.ts";
import { expect, expectAccessibleScreen, test } from "./fixtures.ts";

for (const paths of [
  ["/hosts", "/dashboard", "/hosts?view=table", "/hosts/held", "/changes?period=dates", "/notices"],
  ["/notice-settings", "/notice-settings?tab=channels", "/notice-settings?tab=records"],
  [
    "/audit",
    "/configs",
    "/users",
    "/users/import",
    "/hosts/import",
    "/system-config",
    "/renewals",
    "/account",
    "/unauthorized",
    "/nowhere",
    "/super-admin/nowhere",
  ],
]) {
  test(`passes axe in both themes and sizes on ${paths.join(", ")}`, async ({
    page,
    hosts: _,
    signIn,
  }) => {
    test.slow();
    await signIn(page);
    for (const path of paths) {
      await goTo(page, path);
      await expectAccessiblePage(page);
    }
  });
}

test("passes axe in both themes and sizes on the sign-in and without hosts", async ({
  page,
  signIn,
}) => {
  await page.goto("/login");
  await expect(page.getByRole("button", { name: "登录", exact: true })).toBeVisible();
  await expectAccessiblePage(page);

  await signIn(page, "/configs");
  await expect(page.getByText("暂无配置")).toBeVisible();
  await expectAccessiblePage(page);
});

test("passes axe in both themes and sizes on a history and the changes of a run", async ({
  page,
  api,
  hosts,
  provider,
  signIn,
}) => {
  test.slow();
  const [{ id, ucloudId }] = hosts;
  provider.control.updateHosts({ ids: [ucloudId] }, { Name: "改名后的主机", State: "Stopped" });
  const run = await syncAll(api);

  await signIn(page, `/hosts?host=${id}&tab=history`);
  await expect(page.getByText("改名后的主机").last()).toBeVisible();
  await expectAccessiblePage(page);

  await page.goto(`/dashboard?panel=sync&run=${run.id}`);
  await page.getByRole("button", { name: /查看变更的主机/ }).click();
  await expect(page.getByRole("list", { name: "主机的变化" })).toBeVisible();
  await expectAccessiblePage(page);
});

/** The page is there, with what it reads, and accessible. */
async function expectAccessiblePage(page: Page): Promise<void> {
  await expect(page.getByRole("heading").first()).toBeVisible();
  await expect(page.getByRole("status", { name: /加载/ })).toHaveCount(0);
  await expectAccessibleScreen(page);
}
