import type { Page } from "@playwright/test";
import { RenewalList } from "../../src/shared/renewals.ts";
import { dialog } from "./actions.ts";
import { assignHost, createAccount, importHosts, signInToApi } from "./api.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

/** A dialog hides the page behind it from assistive technology. */
const counter = (page: Page, name: string) => page.getByRole("button", { name, includeHidden: true });

test.describe("with twelve requests that wait", () => {
  test.beforeEach(async ({ page, provider, server }) => {
    const api = await signInToApi(server.url);
    const hosts = (await importHosts(api, provider)).slice(0, 12);
    const client = await createAccount(api, { username: "zhang_kehu", name: "张客户", role: "client" });
    for (const host of hosts) await assignHost(api, host, client, 20);
    const own = await signInToApi(server.url, client);
    await own("POST", "/api/renewals/batch", { hostIds: hosts.map(({ id }) => id), requestedDuration: 30 });
    await signIn(page);
    await page.getByRole("link", { name: "续费管理" }).click();
    await expect(page.getByRole("button", { name: "待处理 12" })).toHaveAttribute("aria-pressed", "true");
  });

  test("approves ten of them in eleven actions, by mouse", async ({ page }) => {
    await page.getByRole("button", { name: "处理", exact: true }).first().click();
    for (let left = 12; left > 2; left--) {
      await dialog(page).getByRole("button", { name: "批准并处理下一个" }).click();
      await expect(counter(page, `待处理 ${left - 1}`)).toBeAttached();
    }
    await expect(counter(page, "已批准（待付款） 10")).toBeAttached();
  });

  test("works through them by the keyboard", async ({ page }) => {
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await expect(page.getByRole("button", { name: "处理", exact: true }).nth(1)).toBeFocused();
    await page.keyboard.press("k");
    await page.keyboard.press("a");
    await expect(dialog(page).getByRole("radio", { name: /批准/ })).toBeChecked();
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect(counter(page, "待处理 11")).toBeAttached();
    await expect(dialog(page).getByRole("radio", { name: /批准/ })).toBeChecked();
    await page.keyboard.press("r");
    await dialog(page).getByRole("textbox", { name: "备注" }).fill("超出预算");
    await dialog(page).getByRole("button", { name: "拒绝并处理下一个" }).click();
    await expect(counter(page, "已拒绝 1")).toBeAttached();
  });

  test("decides the chosen ones together, lists the results and keeps an earlier remark", async ({ page, server }) => {
    await page.getByRole("checkbox", { name: "选择本页全部" }).click();
    await page.getByRole("region", { name: "批量操作" }).getByRole("button", { name: "批准" }).click();
    await dialog(page).getByRole("textbox", { name: "备注" }).fill("请转账");
    await dialog(page).getByRole("button", { name: "批准 12 个申请" }).click();
    await expect(dialog(page).getByText("成功 12 个，失败 0 个")).toBeVisible();
    await expectAccessible(page);
    await dialog(page).getByRole("button", { name: "完成" }).click();
    await expect(page.getByText("没有待处理的申请")).toBeVisible();

    await page.getByRole("button", { name: /^已批准/ }).click();
    await page.getByRole("checkbox", { name: "选择本页全部" }).click();
    await page.getByRole("region", { name: "批量操作" }).getByRole("button", { name: "标记完成" }).click();
    await dialog(page).getByRole("button", { name: "标记完成 12 个申请" }).click();
    await expect(dialog(page).getByText("成功 12 个，失败 0 个")).toBeVisible();
    const { requests } = RenewalList.parse(await (await signInToApi(server.url))("GET", "/api/renewals"));
    expect(new Set(requests.map(({ status, adminRemark }) => `${status} ${adminRemark}`))).toEqual(
      new Set(["completed 请转账"]),
    );
  });
});

test("renews several hosts of a client to one day, and offers a rejected request again", async ({
  page,
  provider,
  server,
}) => {
  const api = await signInToApi(server.url);
  const hosts = (await importHosts(api, provider)).slice(0, 3);
  const client = await createAccount(api, { username: "zhang_kehu", name: "张客户", role: "client" });
  for (const [index, host] of hosts.entries()) await assignHost(api, host, client, 5 + index * 10);
  await signIn(page, client);
  await page.goto("/hosts?view=table");
  await page.getByRole("checkbox", { name: "选择本页全部" }).click();
  await page.getByRole("region", { name: "批量操作" }).getByRole("button", { name: "申请续费" }).click();
  await dialog(page).getByRole("radio", { name: "同一天" }).click();
  const day = new Date(Date.now() + 60 * 86_400_000).toLocaleDateString("sv-SE", { timeZone: "Asia/Shanghai" });
  await dialog(page).getByLabel("统一到期日").fill(day);
  await expect(dialog(page).getByText(`→ ${day}`)).toHaveCount(3);
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "提交 3 个申请" }).click();
  await expect(dialog(page).getByText("成功 3 个，失败 0 个")).toBeVisible();
  await dialog(page).getByRole("button", { name: "完成" }).click();

  const { requests } = JSON.parse(JSON.stringify(await api("GET", "/api/renewals?status=pending")));
  await api("PUT", `/api/renewals/${requests[0].id}/process`, { status: "rejected", adminRemark: "请先付款" });
  await page.goto("/client/renewals");
  await page.getByRole("button", { name: "重新申请" }).click();
  await dialog(page).getByRole("button", { name: "提交申请" }).click();
  await expect(page.getByText("续费申请已提交").last()).toBeVisible();
  await expect(page.getByRole("button", { name: "待处理 3" })).toBeVisible();
});
