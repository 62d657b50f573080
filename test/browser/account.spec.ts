import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

test("ends a session of another device, whose window then shows the sign-in", async ({ page, browser, baseURL }) => {
  const otherDevice = await browser.newPage({ baseURL: baseURL ?? "" });
  await signIn(otherDevice);
  await signIn(page);
  await page.goto("/account");
  await expect(page.getByText("当前会话")).toBeVisible();
  await page.getByRole("button", { name: /^退出 Chrome/ }).click();
  const confirmation = page.getByRole("alertdialog");
  await expect(confirmation).toContainText("127.0.0.1");
  await expectAccessible(page);
  await confirmation.getByRole("button", { name: "退出会话" }).click();
  await expect(page.getByText("没有其他会话")).toBeVisible();
  await expect(otherDevice).toHaveURL(/\/login/);
  await otherDevice.close();
});

test("ends all other sessions at once", async ({ page, browser, baseURL }) => {
  const otherDevice = await browser.newPage({ baseURL: baseURL ?? "" });
  await signIn(otherDevice);
  await otherDevice.evaluate("localStorage.clear()");
  await signIn(otherDevice);
  await signIn(page);
  await page.goto("/account");
  await page.getByRole("button", { name: "退出其他会话" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("2 个会话");
  await page.getByRole("alertdialog").getByRole("button", { name: "退出其他会话" }).click();
  await expect(page.getByText("共 2 个会话已失效")).toBeVisible();
  await expect(otherDevice).toHaveURL(/\/login/);
  await otherDevice.close();
});

test("finds a user by keyboard in the command palette", async ({ page }) => {
  await signIn(page);
  const find = page.getByRole("button", { name: "查找页面、主机、用户或操作" });
  await expect(find.getByText("查找…", { exact: true })).toBeVisible();
  await find.press("Enter");
  await expect(page.getByPlaceholder("查找页面、主机、IP、用户或操作")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(find).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.type("root");
  await expect(page.getByRole("option", { name: /系统管理员/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/users\/[\da-f-]{36}$/);
  await expect(page.getByRole("main")).toBeFocused();
});
