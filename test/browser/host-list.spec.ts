import { DAY_SECONDS } from "../../src/shared/time.ts";
import { assign, decide, now, requestRenewal } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { syncAll } from "../harness/server-fixture.ts";
import {
  batchBar,
  boxOf,
  dateIn,
  dateText,
  openMoreFilters,
  PHONE,
  row,
  syncAllConfigs,
  syncProgress,
  toast,
} from "./actions.ts";
import { assignHost, findHost } from "./api.ts";
import { expect, expectAccessible, pressEscape, test } from "./fixtures.ts";

/** The period of an assignment that expired two days ago. */
const EXPIRED = { from: -40 * DAY_SECONDS, to: -2 * DAY_SECONDS - 60 };

test("shows the expired end of the assignment beside the provider's end", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const host = findHost(
    hosts,
    ({ chargeType, expireTime }) =>
      chargeType === "Month" && (expireTime ?? 0) > now() + 10 * DAY_SECONDS,
  );
  await assign({ root: api }, host.id, client.id, EXPIRED);

  await signIn(page, `/hosts?view=tabs&search=${host.ucloudId}`);

  const tab = page.getByRole("tab").first();
  await expect(tab).toContainText("用户 · 已过期 2 天");
  await expect(tab).toContainText("云端 ");
  await expect(page.getByRole("article").getByText(/用户到期 .* · 已过期 2 天/)).toBeVisible();
});

test("shows the end of an assignment of a host that is billed by time", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const host = findHost(hosts, ({ chargeType }) => chargeType === "Dynamic");
  await assignHost(api, host, client, 5);

  await signIn(page, `/hosts?view=tabs&search=${host.ucloudId}`);

  await expect(page.getByRole("tab").first()).toContainText("用户 · 即将到期 5 天");
  await expect(page.getByRole("article").getByText(/用户到期 .* · 还有 5 天/)).toBeVisible();
  await expect(page.getByRole("article").getByText("剩余时间")).toHaveCount(0);
});

test("shows an approved request to its client, who cannot request again", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const end = await assignHost(api, hosts[0], client, 30);
  const id = await requestRenewal(client.api, hosts[0].id, 90);
  await assertOk(decide({ root: api }, id, "approved"));
  const renewed = dateText(end + 90 * DAY_SECONDS);

  await signIn(page, "/hosts?view=table", client);
  await expect(row(page, hosts[0].ucloudId)).toContainText("待付款");
  await expect(row(page, hosts[0].ucloudId)).toContainText(`续费后到 ${renewed}`);

  await row(page, hosts[0].ucloudId).getByRole("checkbox").click();
  await expect(batchBar(page).getByRole("button", { name: "申请续费" })).toBeDisabled();
  await expect(batchBar(page)).toContainText("其中 1 台已有未完成的申请");

  await page.getByRole("radio", { name: "标签页" }).click();
  await expect(page.getByRole("article")).toContainText("续费申请待付款：续费 90 天");
  await expect(page.getByRole("article")).toContainText(`续费后到 ${renewed}`);
  await expect(page.getByRole("article").getByRole("link", { name: "查看申请" })).toHaveAttribute(
    "href",
    `/client/renewals?renewal=${id}`,
  );
  await expect(page.getByRole("button", { name: "申请续费" })).toHaveCount(0);

  await page.getByRole("button", { name: `待付款 · 续费后到 ${renewed}` }).click();
  await expect(page).toHaveURL((url) => url.searchParams.get("renewal") === id);
});

test("leads a super admin from a host to its open request", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  const id = await requestRenewal(client.api, assignedHost.id, 30);

  await signIn(page, `/hosts?host=${assignedHost.id}`);

  await expect(page.getByRole("article")).toContainText("续费申请待处理：续费 30 天");
  await page.getByRole("link", { name: "查看并处理" }).click();
  await expect(page).toHaveURL(new RegExp(`/renewals\\?renewal=${id}`));
});

test("selects all hosts, or the first ones by a typed number, which can be corrected", async ({
  page,
  hosts: _,
  signIn,
}) => {
  await signIn(page, "/hosts?view=table&sort=name");
  const form = page.getByRole("form", { name: "选择前几台主机" });
  const count = form.getByRole("textbox", { name: "台数" });
  await expect(form.getByRole("button", { name: "确定" })).toBeDisabled();

  await page.getByRole("button", { name: "选择全部 60 台符合条件的主机" }).click();
  await expect(batchBar(page)).toContainText("已选 60 台主机");

  await count.fill("２３");
  await page.keyboard.press("Enter");
  await expect(batchBar(page)).toContainText("已选 23 台主机");
  await expect(page.getByRole("checkbox", { name: "选择本页全部" })).toBeChecked();
  await page.getByRole("button", { name: "下一页" }).click();
  await expect(page.getByRole("row").nth(3).getByRole("checkbox")).toBeChecked();
  await expect(page.getByRole("row").nth(4).getByRole("checkbox")).not.toBeChecked();

  // Where one page holds all of them, too.
  await page.getByRole("combobox", { name: "每页数量" }).selectOption("100 台/页");
  await expect(page.getByRole("row")).toHaveCount(61);
  await count.fill("5");
  await page.keyboard.press("Enter");
  await expect(batchBar(page)).toContainText("已选 5 台主机");
  await expect(count).toBeFocused();
});

test("remembers the page size, and keeps that of a later page for whoever opens it", async ({
  page,
  hosts: _,
  signIn,
}) => {
  await signIn(page, "/hosts?view=table");
  const pageSize = page.getByRole("combobox", { name: "每页数量" });
  await pageSize.selectOption("50 台/页");
  await expect(page.getByRole("row")).toHaveCount(51);

  await page.goto("/hosts?view=table");
  await expect(page.getByRole("row")).toHaveCount(51);
  await expect(pageSize).toHaveValue("50");

  // From somebody whose pages have the usual size.
  await page.goto("/hosts?view=table&page=3");
  await expect(page.getByRole("row")).toHaveCount(21);
  await expect(page.getByText("第 41–60 台")).toBeVisible();
  await page.getByRole("button", { name: "上一页" }).click();

  await expect(page.getByText("第 21–40 台")).toBeVisible();
  await page.getByRole("button", { name: "上一页" }).click();
  await expect(page.getByText("第 1–20 台")).toBeVisible();
  await expect(page).toHaveURL(/limit=20/);
});

test("tells hosts of one name apart, and a near end in words, in compact rows", async ({
  page,
  api,
  hosts,
  client,
  provider,
  signIn,
}) => {
  const [first, second] = hosts;
  provider.control.updateHosts({ ids: [first.ucloudId, second.ucloudId] }, { Name: "同名" });
  await syncAll(api);
  const end = await assignHost(api, first, client, 3);

  await signIn(page, "/hosts?view=table&search=同名");

  await expect(page.getByRole("radio", { name: "紧凑" })).toBeChecked();
  await expect(page.getByText(first.ucloudId, { exact: true })).toBeVisible();
  await expect(page.getByText(second.ucloudId, { exact: true })).toBeVisible();
  await expect(row(page, first.ucloudId)).toContainText(`${dateText(end)}还有 3 天`);
});

test("leads from a host to all hosts of its user, and to the user", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  await signIn(page, "/hosts?assigned=true");
  await page.getByRole("radio", { name: "表格" }).click();

  await row(page, assignedHost.ucloudId).getByRole("link", { name: "只看 张客户 的主机" }).click();
  await expect(row(page, assignedHost.ucloudId)).toBeVisible();
  await page.getByRole("link", { name: "用户：张客户" }).click();

  await expect(page).toHaveURL(new RegExp(`/users/${client.id}`));
});

test("finds the hosts that end at the provider first", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const early = findHost(
    hosts,
    ({ chargeType, expireTime, autoRenew }) =>
      chargeType === "Month" && autoRenew !== true && (expireTime ?? 0) < now() + 300 * DAY_SECONDS,
  );
  await assignHost(api, early, client, 365);
  await signIn(page, "/hosts?view=table");
  const filters = await openMoreFilters(page);
  const order = filters.getByLabel("到期先后");

  await order.selectOption("云端早于用户到期");

  await expect(page).toHaveURL(/providerEndsFirst=true/);
  await expect(page.getByText("1 台", { exact: true })).toBeVisible();
  await expect(row(page, early.ucloudId)).toBeVisible();

  await pressEscape(page);
  await page.getByRole("button", { name: "清除筛选" }).click();
  await expect(page.getByText("60 台", { exact: true })).toBeVisible();
});

test("says what an expired assignment means, and names the end once", async ({
  page,
  api,
  hosts,
  client,
  admin,
  signIn,
}) => {
  await assertOk(api.put(`/api/users/${client.id}`, { adminId: admin.id }));
  const { assignedExpireTime } = await assign({ root: api }, hosts[0].id, client.id, EXPIRED);

  await signIn(page, `/hosts?view=tabs&host=${hosts[0].id}`, client);

  const article = page.getByRole("article");
  await expect(page.getByRole("heading", { name: "主机管理" })).toBeVisible();
  await expect(article).toContainText("使用期限已到期");
  await expect(article).toContainText("请联系管理员“李管理”");
  await expect(article.getByText(dateText(assignedExpireTime))).toHaveCount(1);
});

test("shows a client no columns without content, and the next end first", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const [first, second] = hosts;
  await assignHost(api, first, client, 60);
  await assignHost(api, second, client, 20);

  await signIn(page, "/hosts?view=table", client);

  await expect(page.getByRole("row").nth(1)).toContainText(second.name);
  await expect(page.getByRole("columnheader", { name: "IP" })).toHaveCount(0);
  await expect(page.getByRole("columnheader", { name: "续费申请" })).toHaveCount(0);
});

test("refuses a region of the address that does not exist", async ({ page, hosts: _, signIn }) => {
  await signIn(page, "/hosts?region=nowhere");

  await expect(page.getByText("地址中的参数 region=nowhere 无法识别")).toBeVisible();
  await expect(page.getByText("60 台", { exact: true })).toBeVisible();
});

test("moves no row when a sync begins", async ({ page, hosts, provider, signIn }) => {
  provider.control.hold();
  await signIn(page, "/hosts?view=table");
  await expect(row(page, hosts[0].ucloudId)).toBeVisible();
  const before = await boxOf(row(page, hosts[0].ucloudId));

  await syncAllConfigs(page);
  await expect(syncProgress(page)).toBeVisible();

  expect((await boxOf(row(page, hosts[0].ucloudId))).y).toBe(before.y);
  provider.control.release();
});

test("leaves no focus ring around the table when a host's sheet closes", async ({
  page,
  hosts,
  signIn,
}) => {
  await signIn(page, "/hosts?view=table");
  await row(page, hosts[0].ucloudId).getByRole("cell").nth(4).click();
  await expect(page.getByRole("dialog", { name: "主机详情" })).toBeVisible();

  await pressEscape(page);

  await expect(page.getByRole("dialog")).toHaveCount(0);
  const box = page.getByRole("group", { name: "主机列表" });
  await expect(box).toHaveCSS("outline-style", "none");
});

test.describe("on a phone", () => {
  test.use(PHONE);

  test("shows rows as cards with both ends in words, and ticks them at their edge", async ({
    page,
    api,
    hosts: [host],
    client,
    signIn,
  }) => {
    await assignHost(api, host, client, 3);
    await signIn(page, `/hosts?view=table&search=${host.ucloudId}`);

    const card = page.getByRole("list", { name: "主机列表" }).getByRole("listitem");
    await expect(card).toContainText(`张客户 至 ${dateIn(3).slice(5)}`);
    await expect(card).toContainText("即将到期 3 天");
    await expect(card).toContainText(/云端|按时计费/);

    const { height } = await boxOf(card);
    await card.click({ position: { x: 3, y: height - 3 } });
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expectAccessible(page);
    await batchBar(page).getByRole("button", { name: "批量操作" }).click();
    await page.getByRole("menuitem", { name: "修改到期日" }).click();
    await expect(page.getByRole("dialog", { name: "修改 1 台主机的到期日" })).toBeVisible();
  });

  test("requests a renewal of 90 days in two taps", async ({
    page,
    client,
    assignedHost,
    signIn,
  }) => {
    await signIn(page, `/hosts?host=${assignedHost.id}`, client);

    await expect(page.getByRole("button", { name: "申请续费" })).toHaveCount(1);
    await expect(page.getByRole("button", { name: "申请续费" })).toBeInViewport({ ratio: 1 });
    await expect(page.getByText(/我的到期时间：.*还有 30 天/)).toBeVisible();

    await page.getByRole("button", { name: "续 90 天" }).click();
    const form = page.getByRole("dialog", { name: "申请续费" });
    await expect(form.getByRole("radio", { name: "90 天" })).toBeChecked();
    await form.getByRole("button", { name: "提交申请" }).click();
    await expect(toast(page, "续费申请已提交", "续费 90 天")).toBeVisible();

    await expect(page.getByRole("button", { name: "查看申请" })).toBeVisible();
    await expect(page.getByRole("button", { name: "续 90 天" })).toHaveCount(0);
  });
});

test("gives a phone's row of four lines the height that it needs", async ({
  api,
  hosts: [host],
  client,
  openWindow,
  signIn,
}) => {
  await assertOk(
    api.put(`/api/users/${client.id}`, { name: "北京某某科技有限公司客户经理张先生" }),
  );
  await assignHost(api, host, client, 20);
  const phone = await openWindow(PHONE);
  await signIn(phone, `/hosts?view=tabs&search=${host.ucloudId}`);

  const line = phone.getByRole("list", { name: "主机" }).getByRole("listitem");
  await expect(line).toContainText("北京某某科技有限公司");
  const outer = await line.boundingBox();
  const text = await line.locator("a > span").boundingBox();

  expect((text?.y ?? 0) - (outer?.y ?? 0)).toBeGreaterThanOrEqual(8);
  expect((outer?.height ?? 0) - (text?.height ?? 0)).toBeGreaterThanOrEqual(16);
});
