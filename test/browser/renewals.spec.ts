import type { Page } from "@playwright/test";
import type { Host } from "../../src/shared/hosts.ts";
import { RenewalList } from "../../src/shared/renewals.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { batchBar, dateIn, dateText, dialog, expectLive, PHONE, row, toast } from "./actions.ts";
import { applyForRenewal, assignHost, createUser, processRenewal, signInToApi } from "./api.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";

const ENDED = "该主机的分配已结束，不能完成续费";
const PREPAID = ["Month", "Year"];

test("lists the oldest request first and sorts by column", async ({ page, api, hosts, client, signIn, openWindow }) => {
  const [first, soon, last] = [hosts[0].name, hosts[10]?.name ?? "", hosts[20]?.name ?? ""];
  for (const [index, host] of hosts.slice(0, 21).entries()) {
    await assignHost(api, host, client, index === 10 ? 3 : 30 + index);
    await applyForRenewal(client.api, host, 30);
  }
  await signIn(page, "/renewals?status=all");
  const rows = page.getByRole("row").filter({ has: page.getByRole("cell") });
  const submitted = page.getByRole("columnheader", { name: "提交时间" });
  const end = page.getByRole("columnheader", { name: "用户到期时间" });
  await expect(rows.first()).toContainText(last);
  await expect(submitted).not.toHaveAttribute("aria-sort");
  await page.getByRole("button", { name: "待处理 21" }).click();
  await expect(rows.first()).toContainText(first);
  await expect(submitted).toHaveAttribute("aria-sort", "ascending");

  await end.getByRole("button").click();
  await expect(page).toHaveURL(/sort=expireTime$/);
  await expect(end).toHaveAttribute("aria-sort", "ascending");
  await expect(rows.first()).toContainText(soon);
  await expect(rows.first()).toContainText("即将到期 3 天");
  await expectAccessible(page);
  await page.getByRole("button", { name: "第 2 页" }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText(last);
  await submitted.getByRole("button").click();
  await expect(rows.first()).toContainText(first);
  await submitted.getByRole("button").click();
  await expect(submitted).toHaveAttribute("aria-sort", "descending");
  await expect(rows.first()).toContainText(last);

  const phone = await openWindow(PHONE);
  await signIn(phone, "/renewals?status=pending");
  const cards = phone.getByRole("list", { name: "续费申请列表" }).getByRole("listitem");
  const order = phone.getByRole("combobox", { name: "排序" });
  await expect(cards.first()).toContainText(first);
  await expect(order.locator("option:checked")).toHaveText("最早提交在前");
  await order.selectOption("最早到期在前");
  await expect(cards.first()).toContainText("即将到期 3 天");
  await expectAccessible(phone);
});

test.describe("an approved request", () => {
  test.use({ expectedComplaints: [/409|ERR_FAILED/] });

  test("is not completed when its assignment has ended", async ({ page, api, hosts, client, signIn }) => {
    const [first, second] = hosts;
    for (const host of [first, second]) {
      await assignHost(api, host, client, 30);
      await processRenewal(api, await applyForRenewal(client.api, host, 30), { status: "approved" });
    }
    await api("POST", "/api/hosts/unassign", { hostId: first.id, userId: client.id });
    const complete = async (host: Host) => {
      await row(page, host.name).getByRole("button", { name: "标记完成" }).click();
      await dialog(page).getByRole("button", { name: "标记完成" }).click();
      await expect(dialog(page)).toBeHidden();
    };

    await signIn(page, "/renewals?status=all");
    await complete(first);
    await expect(toast(page, "处理失败", ENDED)).toBeVisible();
    await expectAccessible(page);
    await toast(page, "处理失败").getByRole("button", { name: "关闭" }).click();
    await expect(toast(page, "处理失败")).toHaveCount(0);
    // The same client has it anew, and the request is still of the time before.
    await assignHost(api, first, client, 90);
    await complete(first);
    await expect(toast(page, "处理失败", ENDED)).toBeVisible();

    // The assignment goes on, with another end.
    await assignHost(api, second, client, 60);
    await expect(row(page, second.name)).toContainText(dateIn(60));
    await page.route(/hosts\.get/, (route) => route.abort());
    await complete(second);
    await expect(toast(page, "处理成功", dateIn(90))).toBeVisible();
  });
});

test("warns when the provider's end of a prepaid host comes first", async ({ page, api, hosts, client, signIn }) => {
  const year = Date.now() / 1000 + 365 * DAY_SECONDS;
  const prepaid = hosts.find(
    ({ chargeType, expireTime }) => PREPAID.includes(chargeType) && (expireTime ?? year) < year,
  );
  const byTime = hosts.find(({ chargeType }) => !PREPAID.includes(chargeType));
  if (prepaid === undefined || byTime === undefined) throw new Error("hosts of both kinds are needed");
  for (const host of [prepaid, byTime]) {
    await assignHost(api, host, client, 30);
    await applyForRenewal(client.api, host, 365);
  }
  await signIn(page, "/renewals?status=all");
  const open = async (host: Host, action: string) =>
    await row(page, host.name).getByRole("button", { name: action, exact: true }).click();
  await open(byTime, "处理");
  await expect(dialog(page)).toContainText("标记完成后到期");
  await expect(dialog(page)).not.toContainText("云端到期时间");
  await page.keyboard.press("Escape");
  await open(prepaid, "处理");
  await expect(dialog(page)).toContainText(`该主机的云端到期时间是 ${dateText(prepaid.expireTime ?? 0)}`);
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "批准申请" }).click();
  await open(prepaid, "标记完成");
  await expect(dialog(page)).toContainText("早于分配的到期时间");
  await page.keyboard.press("Escape");
  await expect(toast(page, "处理成功")).toBeVisible();
  await row(page, prepaid.name).getByRole("button", { name: /详情$/ }).click();
  await expect(toast(page, "处理成功")).toBeHidden();
  await expectAccessible(page);
});

test("shows long texts and a missing reason on a phone", async ({ api, client, assignedHost, signIn, openWindow }) => {
  await api("PUT", `/api/users/${client.id}`, { name: "客".repeat(100) });
  const request = { hostId: assignedHost.id, requestedDuration: 30, remark: "续".repeat(500) };
  await client.api("POST", "/api/renewals", request);
  const phone = await openWindow(PHONE);
  await signIn(phone, "/renewals?status=all");
  const applicant = await phone.getByRole("definition").filter({ hasText: "客客" }).boundingBox();
  expect(applicant?.height).toBeLessThan(60);
  await phone.getByRole("button", { name: "处理", exact: true }).click();
  await expect(dialog(phone).getByText("续".repeat(500))).toBeVisible();
  await expect(dialog(phone).getByRole("button", { name: "批准申请" })).toBeInViewport({ ratio: 1 });
  await expectAccessible(phone);
  await dialog(phone).getByRole("radio", { name: "拒绝" }).click();
  const reason = dialog(phone).getByRole("textbox", { name: "备注" });
  // Its lower edge on that of the part that scrolls: what will be said of it lies behind.
  await reason.evaluate((field) => field.scrollIntoView(false));
  await dialog(phone).getByRole("button", { name: "拒绝申请" }).click();
  await expect(dialog(phone).getByText("拒绝申请时必须填写备注说明")).toBeInViewport({ ratio: 1 });
  await expect(reason).toBeFocused();
  await expect(reason).toBeInViewport({ ratio: 1 });
});

test("shows a toast for each of several requests on a phone", async ({ api, hosts, server, signIn, openWindow }) => {
  const names = ["张客户", "王客户", "赵客户"];
  const applications: (() => Promise<unknown>)[] = [];
  for (const [index, name] of names.entries()) {
    const host = hosts[index] ?? hosts[0];
    const client = await createUser(api, { username: `kehu_${index}`, name, role: "client" });
    await assignHost(api, host, client, 30);
    const clientApi = await signInToApi(server.url, client);
    applications.push(() => applyForRenewal(clientApi, host, 30));
  }
  const phone = await openWindow(PHONE);
  await signIn(phone);
  await expectLive(phone);
  await Promise.all(applications.map((apply) => apply()));
  const news = names.map((name) => toast(phone, "新的续费申请", name));
  for (const one of news) await expect(one).toBeVisible();
  // They stay under the pointer; each can be clicked, none covers another.
  for (const one of news) await one.getByRole("button", { name: "查看" }).click({ trial: true });
});

test.describe("with twelve requests that wait", () => {
  test.beforeEach(async ({ page, api, hosts, client, signIn }) => {
    const twelve = hosts.slice(0, 12);
    for (const host of twelve) await assignHost(api, host, client, 20);
    await client.api("POST", "/api/renewals/batch", { hostIds: twelve.map(({ id }) => id), requestedDuration: 30 });
    await signIn(page);
    await page.getByRole("link", { name: "续费管理" }).click();
    await expect(page.getByRole("button", { name: "待处理 12" })).toHaveAttribute("aria-pressed", "true");
  });

  test("approves ten of them in eleven actions by mouse and the others by keyboard", async ({ page }) => {
    await page.getByRole("button", { name: "处理", exact: true }).first().click();
    for (let left = 12; left > 2; left--) {
      await dialog(page).getByRole("button", { name: "批准并处理下一个" }).click();
      await expect(counter(page, `待处理 ${left - 1}`)).toBeAttached();
    }
    await expect(counter(page, "已批准（待付款） 10")).toBeAttached();
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toBeHidden();

    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await expect(page.getByRole("button", { name: "处理", exact: true }).nth(1)).toBeFocused();
    await page.keyboard.press("k");
    await page.keyboard.press("a");
    await expect(dialog(page).getByRole("radio", { name: /批准/ })).toBeChecked();
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect(counter(page, "待处理 1")).toBeAttached();
    await expect(dialog(page).getByRole("radio", { name: /批准/ })).toBeChecked();
    await page.keyboard.press("r");
    await dialog(page).getByRole("textbox", { name: "备注" }).fill("超出预算");
    await dialog(page)
      .getByRole("button", { name: /^拒绝(并处理下一个|申请)$/ })
      .click();
    await expect(counter(page, "已拒绝 1")).toBeAttached();
  });

  test("decides the chosen ones together, lists the results and keeps an earlier remark", async ({ page, api }) => {
    await page.getByRole("checkbox", { name: "选择本页全部" }).click();
    await batchBar(page).getByRole("button", { name: "批准" }).click();
    await dialog(page).getByRole("textbox", { name: "备注" }).fill("请转账");
    await dialog(page).getByRole("button", { name: "批准 12 个申请" }).click();
    await expect(dialog(page).getByText("成功 12 个，失败 0 个")).toBeVisible();
    await expectAccessible(page);
    await dialog(page).getByRole("button", { name: "完成" }).click();
    await expect(page.getByText("没有待处理的申请")).toBeVisible();

    await page.getByRole("button", { name: /^已批准/ }).click();
    await page.getByRole("checkbox", { name: "选择本页全部" }).click();
    await batchBar(page).getByRole("button", { name: "标记完成" }).click();
    await dialog(page).getByRole("button", { name: "标记完成 12 个申请" }).click();
    await expect(dialog(page).getByText("成功 12 个，失败 0 个")).toBeVisible();
    const { requests } = RenewalList.parse(await api("GET", "/api/renewals"));
    expect(new Set(requests.map(({ status, adminRemark }) => `${status} ${adminRemark}`))).toEqual(
      new Set(["completed 请转账"]),
    );
  });
});

/** A dialog hides the page behind it from assistive technology. */
function counter(page: Page, name: string) {
  return page.getByRole("button", { name, includeHidden: true });
}
