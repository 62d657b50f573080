import type { Page } from "@playwright/test";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { assign } from "../harness/data.ts";
import {
  batchBar,
  batchStatus,
  boxOf,
  dateIn,
  dateText,
  dialog,
  editAssignment,
  openBatch,
  pickUser,
  row,
  selectPage,
  submit,
  toast,
} from "./actions.ts";
import { assignHost, getHost } from "./api.ts";
import {
  allowErrors,
  expect,
  expectAccessible,
  expectContrast,
  pressEscape,
  test,
} from "./fixtures.ts";

test("takes hosts back only from the user that the list is filtered by", async ({
  page,
  api,
  hosts,
  client,
  otherClient,
  signIn,
}) => {
  const [first, second] = hosts;
  for (const host of [first, second]) await assignHost(api, host, client, 30);
  for (const host of [first, second]) await assignHost(api, host, otherClient, 60);
  await signIn(page, `/hosts?view=table&userId=${client.id}`);

  await openBatch(page, [first, second], "取消分配");
  await expect(dialog(page).getByRole("radio", { name: "张客户 · 2 台" })).toBeChecked();
  await expect(dialog(page).getByRole("radio", { name: "王客户 · 2 台" })).not.toBeChecked();
  await expect(dialog(page).getByRole("radio", { name: "全部用户" })).not.toBeChecked();
  await submit(page, "取消分配 2 台", "取消分配完成", "2 台主机");

  await expect(dialog(page)).toBeHidden();
  for (const host of [first, second]) {
    expect((await getHost(api, host)).users.map(({ id }) => id)).toEqual([otherClient.id]);
  }
});

test("asks whose assignments end when several users have the hosts", async ({
  page,
  api,
  hosts,
  client,
  otherClient,
  signIn,
}) => {
  const [first, second] = hosts;
  await assignHost(api, first, client, 30);
  await assignHost(api, second, otherClient, 30);
  await signIn(page, "/hosts?view=table");

  await openBatch(page, [first, second], "取消分配");
  await expect(dialog(page).getByRole("radio")).toHaveCount(3);
  await expect(dialog(page).getByRole("radio", { checked: true })).toHaveCount(0);
  await dialog(page).getByRole("button", { name: "取消分配", exact: true }).click();
  await expect(dialog(page).getByText("请选择取消谁的分配")).toBeVisible();

  await dialog(page).getByRole("radio", { name: "王客户 · 1 台" }).click();
  await submit(page, "取消分配 1 台", "取消分配完成", "1 台主机");

  await expect(dialog(page)).toBeHidden();
  expect((await getHost(api, first)).users).toHaveLength(1);
  expect((await getHost(api, second)).users).toHaveLength(0);
});

test("says who has the hosts, and transfers them", async ({
  page,
  api,
  hosts,
  client,
  otherClient: _,
  signIn,
}) => {
  const [assigned, free] = hosts;
  const end = await assignHost(api, assigned, client, 30);
  await signIn(page, "/hosts?view=table");

  await openBatch(page, [assigned, free], "分配");
  await expect(page.getByRole("dialog", { name: "分配 2 台主机" })).toBeVisible();
  await pickUser(page, "王客户");
  await expect(dialog(page)).toContainText(`1 台目前由张客户使用至 ${dateText(end)}`);
  await dialog(page).getByRole("button", { name: "分配 2 台" }).click();

  await expect(dialog(page).getByText("请选择转移或共用")).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);

  await dialog(page).getByRole("radio", { name: "转移" }).click();
  await dialog(page).getByRole("radio", { name: "90 天" }).click();
  await submit(page, "分配 2 台", "分配完成", "2 台主机");

  await expect(dialog(page)).toBeHidden();
  for (const host of [assigned, free]) {
    const users = (await getHost(api, host)).users;
    expect(users.map(({ name }) => name)).toEqual(["王客户"]);
    expect(dateText(users[0]?.assignedExpireTime ?? 0)).toBe(dateIn(90));
  }
});

test("transfers a host to another client, and lets two clients share it", async ({
  page,
  api,
  assignedHost,
  otherClient: _,
  signIn,
}) => {
  const userNames = async () =>
    (await getHost(api, assignedHost)).users.map(({ name }) => name).toSorted();
  await signIn(page, `/hosts?host=${assignedHost.id}`);

  await page.getByRole("button", { name: "分配用户" }).click();
  await pickUser(page, "王客户");
  await expect(dialog(page)).toContainText("目前由张客户使用至");
  await dialog(page).getByRole("radio", { name: "转移" }).click();
  await submit(page, "分配", "分配成功", "已分配给“王客户”，有效期 365 天");
  await expect(dialog(page)).toBeHidden();
  expect(await userNames()).toEqual(["王客户"]);

  await page.getByRole("button", { name: "分配用户" }).click();
  await pickUser(page, "张客户");
  await dialog(page).getByRole("radio", { name: "共用" }).click();
  await submit(page, "分配", "分配成功", "已分配给“张客户”");
  expect(await userNames()).toEqual(["张客户", "王客户"].toSorted());
});

test("moves the ends of several assignments to one day and keeps the starts", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const [first, second] = hosts;
  for (const host of [first, second]) await assignHost(api, host, client, 30);
  const [before] = (await getHost(api, first)).users;
  const day = dateIn(20);
  await signIn(page, `/hosts?view=table&userId=${client.id}`);

  await selectPage(page);
  await batchBar(page).getByRole("button", { name: "修改到期日" }).click();
  await expect(dialog(page).getByLabel("到期日", { exact: true })).toBeFocused();
  await dialog(page).getByLabel("到期日", { exact: true }).fill(day);
  await expect(dialog(page)).toContainText("其中 2 台现有的到期时间更晚，将缩短");
  await expectAccessible(page);
  await submit(page, "修改 2 台的到期日", "修改到期日完成", "2 台主机");

  await expect(dialog(page)).toBeHidden();
  const [after] = (await getHost(api, first)).users;
  expect(after?.assignedAt).toBe(before?.assignedAt);
  expect(after?.assignedExpireTime).toBe(Date.parse(`${day}T23:59:59+08:00`) / 1000);
});

test("moves the ends of all users at once where each host has one user", async ({
  page,
  api,
  hosts,
  client,
  otherClient,
  signIn,
}) => {
  const [first, second, shared] = hosts;
  await assignHost(api, first, client, 30);
  await assignHost(api, second, otherClient, 40);
  await assignHost(api, shared, client, 30);
  await assignHost(api, shared, otherClient, 40);
  const day = dateIn(60);
  await signIn(page, "/hosts?view=table");

  await openBatch(page, [first, second, shared], "修改到期日");
  await expect(dialog(page).getByRole("radio")).toHaveCount(3);
  await expect(dialog(page).getByRole("radio", { checked: true })).toHaveCount(0);
  await pressEscape(page);

  await row(page, shared.ucloudId).getByRole("checkbox").click();
  await batchBar(page).getByRole("button", { name: "修改到期日" }).click();
  await expect(dialog(page).getByRole("radio", { name: "全部用户" })).toBeChecked();
  await dialog(page).getByLabel("到期日", { exact: true }).fill(day);
  await submit(page, "修改 2 台的到期日", "修改到期日完成", "2 台主机");

  await expect(dialog(page)).toBeHidden();
  for (const host of [first, second]) {
    const [user] = (await getHost(api, host)).users;
    expect(dateText(user?.assignedExpireTime ?? 0)).toBe(day);
  }
});

test("names whose assignment each result is about where users share a host", async ({
  page,
  api,
  hosts,
  client,
  otherClient,
  signIn,
}) => {
  allowErrors(/503/);
  const [shared, other] = hosts;
  for (const user of [client, otherClient]) await assignHost(api, shared, user, 30);
  await assignHost(api, other, client, 30);
  await signIn(page, "/hosts?view=table");
  await openBatch(page, [shared, other], "修改到期日");

  await dialog(page).getByRole("radio", { name: "全部用户" }).click();
  await dialog(page).getByLabel("到期日", { exact: true }).fill(dateIn(60));
  await refuseOnce(page);
  await dialog(page).getByRole("button", { name: "修改 2 台的到期日" }).click();

  await expect(batchStatus(page)).toContainText("完成 3 / 3 条分配");
  const results = dialog(page).getByRole("list", { name: "每台主机的结果" }).getByRole("listitem");
  await expect(results.filter({ hasText: "王客户" })).toHaveCount(1);
  await expect(results.filter({ hasText: "张客户" })).toHaveCount(2);
});

test("says before a transfer which ends have passed and cannot be kept", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const [lasting, expired] = hosts;
  await assignHost(api, lasting, client, 30);
  const past = { from: -10 * DAY_SECONDS, to: -DAY_SECONDS };
  await assign({ root: api }, expired.id, client.id, past);
  await signIn(page, "/hosts?view=table");

  await openBatch(page, [lasting, expired], "转移");

  await expect(dialog(page)).toContainText("其中 1 台的分配已到期，没有可以保持的到期时间");
  await dialog(page).getByRole("radio", { name: "90 天" }).click();
  await expect(dialog(page)).not.toContainText("没有可以保持的到期时间");
});

test("asks about longer periods only where the user has one of the hosts", async ({
  page,
  api,
  hosts,
  client,
  otherClient: _,
  signIn,
}) => {
  await assignHost(api, hosts[0], client, 30);
  await signIn(page, "/hosts?view=table");
  const shorter = dialog(page).getByRole("checkbox", { name: "也缩短现有有效期更长的主机" });
  await openBatch(page, [hosts[0], hosts[1]], "分配");

  await pickUser(page, "王客户");
  await expect(dialog(page)).toContainText("目前由张客户使用至");
  await expect(shorter).toHaveCount(0);

  await pickUser(page, "张客户");
  await expect(shorter).toBeVisible();
});

test("corrects the last day of an assignment without moving its start", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const period = { from: -10 * DAY_SECONDS, to: 50 * DAY_SECONDS };
  const { assignedAt } = await assign({ root: api }, hosts[0].id, client.id, period);
  const day = dateIn(80);
  await signIn(page, `/hosts?host=${hosts[0].id}`);

  await editAssignment(page);
  await dialog(page).getByLabel("到期日", { exact: true }).fill(day);
  await expect(dialog(page)).toContainText(`将于 ${day} 23:59`);
  await dialog(page).getByRole("button", { name: "保存" }).click();

  await expect(toast(page, "有效期已更新")).toBeVisible();
  const [user] = (await getHost(api, hosts[0])).users;
  expect(user?.assignedAt).toBe(assignedAt);
  expect(user?.assignedExpireTime).toBe(Date.parse(`${day}T23:59:59+08:00`) / 1000);
});

test("moves the focus from a row to the batch bar by a key, and into its dialog", async ({
  page,
  hosts,
  client: _,
  otherClient: _other,
  signIn,
}) => {
  await signIn(page, "/hosts?view=table");
  const checkbox = row(page, hosts[0].ucloudId).getByRole("checkbox");

  await checkbox.press("Space");
  await page.keyboard.press("b");
  await expect(batchBar(page).getByRole("button", { name: "分配", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");

  await expect(page.getByRole("dialog", { name: "分配 1 台主机" })).toBeVisible();
  await expect(dialog(page).getByRole("combobox", { name: "用户", exact: true })).toBeFocused();
  await pressEscape(page);
  await expect(batchBar(page).getByRole("button", { name: "分配", exact: true })).toBeFocused();
});

test("covers no row with the batch bar, and keeps the head of the table in sight", async ({
  page,
  hosts: _,
  signIn,
}) => {
  await signIn(page, "/hosts?view=table");
  await selectPage(page);
  await expect(batchBar(page)).toBeInViewport();

  await page.evaluate("scrollTo(0, document.body.scrollHeight)");

  expect(await page.evaluate("scrollY")).toBeGreaterThan(200);
  await expect(page.getByRole("columnheader", { name: "用户到期" })).toBeInViewport();
  const last = await boxOf(page.getByRole("row").last());
  const bar = await boxOf(batchBar(page));
  expect(last.y + last.height).toBeLessThanOrEqual(bar.y);
  await expectAccessible(page);
});

test("offers what failed of a batch again, with the form as it was", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  allowErrors(/503/);
  const [first, second] = hosts;
  await signIn(page, "/hosts?view=table");
  await openBatch(page, [first, second], "分配");
  await pickUser(page, "张客户");
  await dialog(page).getByRole("radio", { name: "90 天" }).click();
  await refuseOnce(page);

  await dialog(page).getByRole("button", { name: "分配 2 台" }).click();
  await expect(batchStatus(page)).toContainText("分配全部失败 2 / 2 台");
  await expectAccessible(page);
  await submit(page, "重试失败的 2 台", "分配完成", "2 台主机");

  await expect(dialog(page)).toBeHidden();
  await expect(batchBar(page)).toHaveCount(0);
  for (const host of [first, second]) {
    const [user] = (await getHost(api, host)).users;
    expect(user?.id).toBe(client.id);
    expect(dateText(user?.assignedExpireTime ?? 0)).toBe(dateIn(90));
  }
});

test("offers the user and the days of the last assignment", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const [first, second] = hosts;
  await signIn(page, "/hosts?view=table");
  await openBatch(page, [first], "分配");
  await pickUser(page, "张客户");
  await dialog(page).getByRole("radio", { name: "90 天" }).click();
  await submit(page, "分配 1 台", "分配完成");

  await openBatch(page, [second], "分配");
  await expect(dialog(page).getByRole("radio", { name: "90 天" })).toBeChecked();
  await dialog(page).getByRole("button", { name: "与上次相同：张客户" }).click();
  await submit(page, "分配 1 台", "分配完成", "1 台主机");

  await expect(dialog(page)).toBeHidden();
  const [user] = (await getHost(api, second)).users;
  expect(user?.id).toBe(client.id);
  expect(dateText(user?.assignedExpireTime ?? 0)).toBe(dateIn(90));
});

/** The next call of a batch is refused, as by a proxy without a server. */
async function refuseOnce(page: Page): Promise<void> {
  await page.route(
    /\/trpc\/.*hosts\.batch/,
    (route) => route.fulfill({ status: 503, json: { message: "服务器繁忙" } }),
    { times: 1 },
  );
}
