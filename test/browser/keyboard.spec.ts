import { requestRenewal } from "../harness/data.ts";
import { batchBar, boxOf, dialog, goTo, row } from "./actions.ts";
import { expect, expectAccessible, pressEscape, test } from "./fixtures.ts";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

test("keeps single keys from acting under a menu, a popover or the palette", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  await requestRenewal(client.api, assignedHost.id, 30);
  await signIn(page, "/renewals");
  await expect(page.getByRole("button", { name: "处理", exact: true })).toBeVisible();
  const decision = page.getByRole("dialog", { name: "处理续费申请" });

  await page.getByRole("button", { name: /^用户菜单/ }).click();
  for (const key of ["a", "r", "j", "/"]) await page.keyboard.press(key);
  await expect(page.getByRole("menu")).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  await pressEscape(page);
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(dialog(page)).toHaveCount(0);

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "命令面板" }).blur();
  await page.keyboard.press("a");
  await expect(decision).toHaveCount(0);
  await pressEscape(page);
  await expect(dialog(page)).toHaveCount(0);

  // The key acts as soon as nothing covers the list, so the presses above were not merely slow.
  await page.keyboard.press("a");
  await expect(decision).toBeVisible();
});

test("gives the palette the keys that are typed before it is drawn", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  await requestRenewal(client.api, assignedHost.id, 30);
  const { promise: isOnItsWay, resolve: letItArrive } = Promise.withResolvers<void>();
  await page.route(/command-menu-[^/]*\.js/, async (route) => {
    await isOnItsWay;
    await route.continue();
  });
  await signIn(page, "/renewals");
  await expect(page.getByRole("button", { name: "处理", exact: true })).toBeVisible();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("rax");
  await page.keyboard.press("Backspace");
  letItArrive();

  const palette = page.getByRole("combobox", { name: "命令面板" });
  await expect(palette).toHaveValue("ra");
  await expect(palette).toBeFocused();
  await page.keyboard.type("203");
  await expect(palette).toHaveValue("ra203");
  await expect(page.getByRole("dialog", { name: "处理续费申请" })).toHaveCount(0);
});

test("acts on no single key for those who have switched them off", async ({
  page,
  hosts: [host],
  client,
  signIn,
}) => {
  await signIn(page, "/account");
  await page.getByRole("switch", { name: "单键快捷键" }).click();

  for (const key of ["/", "?"]) await page.keyboard.press(key);
  await expect(dialog(page)).toHaveCount(0);

  await goTo(page, "/hosts?view=table");
  await row(page, host.ucloudId).getByRole("checkbox").press("Space");
  await expect(batchBar(page)).not.toContainText("到批量操作");
  await page.keyboard.press("b");
  await expect(row(page, host.ucloudId).getByRole("checkbox")).toBeFocused();

  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: "查看快捷键" }).click();
  await expect(dialog(page)).toContainText("单键快捷键已关闭");
  await expect(dialog(page)).not.toContainText("在本页搜索");
  await expectAccessible(page);

  // The choice is this person's.
  await signIn(page, "/dashboard", client);
  await page.keyboard.press("?");
  await expect(dialog(page)).toContainText("不需要单键快捷键时");
});

test("keeps what has the focus above the selection bar", async ({ page, hosts, signIn }) => {
  await page.setViewportSize({ width: 1440, height: 600 });
  await signIn(page, "/hosts?view=table");
  await row(page, hosts[0].ucloudId).getByRole("checkbox").press("Space");
  const bar = await boxOf(batchBar(page));
  const focused = page.locator("main :focus");

  for (let step = 0; step < 30; step++) {
    await page.keyboard.press("Tab");

    const box = await boxOf(focused);
    expect(box.y + box.height, await focused.innerHTML()).toBeLessThanOrEqual(bar.y);
  }
});
