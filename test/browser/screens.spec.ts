import type { Page } from "@playwright/test";
import { requestRenewal } from "../harness/data.ts";
import { syncAll } from "../harness/server-fixture.ts";
import { SIZES } from "./actions.ts";
import { expect, expectAccessible, expectContrast, test } from "./fixtures.ts";

for (const paths of [
  ["/dashboard", "/hosts", "/hosts?view=table", "/hosts/held", "/configs"],
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
  await page.getByRole("button", { name: /查看更新的主机/ }).click();
  await expect(page.getByRole("list", { name: "主机的变化" })).toBeVisible();
  await expectAccessibleScreen(page);
});

test("prints a table light, without navigation, filters and buttons", async ({
  page,
  signIn,
  hosts: [host],
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await signIn(page, "/hosts?view=table");
  await expect(page.getByRole("cell").first()).toBeVisible();
  await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");

  await page.emulateMedia({ colorScheme: "dark", media: "print" });

  await expect(page.locator("html")).toHaveCSS("color-scheme", "light");
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(255, 255, 255)");
  for (const hidden of [
    page.getByRole("banner"),
    page.getByRole("navigation", { name: "主导航" }),
    page.getByRole("searchbox"),
    page.getByRole("button", { name: "复制资源 ID" }).first(),
    page.getByRole("combobox"),
    page.getByRole("checkbox").first(),
  ]) {
    await expect(hidden).toBeHidden();
  }
  await expect(page.getByRole("columnheader", { name: "主机" })).toBeVisible();
  await expect(page.getByRole("row").nth(1).getByText(host.name)).toBeVisible();
  await expectContrast(page);
});

test("prints the whole sheet of a host without the page behind it", async ({
  page,
  signIn,
  hosts: [host],
}) => {
  await signIn(page, "/hosts?view=table");
  await page.emulateMedia({ media: "print" });

  await page.getByRole("row").nth(1).getByText(host.name).click();

  const sheet = page.getByRole("dialog", { name: "主机详情" });
  await expect(sheet.getByText("计费信息")).toBeVisible();
  await expect(page.getByRole("main", { includeHidden: true })).toBeHidden();
  await expect(sheet.getByRole("button")).toHaveCount(0);
  const body = sheet.locator("[data-dialog-body]");
  expect(await body.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
});

test("prints the host tabs as a list without the open host", async ({
  page,
  signIn,
  hosts: [host],
}) => {
  await signIn(page);
  await page.emulateMedia({ media: "print" });

  await page.goto("/hosts?view=tabs");

  await expect(page.getByRole("list", { name: "主机" }).getByText(host.name)).toBeVisible();
  await expect(page.getByRole("article")).toBeHidden();
});

test("prints every column of a table on A4 and clips nothing", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  await requestRenewal(client.api, assignedHost.id, 30);
  await signIn(page);
  // A4 with margins of 1 cm.
  await page.setViewportSize({ width: 718, height: 1047 });
  await page.emulateMedia({ media: "print" });

  for (const { path, label, last } of [
    { path: "/hosts?view=table", label: "主机列表", last: "分配用户" },
    { path: "/renewals?status=all", label: "续费申请列表", last: "提交时间" },
    { path: "/users", label: "用户列表", last: "创建时间" },
  ]) {
    await page.goto(path);

    await expect(page.getByRole("columnheader", { name: last })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("columnheader", { name: "操作" })).toBeHidden();

    const box = page.getByRole("group", { name: label });
    await expect(box).toHaveCSS("overflow", "visible");
    await expect(box.locator("..")).toHaveCSS("overflow", "visible");
  }
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
