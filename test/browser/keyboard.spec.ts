import { requestRenewal } from "../harness/data.ts";
import { dialog } from "./actions.ts";
import { expect, pressEscape, test } from "./fixtures.ts";

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
