import type { Page } from "@playwright/test";
import { z } from "zod";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { allowSync, countCalls, dialog, freezeSync, toast } from "./actions.ts";
import { createAccount, importHosts, signInToApi } from "./api.ts";
import { expect, signIn, test } from "./fixtures.ts";

const Runs = z.object({ runs: z.array(z.object({ id: z.string() })) });

/** Answers that come after their page or session has ended. */
test.describe("a late answer", () => {
  test("drops the answer to a user who has signed out", async ({ page, server }) => {
    const api = await signInToApi(server.url);
    const admin = await createAccount(api, { username: "li_guanli", name: "李管理", role: "admin" });
    await signIn(page);
    await page.goto("/users");
    const held = await holdAnswers(page, /users\.create/);
    await page.getByRole("button", { name: "创建用户" }).first().click();
    await dialog(page).getByLabel("用户名").fill("zhang_kehu");
    await dialog(page).getByLabel("密码", { exact: true }).fill("Correct1Horse");
    await dialog(page).getByLabel("姓名").fill("张客户");
    await dialog(page).getByRole("button", { name: "创建" }).click();
    await held.answered;
    const aborted = page.waitForEvent("requestfailed", (request) => request.url().includes("users.create"));

    const other = await page.context().newPage();
    await other.goto("/dashboard");
    await other.getByRole("button", { name: /^用户菜单/ }).click();
    await other.getByRole("menuitem", { name: "退出登录" }).click();
    await expect(other).toHaveURL(/\/login/);
    await signIn(other, admin);
    await expect(page.getByRole("button", { name: /李管理/ })).toBeVisible();
    const requests = countCalls(page, "users.list");
    await aborted;
    held.release();
    // By the time that the palette is open, the page has long dealt with the failure.
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox")).toBeFocused();
    expect(await toast(page, "创建成功").count()).toBe(0);
    expect(requests()).toBe(0);
  });

  test("ignores an older sync run that arrives after the final one", async ({ page, provider, server }) => {
    const api = await signInToApi(server.url);
    await api("POST", "/api/hosts/configs", {
      name: "生产账号",
      ...MAIN_KEYS,
      apiUrl: provider.url,
      defaultRegion: "cn-bj2",
    });
    await freezeSync(provider, { action: "GetRegion" });
    const { id } = Runs.parse(await api("POST", "/api/hosts/sync?wait=0")).runs[0] ?? { id: "" };
    await signIn(page);
    const held = await holdAnswers(page, /hosts\.syncRun[,?]/, 1);
    // With an earlier progress event the page would not read the run.
    await page.routeWebSocket(/\/trpc/, async (socket) => {
      await held.answered;
      socket.connectToServer();
    });
    await page.goto(`/hosts?panel=sync&run=${id}`);
    await expect(dialog(page)).toBeVisible();
    await held.answered;
    await allowSync(provider);
    await expect(toast(page, "同步完成")).toBeVisible();
    // Then it is hardly ever asked for by itself.
    await expect(page.getByRole("button", { name: /^实时连接：已连接/, includeHidden: true })).toBeAttached();
    const current = dialog(page).getByRole("region", { name: "当前同步" });
    held.release();
    await page.waitForLoadState("networkidle");
    await expect(current.getByRole("article")).toContainText("已完成");
    await expect(current).not.toContainText("同步中");
  });

  test("opens no result of an earlier search in the command palette", async ({ page, provider, server }) => {
    const [before, meant] = await importHosts(await signInToApi(server.url), provider);
    if (before === undefined || meant === undefined) throw new Error("two hosts are needed");
    await signIn(page);
    const hit = (id: string) => page.getByRole("option", { name: new RegExp(id) });
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox")).toBeFocused();
    await page.keyboard.type(before.ucloudId);
    await expect(hit(before.ucloudId)).toHaveAttribute("aria-selected", "true");
    const held = await holdAnswers(page, new RegExp(meant.ucloudId));
    await page.getByRole("combobox").fill(meant.ucloudId);
    await held.answered;
    await page.keyboard.press("Enter");
    await hit(before.ucloudId).click({ force: true });
    await expect(page.getByRole("dialog")).toBeVisible();
    expect(new URL(page.url()).pathname).toBe("/dashboard");
    held.release();
    await expect(hit(meant.ucloudId)).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`host=${meant.id}`));
  });
});

test("leaves nothing of one user for the next", async ({ page }) => {
  await signIn(page);
  await page.goto("/users");
  await page.getByRole("button", { name: "创建用户" }).first().click();
  await dialog(page).getByLabel("用户名").fill("zhang_kehu");
  await dialog(page).getByLabel("密码", { exact: true }).fill("Correct1Horse");
  await dialog(page).getByLabel("姓名").fill("张客户");
  await dialog(page).getByRole("button", { name: "创建" }).click();
  // Pointed at, it stays.
  await toast(page, "创建成功").hover();
  const other = await page.context().newPage();
  await other.goto("/dashboard");
  await other.getByRole("button", { name: /^用户菜单/ }).click();
  await other.getByRole("menuitem", { name: "退出登录" }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect(toast(page, "创建成功")).toHaveCount(0);
});

/** The server answers, but the page hears of it only once `release` is called; the first `times` of such calls, or all. */
async function holdAnswers(page: Page, requests: RegExp, times?: number) {
  const answered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(
    (url) => requests.test(decodeURIComponent(url.href)),
    async (route) => {
      const response = await route.fetch();
      answered.resolve();
      await released.promise;
      // The page may have stopped waiting.
      await route.fulfill({ response }).catch(() => undefined);
    },
    times === undefined ? {} : { times },
  );
  return { answered: answered.promise, release: released.resolve };
}
