import type { Locator } from "@playwright/test";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { PHONE, syncSection } from "./actions.ts";
import { type Api, signInToApi } from "./api.ts";
import { expect, signIn, test } from "./fixtures.ts";
import { ADMIN } from "./server.ts";

const NAME = "N".repeat(100);
const PERSON = { username: "u".repeat(50), name: NAME, email: `${"e".repeat(64)}@${"d".repeat(60)}.example.com` };

test.use({ viewport: PHONE.viewport });

test("keeps the longest values inside their cards without sideways scrolling", async ({
  page,
  provider,
  server,
  openWindow,
}) => {
  const api = await signInToApi(server.url);
  await api("POST", "/api/users", { ...PERSON, password: ADMIN.password, role: "admin" });
  await failToSync(api, provider.url);
  await signIn(page);
  const whole = page.locator("html");
  const own = await openWindow({ viewport: PHONE.viewport });
  await signIn(own, { username: PERSON.username, password: ADMIN.password });
  await own.goto("/account");
  await expect(own.getByText(PERSON.email)).toBeVisible();
  await expectNoSidewaysScroll(own.locator("html"));

  await page.goto("/users");
  await expect(page.getByText(PERSON.email)).toBeVisible();
  await expectNoSidewaysScroll(whole);

  await page.goto("/configs");
  await expect(page.getByText(/签名校验失败/)).toBeVisible();
  // A finger has no tooltip: the reason of a failure is there to be read.
  await expectNoSidewaysScroll(page.getByText(/签名校验失败/));
  await expectNoSidewaysScroll(whole);

  await page.goto("/hosts?panel=sync");
  const panel = page.getByRole("dialog");
  const body = panel.locator("[data-dialog-body]");
  await expect(panel.getByText(/签名校验失败/).first()).toBeVisible();
  await expectNoSidewaysScroll(body);
  // It fails before it is ever seen going on; its summary is shown all the same.
  await panel.getByRole("button", { name: "同步主机" }).click();
  await page.getByRole("menuitem", { name: NAME }).click();
  await expect(panel.getByRole("article", { name: `${NAME} 的同步` }).getByText("失败", { exact: true })).toBeVisible();
  await expectNoSidewaysScroll(body);
  await panel.getByRole("button", { name: "关闭", exact: true }).click();
  await expect(syncSection(page).getByText("失败", { exact: true })).toBeVisible();
  await expectNoSidewaysScroll(whole);

  // A table that is wider than its box keeps what may be done with a row in sight.
  await page.setViewportSize({ width: 768, height: 900 });
  await page.goto("/users");
  await expect(page.getByRole("button", { name: `删除 ${NAME}` })).toBeInViewport({ ratio: 1 });
});

/** A configuration with a key that signs wrongly, and the run that failed because of it. */
async function failToSync(api: Api, apiUrl: string): Promise<void> {
  const config = { name: NAME, ...MAIN_KEYS, privateKey: "wrong", apiUrl, defaultRegion: "cn-bj2" };
  await api("POST", "/api/hosts/configs", config);
  await api("POST", "/api/hosts/sync?wait=25");
}

async function expectNoSidewaysScroll(box: Locator): Promise<void> {
  await expect.poll(() => box.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
}
