import type { Page } from "@playwright/test";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { dateText, dialog, PHONE, toast } from "./actions.ts";
import {
  type Api,
  applyForRenewal,
  assignHost,
  createAccount,
  importHost,
  importHosts,
  shareHost,
  signInToApi,
} from "./api.ts";
import { expect, expectAccessible, expectStill, signIn, test } from "./fixtures.ts";

const ENDED = "该主机的分配已结束，不能完成续费";
const PREPAID = ["Month", "Year"];

test("lists the oldest request first and sorts all requests by column", async ({
  page,
  provider,
  server,
  openWindow,
}) => {
  const api = await signInToApi(server.url);
  const hosts = (await importHosts(api, provider)).slice(0, 21);
  const { client, asClient } = await addClient(api, server.url, "zhang_kehu", "张客户");
  for (const [index, host] of hosts.entries()) {
    await assignHost(api, host, client, index === 10 ? 3 : 30 + index);
    await applyForRenewal(asClient, host, 30);
  }
  const [first, soon, last] = [hosts[0]?.name ?? "", hosts[10]?.name ?? "", hosts[20]?.name ?? ""];
  await signIn(page);
  await page.goto("/renewals?status=all");
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
  await signIn(phone);
  await phone.goto("/renewals?status=pending");
  const cards = phone.getByRole("list", { name: "续费申请列表" }).getByRole("listitem");
  const order = phone.getByRole("combobox", { name: "排序" });
  await expect(cards.first()).toContainText(first);
  await expect(order.locator("option:checked")).toHaveText("最早提交在前");
  await order.selectOption("最早到期在前");
  await expect(cards.first()).toContainText("即将到期 3 天");
  await expectAccessible(phone);
});

test.describe("an approved request whose assignment has ended", () => {
  test.use({ expectedComplaints: [/409/] });

  test("is not completed, and the message says what to do", async ({ page, provider, server }) => {
    const api = await signInToApi(server.url);
    const [first, second] = await importHosts(api, provider);
    if (first === undefined || second === undefined) throw new Error("two hosts are needed");
    const { client, asClient } = await addClient(api, server.url, "zhang_kehu", "张客户");
    for (const host of [first, second]) {
      await assignHost(api, host, client, 30);
      const { id } = await applyForRenewal(asClient, host, 30);
      await api("PUT", `/api/renewals/${id}/process`, { status: "approved" });
    }
    await api("POST", "/api/hosts/unassign", { hostId: first.id, userId: client.id });

    await signIn(page);
    await page.goto("/renewals?status=all");
    // Also while a dialog hides the page from the roles.
    const row = (host: { readonly name: string }) =>
      page.getByRole("row", { includeHidden: true }).filter({ hasText: host.name });
    const complete = async (host: { readonly name: string }) => {
      await row(host).getByRole("button", { name: "标记完成" }).click();
      await dialog(page).getByRole("button", { name: "标记完成" }).click();
      await expect(dialog(page)).toBeHidden();
    };
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
    await expect(row(second)).toContainText(dateText(Date.now() / 1000 + 60 * DAY_SECONDS));
    await complete(second);
    await expect(toast(page, "处理成功", dateText(Date.now() / 1000 + 90 * DAY_SECONDS))).toBeVisible();
  });
});

test.describe("without a readable host", () => {
  test.use({ expectedComplaints: [/ERR_FAILED/] });

  test("completes a request", async ({ page, provider, server }) => {
    const api = await signInToApi(server.url);
    const [host] = await importHosts(api, provider);
    if (host === undefined) throw new Error("a host is needed");
    const { client, asClient } = await addClient(api, server.url, "zhang_kehu", "张客户");
    await assignHost(api, host, client, 30);
    const { id } = await applyForRenewal(asClient, host, 30);
    await api("PUT", `/api/renewals/${id}/process`, { status: "approved" });
    await page.route(/hosts\.get/, (route) => route.abort());
    await signIn(page);
    await page.goto("/renewals?status=all");
    await page.getByRole("row").getByRole("button", { name: "标记完成" }).click();
    await expect(dialog(page)).toContainText("标记完成后到期");
    await dialog(page).getByRole("button", { name: "标记完成" }).click();
    await expect(toast(page, "处理成功")).toBeVisible();
  });
});

test("warns when the provider's end of a prepaid host comes first", async ({ page, provider, server }) => {
  const api = await signInToApi(server.url);
  const hosts = await importHosts(api, provider);
  const year = Date.now() / 1000 + 365 * DAY_SECONDS;
  const prepaid = hosts.find(
    ({ chargeType, expireTime }) => PREPAID.includes(chargeType) && (expireTime ?? year) < year,
  );
  const byTime = hosts.find(({ chargeType }) => !PREPAID.includes(chargeType));
  if (prepaid === undefined || byTime === undefined) throw new Error("hosts of both kinds are needed");
  const { client, asClient } = await addClient(api, server.url, "zhang_kehu", "张客户");
  for (const host of [prepaid, byTime]) {
    await assignHost(api, host, client, 30);
    await applyForRenewal(asClient, host, 365);
  }
  await signIn(page);
  await page.goto("/renewals?status=all");
  const open = async (host: { readonly name: string }, action: string) =>
    await page
      .getByRole("row")
      .filter({ hasText: host.name })
      .getByRole("button", { name: action, exact: true })
      .click();
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
});

test.describe("a host with a pending request", () => {
  test.use({ expectedComplaints: [/409/] });

  test("takes no second request and links to the first", async ({ page, provider, server }) => {
    const api = await signInToApi(server.url);
    const [host, other] = await importHosts(api, provider);
    if (host === undefined || other === undefined) throw new Error("two hosts are needed");
    const { client, asClient } = await addClient(api, server.url, "zhang_kehu", "张客户");
    await assignHost(api, host, client, 30);
    await assignHost(api, other, client, 30);
    await signIn(page, client);
    await page.goto(`/hosts?host=${host.id}`);
    await expectLive(page);
    await page.getByRole("button", { name: "申请续费" }).click();
    await dialog(page).getByLabel("备注").fill("请续一个月");
    // From the client's phone, say.
    const { id } = await applyForRenewal(asClient, host, 90);
    await dialog(page).getByRole("button", { name: "提交申请" }).click();
    await expect(toast(page, "续费申请失败", "该主机已有待处理的续费申请，请等待处理或先取消")).toBeVisible();
    await expect(dialog(page).getByLabel("备注")).toHaveValue("请续一个月");
    await expectAccessible(page);
    await dialog(page).getByRole("button", { name: "取消", exact: true }).click();
    await page.getByRole("button", { name: "查看申请" }).click();
    await expect(page).toHaveURL(
      (url) => url.pathname === "/client/renewals" && url.searchParams.get("renewal") === id,
    );
    await expect(dialog(page)).toContainText("90 天");

    await page.goto("/client/renewals");
    await page.getByRole("button", { name: "申请续费" }).click();
    await dialog(page).getByRole("combobox", { name: "主机" }).click();
    const waiting = page.getByRole("option", { name: new RegExp(host.ucloudId) });
    await expect(waiting).toContainText("已有待处理的续费申请");
    await expect(waiting).toBeDisabled();
    await expect(page.getByRole("option", { name: new RegExp(other.ucloudId) })).toBeEnabled();
  });
});

test("aligns the fields of a request at 320 px", async ({ provider, server, openWindow }) => {
  const { client } = await shareHost(server.url, provider);
  const phone = await openWindow({ ...PHONE, viewport: { width: 320, height: 640 } });
  await signIn(phone, client);
  await phone.goto("/client/renewals");
  await phone.getByRole("button", { name: "申请续费" }).first().click();
  const days = dialog(phone).getByRole("radiogroup", { name: "续费天数" });
  await expect(days).toBeVisible();
  await expectStill(phone);
  const [box, remark] = [await days.boundingBox(), await dialog(phone).getByLabel("备注").boundingBox()];
  expect(box?.x).toBe(remark?.x);
  expect(box?.width).toBe(remark?.width);
  for (const label of await days.getByRole("radio").locator("span").all()) {
    expect(await label.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
  }
});

test("shows the missing reason of a rejection on a small phone", async ({ provider, server, openWindow }) => {
  const api = await signInToApi(server.url);
  const [host] = await importHosts(api, provider);
  if (host === undefined) throw new Error("a host is needed");
  const { client, asClient } = await addClient(api, server.url, "zhang_kehu", "张客户");
  await assignHost(api, host, client, 30);
  await applyForRenewal(asClient, host, 30);
  const phone = await openWindow({ ...PHONE, viewport: { width: 360, height: 640 } });
  await signIn(phone);
  await phone.goto("/renewals?status=all");
  await phone.getByRole("button", { name: "处理", exact: true }).click();
  await dialog(phone).getByRole("radio", { name: "拒绝" }).click();
  const remark = dialog(phone).getByRole("textbox", { name: "备注" });
  // Its lower edge on that of the part that scrolls: what will be said of it lies behind.
  await remark.evaluate((field) => field.scrollIntoView(false));
  await dialog(phone).getByRole("button", { name: "拒绝申请" }).click();
  await expect(dialog(phone).getByText("拒绝申请时必须填写备注说明")).toBeInViewport({ ratio: 1 });
  await expect(remark).toBeFocused();
});

test("keeps the actions in sight beside a long remark on a phone", async ({ provider, server, openWindow }) => {
  const api = await signInToApi(server.url);
  const [first, second] = await importHosts(api, provider);
  if (first === undefined || second === undefined) throw new Error("two hosts are needed");
  const { client, asClient } = await addClient(api, server.url, "zhang_kehu", "张客户");
  const phone = await openWindow(PHONE);
  await signIn(phone, client);
  await phone.goto("/client/renewals");
  await expectLive(phone);
  const adminRemark = `${"付".repeat(59)}😀${"款".repeat(438)}完`;
  const decide = async (host: typeof first, status: string) => {
    await assignHost(api, host, client, 30);
    const { id } = await applyForRenewal(asClient, host, 30);
    await api("PUT", `/api/renewals/${id}/process`, { status, adminRemark });
  };
  await decide(first, "rejected");
  await expect(toast(phone, "续费申请被拒绝")).toContainText(`${"付".repeat(59)}😀…`);
  await expect(toast(phone, "续费申请被拒绝")).not.toContainText("完");
  await decide(second, "approved");
  await expect(toast(phone, "续费申请已批准")).not.toContainText("完");
  const card = phone.getByRole("list", { name: "续费申请列表" }).getByRole("listitem").filter({ hasText: second.name });
  await expect(card).toContainText("请联系管理员付款，确认后到期时间自动延长。");
  await expect(card).toContainText("管理员备注：付付");
  await expectAccessible(phone);
});

test("preselects a client's only host and says when there is none", async ({ page, provider, server, openWindow }) => {
  const { api, host, client } = await shareHost(server.url, provider);
  await signIn(page, client);
  await page.goto("/client/renewals");
  await page.getByRole("button", { name: "申请续费" }).first().click();
  await expect(dialog(page).getByRole("combobox", { name: "主机" })).toHaveText(host.name);
  await expect(page.getByText("续费后到期", { exact: true })).toBeVisible();
  // Nothing has been filled in yet: Esc does not ask.
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await page.getByRole("button", { name: "申请续费" }).first().click();
  await dialog(page).getByRole("button", { name: "提交申请" }).click();
  await expect(toast(page, "续费申请已提交", host.name)).toBeVisible();

  const other = await openWindow();
  await signIn(other, (await addClient(api, server.url, "wang_kehu", "王客户")).client);
  await other.goto("/client/renewals");
  await other.getByRole("button", { name: "申请续费" }).first().click();
  await expect(dialog(other).getByText("还没有主机分配给您，暂时不能申请续费。")).toBeVisible();
  await expect(dialog(other).getByRole("button", { name: "提交申请" })).toBeDisabled();
  await expectAccessible(other);
});

test("keeps a request in sight beside a long name and remark on a phone", async ({ provider, server, openWindow }) => {
  const api = await signInToApi(server.url);
  const host = await importHost(api, provider);
  const { client, asClient } = await addClient(api, server.url, `z${"u".repeat(49)}`, "客".repeat(100));
  await assignHost(api, host, client, 30);
  await asClient("POST", "/api/renewals", { hostId: host.id, requestedDuration: 30, remark: "续".repeat(500) });
  const phone = await openWindow(PHONE);
  await signIn(phone);
  await phone.goto("/renewals?status=all");
  const applicant = await phone.getByRole("definition").filter({ hasText: "客客" }).boundingBox();
  expect(applicant?.height).toBeLessThan(60);
  await phone.getByRole("button", { name: "处理", exact: true }).click();
  await expect(dialog(phone).getByText("续".repeat(500))).toBeVisible();
  await expect(dialog(phone).getByRole("button", { name: "批准申请" })).toBeInViewport({ ratio: 1 });
  await expectAccessible(phone);
  await dialog(phone).getByRole("textbox", { name: "备注" }).fill("请转账");
  await expect(dialog(phone).getByRole("textbox", { name: "备注" })).toBeInViewport({ ratio: 1 });
});

test("shows a toast for each of several new requests on a phone", async ({ provider, server, openWindow }) => {
  const api = await signInToApi(server.url);
  const hosts = await importHosts(api, provider);
  const names = ["张客户", "王客户", "赵客户"];
  const applications: (() => Promise<unknown>)[] = [];
  for (const [index, name] of names.entries()) {
    const host = hosts[index];
    if (host === undefined) throw new Error("three hosts are needed");
    const { client, asClient } = await addClient(api, server.url, `kehu_${index}`, name);
    await assignHost(api, host, client, 30);
    applications.push(() => applyForRenewal(asClient, host, 30));
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

test.describe("the address of a missing request", () => {
  test.use({ expectedComplaints: [/404/] });

  for (const role of ["super_admin", "client"] as const) {
    test(`says so and leads back to the list: ${role}`, async ({ page, server }) => {
      const path = role === "client" ? "/client/renewals" : "/renewals";
      if (role === "client") {
        const { client } = await addClient(await signInToApi(server.url), server.url, "zhang_kehu", "张客户");
        await signIn(page, client);
      } else await signIn(page);
      await page.goto(`${path}?renewal=01890a5d-ac96-774b-bcce-b302099a8057`);
      await expect(dialog(page)).toContainText("看不到这个续费申请");
      await expect(dialog(page).getByRole("button", { name: "重试" })).toHaveCount(0);
      await expectAccessible(page);
      await dialog(page).getByRole("button", { name: "返回列表" }).click();
      await expect(dialog(page)).toBeHidden();
      await expect(page).toHaveURL((url) => url.pathname === path && url.search === "");
    });
  }
});

/** What happens from now on reaches the window as news. */
async function expectLive(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: "实时连接：已连接" })).toBeVisible();
}

async function addClient(api: Api, url: string, username: string, name: string) {
  const client = await createAccount(api, { username, name, role: "client" });
  return { client, asClient: await signInToApi(url, client) };
}
