import type { Locator, Page } from "@playwright/test";
import type { Host } from "../../src/shared/hosts.ts";
import { RenewalList } from "../../src/shared/renewals.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { decide, requestRenewal, unassign } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { syncAll } from "../harness/server-fixture.ts";
import {
  batchBar,
  bodyRows,
  boxOf,
  countCalls,
  dateIn,
  dateText,
  dialog,
  expectLive,
  goTo,
  PHONE,
  row,
  selectPage,
  submit,
  toast,
  untilQuiet,
  untilTakesEnter,
} from "./actions.ts";
import { assignHost, findHost } from "./api.ts";
import {
  allowErrors,
  expect,
  expectAccessible,
  expectStill,
  pressEscape,
  test,
} from "./fixtures.ts";

function isPrepaid({ chargeType }: Host): boolean {
  return chargeType === "Month" || chargeType === "Year";
}

/** From tomorrow on, and the provider does not renew it by itself. */
function endsUnrenewedWithin(host: Host, days: number): boolean {
  const left = ((host.expireTime ?? 0) - Date.now() / 1000) / DAY_SECONDS;
  return isPrepaid(host) && host.autoRenew !== true && left > 1 && left < days;
}

test("lists the oldest request first and sorts by column", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const first = hosts[0].name;
  const soon = hosts[10]?.name ?? "";
  const last = hosts[20]?.name ?? "";
  for (const [index, host] of hosts.slice(0, 21).entries()) {
    await assignHost(api, host, client, index === 10 ? 3 : 30 + index);
    await requestRenewal(client.api, host.id, 30);
  }
  await signIn(page, "/renewals?status=all");
  const rows = bodyRows(page);
  const submitted = page.getByRole("columnheader", { name: "提交时间" });
  const end = page.getByRole("columnheader", { name: "用户到期时间" });
  await expect(rows.first()).toContainText(last);

  await page.getByRole("button", { name: "待处理 21" }).click();
  await expect(rows.first()).toContainText(first);
  await expect(submitted).toHaveAttribute("aria-sort", "ascending");

  await end.getByRole("button").click();
  await expect(page).toHaveURL(/sort=expireTime$/);
  await expect(rows.first()).toContainText(soon);
  await expect(rows.first()).toContainText("还有 3 天");

  await page.getByRole("button", { name: "第 2 页" }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText(last);
});

test("warns when the provider's end of a prepaid host comes first", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const prepaid = findHost(hosts, (host) => endsUnrenewedWithin(host, 365));
  const byTime = findHost(hosts, (host) => !isPrepaid(host));
  for (const host of [prepaid, byTime]) {
    await assignHost(api, host, client, 30);
    await requestRenewal(client.api, host.id, 365);
  }
  await signIn(page, "/renewals?status=all");
  const open = async (host: Host, action: string) =>
    await row(page, host.name).getByRole("button", { name: action, exact: true }).click();

  await open(byTime, "处理");
  await expect(dialog(page)).toContainText("标记完成后到期");
  await expect(dialog(page)).not.toContainText("云端到期时间");
  await pressEscape(page);

  await open(prepaid, "处理");
  await expect(dialog(page)).toContainText(
    `该主机的云端到期时间是 ${dateText(prepaid.expireTime ?? 0)}`,
  );
  await dialog(page).getByRole("button", { name: "批准申请" }).click();

  await open(prepaid, "标记完成");
  await expect(dialog(page)).toContainText("比用户到期早");
  await submit(page, "标记完成", "处理成功", `到期时间延长到 ${dateIn(30 + 365)}`);
  await expect(dialog(page)).toBeHidden();
});

/** The filter by status with this count, also while a dialog hides the page from the roles. */
function counter(page: Page, name: string): Locator {
  return page.getByRole("button", { name, includeHidden: true });
}

test("approves three requests in four actions", async ({ page, hosts, requestFor, signIn }) => {
  for (const host of hosts.slice(0, 5)) await requestFor(host);
  await signIn(page);
  await page.getByRole("link", { name: "续费管理" }).click();
  await expect(counter(page, "待处理 5")).toHaveAttribute("aria-pressed", "true");

  await page.getByRole("button", { name: "处理", exact: true }).first().click();
  for (let left = 5; left > 2; left--) {
    await dialog(page).getByRole("button", { name: "批准并处理下一个" }).click();
    await expect(counter(page, `待处理 ${left - 1}`)).toBeAttached();
  }

  await expect(counter(page, "已批准（待付款） 3")).toBeAttached();
  await pressEscape(page);
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("button", { name: "处理", exact: true }).first()).toBeFocused();
});

test("decides requests by keys", async ({ page, hosts, requestFor, signIn }) => {
  for (const host of hosts.slice(0, 3)) await requestFor(host);
  await signIn(page, "/renewals");
  const buttons = page.getByRole("button", { name: "处理", exact: true });
  await buttons.first().focus();

  await page.keyboard.press("j");
  await expect(buttons.nth(1)).toBeFocused();
  await expect(bodyRows(page).nth(1).getByRole("cell").first()).toHaveCSS("box-shadow", /inset/);
  await page.keyboard.press("k");
  await expect(buttons.first()).toBeFocused();

  await page.keyboard.press("a");
  await expect(dialog(page).getByRole("radio", { name: /批准/ })).toBeChecked();
  await untilTakesEnter(page);
  await page.keyboard.press("Enter");
  await expect(counter(page, "待处理 2")).toBeAttached();

  await expect(dialog(page).getByRole("radio", { name: /批准/ })).toBeChecked();
  await page.keyboard.press("r");
  await expect(dialog(page).getByRole("textbox", { name: "备注" })).toBeFocused();
  await untilTakesEnter(page);
  await page.keyboard.press("Control+Enter");
  await expect(dialog(page).getByText("拒绝申请时必须填写备注说明")).toBeVisible();
  // An "a" in the remark is a letter and approves nothing.
  await page.keyboard.type("a 超出预算");
  await page.keyboard.press("Control+Enter");
  await expect(counter(page, "已拒绝 1")).toBeAttached();
  await expect(counter(page, "待处理 1")).toBeAttached();

  // The approval of the next one comes first again.
  await expect(dialog(page)).toContainText(`“${hosts[2].name}”`);
  await expect(dialog(page).getByRole("radio", { name: /批准/ })).toBeChecked();
  await expect(dialog(page).getByRole("radio", { name: /批准/ })).toBeFocused();
  await untilTakesEnter(page);
  await page.keyboard.press("Enter");
  await expect(counter(page, "已批准（待付款） 2")).toBeAttached();
});

/** What may reach the dialog of the next request by no will of the person who decided the one before. */
const UNREAD_ANSWERS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  "a second press of Enter": ({ keyboard }) => keyboard.press("Enter"),
  "Enter that is held down": async (page) => {
    await page.keyboard.down("Enter");
    await page.clock.resume();
    await untilTakesEnter(page);
    // The same press again: its key has not come up.
    await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
  },
  "the second half of a double click": async (page) => {
    await dialog(page).getByRole("button", { name: "批准并处理下一个" }).hover();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
  },
};

test("decides no unread request by what was meant for the one before", async ({
  page,
  hosts,
  requestFor,
  signIn,
}) => {
  const answers = Object.entries(UNREAD_ANSWERS);
  for (const host of hosts.slice(0, answers.length + 2)) await requestFor(host);
  await page.clock.install();
  await signIn(page, "/renewals");
  await page.getByRole("button", { name: "处理", exact: true }).first().click();

  for (const [index, [name, answer]] of answers.entries()) {
    const next = hosts[index + 1]?.name;
    await untilTakesEnter(page);
    // However slow the machine is, the answer comes right after the dialog has opened.
    await page.clock.pauseAt(Date.now() + 60_000 * (index + 1));
    await dialog(page).getByRole("button", { name: "批准并处理下一个" }).click();
    await expect(async () => {
      await page.clock.runFor(20);
      await expect(dialog(page)).toContainText(`“${next}”`, { timeout: 100 });
    }).toPass();

    await answer(page);

    await page.clock.resume();
    await untilTakesEnter(page);
    await untilQuiet(page);
    await expect(dialog(page), name).toContainText(`“${next}”`);
    await expect(counter(page, `已批准（待付款） ${index + 1}`), name).toBeAttached();
  }
});

test("approves one request without going on to the next", async ({
  page,
  hosts,
  requestFor,
  signIn,
}) => {
  for (const host of hosts.slice(0, 2)) await requestFor(host);
  await signIn(page, "/renewals");
  await page.getByRole("button", { name: "处理", exact: true }).first().click();

  await submit(page, "批准", "处理成功");

  await expect(dialog(page)).toBeHidden();
  await expect(counter(page, "待处理 1")).toBeAttached();
});

test("says of each choice for a request what it does, and closes without asking", async ({
  page,
  hosts,
  requestFor,
  signIn,
}) => {
  await requestFor(hosts[0]);
  await signIn(page, "/renewals");
  await page.getByRole("button", { name: "处理", exact: true }).click();

  const choices = dialog(page).getByRole("radio");
  await expect(choices).toHaveCount(3);
  for (const name of [/^批准 ?待付款/, /^标记完成/, /^拒绝/]) {
    await expect(dialog(page).getByRole("radio", { name })).toBeVisible();
  }

  // Only a choice was made: nothing is lost.
  await expectStill(page);
  await page.keyboard.press("r");
  await expect(dialog(page).getByRole("textbox", { name: "备注" })).toBeFocused();
  await pressEscape(page);
  await expect(dialog(page)).toBeHidden();
});

test("says which cancelled requests ended with their assignment", async ({
  page,
  api,
  client,
  hosts,
  requestFor,
  signIn,
}) => {
  const [taken, withdrawn] = hosts;
  await requestFor(taken);
  await assertOk(unassign({ root: api }, taken.id, client.id));
  const id = await requestFor(withdrawn);
  await assertOk(client.api.delete(`/api/renewals/${id}`));

  await signIn(page, "/renewals?status=cancelled");

  await expect(row(page, taken.name)).toContainText("分配已结束");
  await expect(row(page, withdrawn.name)).toContainText("30 天");
  await expect(row(page, withdrawn.name)).not.toContainText("分配已结束");
});

test("lists approved requests by age, and shows keys only where they act", async ({
  page,
  api,
  hosts,
  requestFor,
  signIn,
}) => {
  const [first, second] = hosts;
  for (const host of [first, second]) {
    await assertOk(decide({ root: api }, await requestFor(host), "approved"));
  }
  await signIn(page, "/renewals");
  await expect(page.getByText("没有待处理的申请")).toBeVisible();
  await expect(page.getByRole("main").locator("kbd")).toHaveCount(0);

  await page.getByRole("button", { name: /^已批准/ }).click();

  const rows = bodyRows(page);
  await expect(rows.first()).toContainText(first.name);
  await expect(rows.first()).toContainText("批准不到 1 天");
  await expect(rows.last()).toContainText(second.name);
  await expect(page.getByRole("main").locator("kbd")).toHaveText(["J", "K", "R", "Enter"]);
  await expect(page.getByRole("columnheader", { name: "状态" })).toHaveCount(0);
});

test("decides ten requests in few actions, and those that were approved once more", async ({
  page,
  api,
  hosts,
  requestFor,
  signIn,
}) => {
  for (const host of hosts.slice(0, 10)) await requestFor(host);
  await signIn(page, "/renewals");
  const boxes = page
    .getByRole("row")
    .filter({ has: page.getByRole("cell") })
    .getByRole("checkbox");

  await boxes.nth(0).click();
  await boxes.nth(5).click({ modifiers: ["Shift"] });
  await batchBar(page).getByRole("button", { name: "批准" }).click();
  await dialog(page).getByRole("textbox", { name: "备注" }).fill("请转账");
  await submit(page, "批准 6 个申请", "6 个申请已批准，待付款");
  await expect(boxes).toHaveCount(4);

  await boxes.nth(0).click();
  await boxes.nth(1).click();
  await batchBar(page).getByRole("button", { name: "拒绝" }).click();
  await page.keyboard.type("超出预算");
  await submit(page, "拒绝 2 个申请", "2 个申请已拒绝");
  await expect(boxes).toHaveCount(2);

  await selectPage(page);
  await batchBar(page).getByRole("button", { name: "标记完成" }).click();
  await submit(page, "标记完成 2 个申请", "2 个申请已完成续费");
  await expect(page.getByText("没有待处理的申请")).toBeVisible();

  await page.getByRole("button", { name: /^已批准/ }).click();
  await selectPage(page);
  await batchBar(page).getByRole("button", { name: "标记完成" }).click();
  await submit(page, "标记完成 6 个申请", "6 个申请已完成续费");

  const { counts, requests } = RenewalList.parse((await api.get("/api/renewals")).data);
  expect(counts).toMatchObject({ approved: 0, rejected: 2, completed: 8, pending: 0 });
  expect(requests.filter(({ adminRemark }) => adminRemark === "请转账")).toHaveLength(6);
});

test("cuts no name of a client in the list of requests at 1,280 px", async ({
  page,
  api,
  client,
  hosts,
  requestFor,
  signIn,
}) => {
  const name = "张克虎（云杉物流）";
  await assertOk(api.put(`/api/users/${client.id}`, { name }));
  const approved = await requestFor(hosts[0]);
  await assertOk(decide({ root: api }, approved, "approved"));
  await requestFor(hosts[1]);
  await page.setViewportSize({ width: 1280, height: 800 });

  await signIn(page);

  for (const path of ["/renewals", "/renewals?status=all"]) {
    await goTo(page, path);

    const link = row(page, hosts[1].ucloudId).getByRole("link", { name, exact: true });
    await expect(link).toBeInViewport({ ratio: 1 });
    const hidden = await link.evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(hidden).toBeLessThanOrEqual(0);

    // Days and new end of a request in a column, and a calm age.
    await expect(page.getByRole("columnheader", { name: "申请", exact: true })).toBeVisible();
    const cells = row(page, hosts[1].ucloudId).getByRole("cell");
    await expect(cells.filter({ hasText: "30 天" })).toHaveText(`30 天到 ${dateIn(50)}`);
    await expect(cells.filter({ hasText: "已等待" }).locator("svg")).toHaveCount(0);
  }
});

test("decides selected cards on a phone, and leads to client and host", async ({
  page,
  client,
  hosts,
  requestFor,
  signIn,
}) => {
  const [host, other] = hosts;
  for (const each of [host, other]) await requestFor(each);
  await page.setViewportSize(PHONE.viewport);
  await signIn(page, "/renewals");
  const cards = page.getByRole("list", { name: "续费申请列表" }).getByRole("listitem");
  const card = cards.filter({ hasText: host.name });

  await expect(card.getByRole("link", { name: "张客户", exact: true })).toHaveAttribute(
    "href",
    `/users/${client.id}`,
  );
  await expect(card.getByRole("link", { name: host.name, exact: true })).toHaveAttribute(
    "href",
    `/hosts?host=${host.id}`,
  );
  expect((await boxOf(card)).height).toBeLessThan(230);

  await selectPage(page);
  await batchBar(page).getByRole("button", { name: "批准" }).click();
  await expect(dialog(page)).toBeVisible();
  await expectAccessible(page);
  await submit(page, "批准 2 个申请", "2 个申请已批准");

  await expect(page.getByText("没有待处理的申请")).toBeVisible();
});

test("offers no renewal of a gone host", async ({
  page,
  api,
  client,
  provider,
  assignedHost,
  signIn,
}) => {
  provider.control.removeHosts({ ids: [assignedHost.ucloudId] });
  await syncAll(api);

  await signIn(page, `/hosts?host=${assignedHost.id}`, client);

  await expect(page.getByText("该主机在云服务商处已不存在")).toBeVisible();
  await expect(page.getByRole("button", { name: "申请续费" })).toHaveCount(0);
});

test("refuses a second request for a host, and leads to the first", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  allowErrors(/409/);
  await signIn(page, `/hosts?host=${assignedHost.id}`, client);
  await expectLive(page);
  await page.getByRole("button", { name: "申请续费" }).click();
  await dialog(page).getByLabel("备注").fill("请续一个月");

  // From the client's phone, say.
  const id = await requestRenewal(client.api, assignedHost.id, 90);
  await submit(page, "提交申请", "续费申请失败", "该主机已有待处理的续费申请，请等待处理或先取消");
  await expect(dialog(page).getByLabel("备注")).toHaveValue("请续一个月");

  await dialog(page).getByRole("button", { name: "取消", exact: true }).click();
  await page.getByRole("button", { name: "查看申请" }).click();
  await expect(page).toHaveURL(
    (url) => url.pathname === "/client/renewals" && url.searchParams.get("renewal") === id,
  );
  await expect(dialog(page)).toContainText("90 天");
});

test("disables hosts that cannot be renewed in the picker of a request", async ({
  page,
  api,
  hosts,
  client,
  provider,
  signIn,
}) => {
  const [requested, free, gone] = hosts;
  for (const host of [requested, free, gone]) await assignHost(api, host, client, 30);
  await requestRenewal(client.api, requested.id, 90);
  provider.control.removeHosts({ ids: [gone.ucloudId] });
  await syncAll(api);
  const option = (host: Host) => page.getByRole("option", { name: new RegExp(host.ucloudId) });
  await signIn(page, "/client/renewals", client);

  await page.getByRole("button", { name: "申请续费" }).click();
  await dialog(page).getByRole("combobox", { name: "主机" }).click();

  await expect(option(gone)).toBeDisabled();
  await expect(option(free)).toBeEnabled();
  await expect(option(requested)).toContainText("已有申请，待处理");
  await expect(option(requested)).toBeDisabled();
});

test("offers the days that a client requested last", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const [first, second] = hosts;
  for (const host of [first, second]) await assignHost(api, host, client, 30);

  await signIn(page, `/hosts?host=${first.id}`, client);
  await page.getByRole("button", { name: "申请续费" }).click();
  await expect(dialog(page).getByRole("radio", { name: "30 天" })).toBeChecked();
  await dialog(page).getByRole("radio", { name: "90 天" }).click();
  await submit(page, "提交申请", "续费申请已提交", "续费 90 天");

  await page.goto(`/hosts?host=${second.id}`);
  await page.getByRole("button", { name: "申请续费" }).click();
  await expect(dialog(page).getByRole("radio", { name: "90 天" })).toBeChecked();

  await page.goto("/hosts?view=table");
  await row(page, second.ucloudId).getByRole("checkbox").click();
  await batchBar(page).getByRole("button", { name: "申请续费" }).click();
  await expect(dialog(page).getByRole("radio", { name: "90 天" })).toBeChecked();
});

test("closes an approved request that is not paid only with a reason", async ({
  page,
  api,
  approvedRequest,
  signIn,
}) => {
  await signIn(page, "/renewals?status=approved");

  await page.getByRole("row").getByRole("button", { name: "关闭申请" }).click();
  await expect(dialog(page).getByRole("textbox", { name: "原因" })).toBeVisible();
  await dialog(page).getByRole("button", { name: "关闭申请" }).click();
  await expect(dialog(page).getByText("拒绝申请时必须填写备注说明")).toBeVisible();
  await dialog(page).getByRole("textbox", { name: "原因" }).fill("一直没有付款");
  await expectAccessible(page);
  await submit(page, "关闭申请", "处理成功", "已拒绝");
  await expect(page.getByText("没有符合条件的续费申请")).toBeVisible();

  const renewal = (await api.get(`/api/renewals/${approvedRequest}`)).data;
  expect([renewal.status, renewal.adminRemark]).toEqual(["rejected", "一直没有付款"]);
});

test("says why a request of a gone host cannot be completed", async ({
  page,
  api,
  assignedHost,
  provider,
  approvedRequest,
  signIn,
}) => {
  provider.control.removeHosts({ ids: [assignedHost.ucloudId] });
  await syncAll(api);

  await signIn(page, `/renewals?status=approved&renewal=${approvedRequest}`);

  const reason = "主机在云服务商处已不存在，不能完成续费";
  await expect(dialog(page)).toContainText(reason);
  await expectAccessible(page);

  await dialog(page).getByRole("button", { name: "标记完成" }).click();
  await expect(dialog(page).last()).toContainText(reason);
});

test("reads requests seldom while hosts change often", async ({
  page,
  api,
  client,
  assignedHost,
  provider,
  signIn,
}) => {
  const { id, ucloudId } = assignedHost;
  await requestRenewal(client.api, id, 30);
  await signIn(page, `/users/${client.id}`);
  await expectLive(page);
  await expect(page.getByText("30 天").first()).toBeVisible();
  const requests = countCalls(page, "renewals.list");
  const hostLists = countCalls(page, "hosts.list");

  for (let round = 1; round <= 3; round++) {
    provider.control.updateHosts({ ids: [ucloudId] }, { Name: `改名-${round}` });
    await assertOk(api.post(`/api/hosts/${id}/sync`));
    await expect.poll(hostLists).toBeGreaterThanOrEqual(round);
  }

  expect(requests()).toBeLessThanOrEqual(1);
});

test("tells a client of an approval, live, with the remark", async ({
  page,
  api,
  client,
  assignedHost,
  signIn,
}) => {
  await page.setViewportSize(PHONE.viewport);
  await signIn(page, "/client/renewals", client);
  await expectLive(page);
  const request = await requestRenewal(client.api, assignedHost.id, 30);

  const approval = { status: "approved", adminRemark: "付".repeat(500) };
  await assertOk(api.put(`/api/renewals/${request}/process`, approval));

  const text = `“${assignedHost.name}”续费 30 天：已批准（待付款），备注：付付`;
  await expect(toast(page, "续费申请已处理", text)).toBeVisible();
  const card = page.getByRole("list", { name: "续费申请列表" }).getByRole("listitem");
  await expect(card).toContainText("请联系为您开通账号的人员付款，确认后到期时间自动延长。");
  await expect(card).toContainText("管理员备注：付付");
  await expect(card).toContainText(`30 天，续费后到 ${dateIn(30 + 30)}`);
  await expectAccessible(page);
});

test("preselects the only host of a client", async ({ page, client, assignedHost, signIn }) => {
  const openForm = async () => await page.getByRole("button", { name: "申请续费" }).first().click();
  await signIn(page, "/client/renewals", client);

  await openForm();
  await expect(dialog(page).getByRole("combobox", { name: "主机" })).toHaveText(assignedHost.name);
  await expect(page.getByText("续费后到期", { exact: true })).toBeVisible();
  // Nothing has been filled in yet: Esc does not ask.
  await pressEscape(page);
  await expect(dialog(page)).toBeHidden();

  await openForm();
  await submit(page, "提交申请", "续费申请已提交", assignedHost.name);
});

test("says that a client without hosts cannot request a renewal", async ({
  page,
  otherClient,
  signIn,
}) => {
  await signIn(page, "/client/renewals", otherClient);

  await page.getByRole("button", { name: "申请续费" }).first().click();

  await expect(dialog(page).getByText("还没有主机分配给您，暂时不能申请续费。")).toBeVisible();
  await expect(dialog(page).getByRole("button", { name: "提交申请" })).toBeDisabled();
});

test("requests renewals of several hosts until one day", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  for (const [index, host] of hosts.slice(0, 3).entries()) {
    await assignHost(api, host, client, 5 + index * 10);
  }
  const day = dateIn(60);
  await signIn(page, "/hosts?view=table", client);

  await selectPage(page);
  await batchBar(page).getByRole("button", { name: "申请续费" }).click();
  await dialog(page).getByRole("radio", { name: "同一天" }).click();
  await dialog(page).getByLabel("统一到期日").fill(day);
  await expect(dialog(page).getByText(`→ ${day}`)).toHaveCount(3);
  await expectAccessible(page);
  await submit(page, "提交 3 个申请", "续费申请已提交", "3 台主机");
  await expect(dialog(page)).toBeHidden();

  // All of them have an open request now.
  await selectPage(page);
  await expect(batchBar(page).getByRole("button", { name: "申请续费" })).toBeDisabled();
});

test("requests a rejected renewal again", async ({
  page,
  api,
  hosts,
  requestFor,
  client,
  signIn,
}) => {
  const rejected = await requestFor(hosts[0]);
  await requestFor(hosts[1]);
  await assertOk(decide({ root: api }, rejected, "rejected"));
  await signIn(page, "/client/renewals", client);

  await page.getByRole("button", { name: "重新申请" }).click();
  await dialog(page).getByRole("button", { name: "提交申请" }).click();

  await expect(page.getByText("续费申请已提交").last()).toBeVisible();
  await expect(page.getByRole("button", { name: "待处理 2" })).toBeVisible();
  await expect(page.getByRole("button", { name: "重新申请" })).toHaveCount(0);
});

test("says that a rejected renewal's host is no longer the client's", async ({
  page,
  api,
  hosts: [host],
  requestFor,
  client,
  signIn,
}) => {
  allowErrors(/404/);
  const rejected = await requestFor(host);
  await signIn(page, "/client/renewals", client);
  await assertOk(decide({ root: api }, rejected, "rejected"));
  await assertOk(unassign({ root: api }, host.id, client.id));

  const card = page.getByRole("listitem").filter({ hasText: host.ucloudId });
  await expect(card).toContainText("已拒绝");
  await expect(card).toContainText("主机已收回");
  await expect(card.getByRole("button", { name: "重新申请" })).toHaveCount(0);
});

test("requests a renewal from the dashboard on a phone in two actions", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  for (const host of hosts.slice(0, 2)) await assignHost(api, host, client, 5);
  await page.setViewportSize(PHONE.viewport);
  await signIn(page, "/dashboard", client);

  await page.getByRole("button", { name: "申请续费" }).first().click();
  await dialog(page).getByRole("button", { name: "提交申请" }).click();
  await expect(page.getByText("续费申请已提交")).toBeVisible();
  await expect(page.getByRole("button", { name: "查看申请" })).toBeVisible();
});
