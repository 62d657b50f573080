import type { Page } from "@playwright/test";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { addConfiguration, chooseAllConfigurations, openHosts } from "./actions.ts";
import { expect, expectAccessible, expectContrast, expectStill, signIn, test } from "./fixtures.ts";

const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

test("redirects to the sign-in and back to the requested page", async ({ page }) => {
  await page.goto("/hosts?search=web");
  await expect(page).toHaveURL(/\/login/);
  await expect(page).toHaveTitle(/多主机管理系统/);
  await page.getByLabel("用户名").fill("root");
  await page.getByLabel("密码", { exact: true }).fill("Correct1Horse");
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await expect(page).toHaveURL(/\/hosts\?search=web/);
});

test.describe("a refused sign-in", () => {
  test.use({ expectedComplaints: [/401/] });

  test("shows the failure, keeps the name, and marks empty fields", async ({ page }) => {
    await page.goto("/login");
    await page.getByRole("button", { name: "登录", exact: true }).click();
    await expect(page.getByText("用户名不能为空")).toBeVisible();
    await expect(page.getByText("密码不能为空")).toBeVisible();
    await page.getByLabel("用户名").fill("root");
    await page.getByLabel("密码", { exact: true }).fill("Wrong1Horse");
    await page.getByRole("button", { name: "登录", exact: true }).click();
    await expect(page.getByText("登录失败")).toBeVisible();
    await expect(page.getByRole("main").getByText("用户名或密码错误")).toBeVisible();
    await expect(page.getByLabel("用户名")).toHaveValue("root");
  });
});

test("ends the session at sign-out", async ({ page }) => {
  await signIn(page);
  await page.getByRole("button", { name: /系统管理员/ }).click();
  await page.getByRole("menuitem", { name: "退出登录" }).click();
  await expect(page).toHaveURL(/\/login/);
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login/);
});

test("fetches a page while the stored session is being confirmed", async ({ page }) => {
  await signIn(page);
  const requests = Promise.withResolvers<void>();
  const fetched = Promise.withResolvers<void>();
  page.on("response", (response) => {
    if (/\/assets\/hosts-page-/.test(response.url())) fetched.resolve();
  });
  await page.route(/\/trpc\/auth\.me/, async (route) => {
    requests.resolve();
    await fetched.promise;
    await route.continue();
  });
  await page.goto("/hosts");
  await requests.promise;
  await expect(page.getByRole("heading", { level: 1, name: "主机管理" })).toBeVisible();
});

for (const [size, viewport] of Object.entries(SIZES)) {
  test.describe(size, () => {
    test.use({ viewport });

    test("passes axe on every screen in both themes without sideways scrolling", async ({ page, provider }) => {
      test.slow();
      await page.goto("/login");
      await expect(page.getByRole("button", { name: "登录", exact: true })).toBeVisible();
      await expectAccessibleInBothThemes(page);
      await signIn(page);
      await page.goto("/configs");
      await expect(page.getByText("暂无配置")).toBeVisible();
      await expectAccessibleInBothThemes(page);
      await addConfiguration(page, { url: provider.url, ...MAIN_KEYS });
      await page.goto("/hosts");
      await chooseAllConfigurations(page);
      await expect(page.getByText("60 台", { exact: true })).toBeVisible();
      for (const path of [
        "/dashboard",
        "/hosts",
        "/hosts?view=table",
        "/hosts/held",
        "/configs",
        "/users",
        "/system-config",
        "/renewals",
        "/account",
        "/unauthorized",
        "/nowhere",
        "/super-admin/nowhere",
      ]) {
        await page.goto(path);
        await expect(page.getByRole("heading").first()).toBeVisible();
        await expect(page.getByRole("status", { name: /加载/ })).toHaveCount(0);
        await expectAccessibleInBothThemes(page);
        const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
        expect(Number(overflow), `${path} scrolls sideways`).toBeLessThanOrEqual(0);
      }
    });
  });
}

/** The theme follows the system unless chosen otherwise. */
async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await useTheme(page, "light");
  await expectAccessible(page);
  await useTheme(page, "dark");
  await expectContrast(page);
}

async function useTheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await expect(page.locator("html")).toHaveClass(colorScheme === "dark" ? /dark/ : /^(?!.*dark)/);
}

test("changes the theme without transitions", async ({ page }) => {
  await signIn(page);
  await expectStill(page);
  const fading = page.evaluate<number>(`new Promise((resolve) => {
    const transitions = () => document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    const observer = new MutationObserver(() => resolve(transitions().length));
    observer.observe(document.documentElement, { attributeFilter: ["class"] });
  })`);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await fading).toBe(0);
  await expect(page.locator("html")).toHaveClass("dark");
});

test("prints a page light and without its frame", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await signIn(page);
  await expect(page.getByText("主机状态")).toBeVisible();
  await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");
  await page.emulateMedia({ colorScheme: "dark", media: "print" });
  await expect(page.locator("html")).toHaveCSS("color-scheme", "light");
  await expect(page.getByRole("banner")).toBeHidden();
  await expect(page.getByRole("navigation", { name: "主导航" })).toBeHidden();
  await expectContrast(page);
});

test("finds hosts by keyboard in the command palette", async ({ page, provider }) => {
  await signIn(page);
  await page.goto("/configs");
  await addConfiguration(page, { url: provider.url, ...MAIN_KEYS });
  await openHosts(page);
  await chooseAllConfigurations(page);
  await expect(page.getByText("60 台", { exact: true })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByPlaceholder("查找页面、主机、IP、用户或操作")).toBeFocused();
  await page.keyboard.type("配置");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/configs/);
});

test("keeps the text of a new configuration when the list arrives", async ({ page }) => {
  await signIn(page);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/trpc\/.*configs\.list/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("/configs");
  await page.getByRole("button", { name: "新增配置" }).click();
  const name = page.getByRole("dialog").getByLabel("配置名称");
  await name.fill("生产账号");
  release();
  await expect(page.getByText("暂无配置")).toBeAttached();
  await expect(name).toHaveValue("生产账号");
});
