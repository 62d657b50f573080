import { DAY_SECONDS } from "../../src/shared/time.ts";
import { dateText, dialog, expectLive, PHONE, toast } from "./actions.ts";
import { addClient, applyForRenewal, assignHost, importHost, importHosts, signInToApi } from "./api.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

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

test("keeps a request and the missing reason of its rejection in sight on a phone", async ({
  provider,
  server,
  openWindow,
}) => {
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
  await dialog(phone).getByRole("radio", { name: "拒绝" }).click();
  const reason = dialog(phone).getByRole("textbox", { name: "备注" });
  // Its lower edge on that of the part that scrolls: what will be said of it lies behind.
  await reason.evaluate((field) => field.scrollIntoView(false));
  await dialog(phone).getByRole("button", { name: "拒绝申请" }).click();
  await expect(dialog(phone).getByText("拒绝申请时必须填写备注说明")).toBeInViewport({ ratio: 1 });
  await expect(reason).toBeFocused();
  await expect(reason).toBeInViewport({ ratio: 1 });
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

  test("says so and leads back to the list", async ({ page, server, openWindow }) => {
    const { client } = await addClient(await signInToApi(server.url), server.url, "zhang_kehu", "张客户");
    const other = await openWindow();
    for (const [window, path, user] of [
      [page, "/renewals", undefined],
      [other, "/client/renewals", client],
    ] as const) {
      await signIn(window, user);
      await window.goto(`${path}?renewal=01890a5d-ac96-774b-bcce-b302099a8057`);
      await expect(dialog(window)).toContainText("看不到这个续费申请");
      await expect(dialog(window).getByRole("button", { name: "重试" })).toHaveCount(0);
      await expectAccessible(window);
      await dialog(window).getByRole("button", { name: "返回列表" }).click();
      await expect(dialog(window)).toBeHidden();
      await expect(window).toHaveURL((url) => url.pathname === path && url.search === "");
    }
  });
});
