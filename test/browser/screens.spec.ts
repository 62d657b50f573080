import type { Page } from "@playwright/test";
import { syncAll } from "../harness/server-fixture.ts";
import { SIZES } from "./actions.ts";
import { expect, expectAccessible, expectContrast, test } from "./fixtures.ts";

for (const paths of [
  ["/dashboard", "/hosts", "/hosts?view=table", "/hosts/held", "/changes", "/configs"],
  [
    "/users",
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
      await page.goto(path);
      await expectAccessibleScreen(page);
    }
  });
}

test("passes axe in both themes and sizes on the sign-in and without hosts", async ({
  page,
  signIn,
}) => {
  await page.goto("/login");
  await expect(page.getByRole("button", { name: "登录", exact: true })).toBeVisible();
  await expectAccessibleScreen(page);

  await signIn(page, "/configs");
  await expect(page.getByText("暂无配置")).toBeVisible();
  await expectAccessibleScreen(page);
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
  await expectAccessibleScreen(page);

  await page.goto(`/dashboard?panel=sync&run=${run.id}`);
  await page.getByRole("button", { name: /查看变更的主机/ }).click();
  await expect(page.getByRole("list", { name: "主机的变化" })).toBeVisible();
  await expectAccessibleScreen(page);
});

/** Nothing is found in both themes and sizes, and nothing scrolls sideways. */
async function expectAccessibleScreen(page: Page): Promise<void> {
  await expect(page.getByRole("heading").first()).toBeVisible();
  await expect(page.getByRole("status", { name: /加载/ })).toHaveCount(0);

  for (const viewport of SIZES) {
    await page.setViewportSize(viewport);
    await useTheme(page, "light");
    await expectAccessible(page);
    await useTheme(page, "dark");
    await expectContrast(page);

    const overflow = Number(
      await page.evaluate("document.documentElement.scrollWidth - window.innerWidth"),
    );
    const message = `${page.url()} scrolls sideways at ${viewport.width} px`;
    expect(overflow, message).toBeLessThanOrEqual(0);
  }
}

/** The theme follows the system unless chosen otherwise. */
async function useTheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await expect(page.locator("html")).toHaveClass(colorScheme === "dark" ? /dark/ : /^(?!.*dark)/);
}
