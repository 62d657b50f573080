import type { Page } from "@playwright/test";
import type { Host } from "../../src/shared/hosts.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { assign, decide, requestRenewal } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import {
  dateIn,
  dateText,
  dialog,
  editAssignment,
  goTo,
  holdAnswers,
  PHONE,
  pickUser,
  submit,
  toast,
} from "./actions.ts";
import { addressOf, assignHost, createUser, findHost, getHost } from "./api.ts";
import {
  allowErrors,
  expect,
  expectAccessible,
  expectContrast,
  pressEscape,
  test,
} from "./fixtures.ts";

test("shows a client the addresses of its hosts as soon as the setting allows it", async ({
  page,
  api,
  hosts,
  client,
  signIn,
  openWindow,
}) => {
  const host = findHost(hosts, ({ ipSet }) => ipSet.length > 0);
  await assignHost(api, host, client, 90);
  const phone = await openWindow(PHONE);
  await signIn(phone, `/hosts?host=${host.id}`, client);
  const address = phone.getByText(addressOf(host), { exact: true });
  await expect(phone.getByText("系统未向用户开放网络信息")).toBeVisible();
  await expect(address).toHaveCount(0);

  await signIn(page, "/system-config");
  await page.getByRole("switch", { name: "向C端用户显示网络信息" }).click();
  await expect(toast(page, "系统配置更新成功")).toBeVisible();

  await expect(address).toBeVisible();
  await expectAccessible(phone);
});

test("renews and unassigns a host live in two windows", async ({
  page,
  api,
  hosts,
  client,
  signIn,
  openWindow,
}) => {
  // A page that shows the host reads it once more when it is unassigned.
  allowErrors(/404/);
  const [host, other] = hosts;
  const end = await assignHost(api, host, client, 90);
  const renewed = dateText(end + 30 * DAY_SECONDS);
  await assignHost(api, other, client, 20);

  const phone = await openWindow(PHONE);
  await signIn(phone, "/dashboard", client);
  // All that follows happens in one document: nothing needs a reload.
  await phone.evaluate("window.isFirstDocument = true");
  await phone.getByRole("button", { name: "打开导航菜单" }).click();
  await phone.getByRole("dialog").getByRole("link", { name: "主机管理" }).click();
  const ownHosts = phone.getByRole("list", { name: "主机" }).getByRole("listitem");
  await expect(ownHosts).toHaveCount(2);
  await ownHosts.filter({ hasText: host.name }).click();

  await signIn(page, "/renewals");
  await expect(page.getByText("暂无续费申请")).toBeVisible();
  await phone.getByRole("button", { name: "申请续费", exact: true }).click();
  await expect(dialog(phone).getByRole("radio", { name: "30 天" })).toBeChecked();
  await expect(dialog(phone).getByText(renewed)).toBeVisible();
  await expectAccessible(phone);
  await submit(phone, "提交申请", "续费申请已提交", "1-2 个工作日内处理");

  await expect(toast(page, "新的续费申请", `“张客户”申请将“${host.name}”续费 30 天`)).toBeVisible();
  const request = page.getByRole("row").filter({ hasText: host.name });
  await request.getByRole("button", { name: "处理" }).click();
  await expect(dialog(page).getByRole("radio", { name: /^批准/ })).toBeChecked();
  await expect(dialog(page).getByText(renewed)).toBeVisible();
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "批准申请" }).click();
  await expect(toast(phone, "续费申请已处理", "待付款")).toBeVisible();

  await page.getByRole("button", { name: /^已批准/ }).click();
  await request.getByRole("button", { name: "标记完成" }).click();
  await submit(page, "标记完成", "处理成功", `延长到 ${renewed}`);
  await expect(toast(phone, "续费申请已处理", `已完成，到期时间延长到 ${renewed}`)).toBeVisible();
  await expect(phone.getByRole("article").getByText(`我的到期时间：${renewed}`)).toBeVisible();

  await goTo(page, `/hosts?host=${host.id}`);
  await page.getByRole("button", { name: "对 张客户 的操作" }).click();
  await page.getByRole("menuitem", { name: "取消分配" }).click();
  await expect(dialog(page)).toContainText(`确定取消“张客户”对主机“${host.name}”的使用？`);
  await submit(page, "取消分配", "已取消分配");

  await expect(phone.getByText("看不到这台主机")).toBeVisible();
  await phone.getByRole("link", { name: "返回主机列表" }).click();
  await expect(ownHosts).toHaveCount(1);
  await expect(ownHosts).toContainText(other.name);
  expect(await phone.evaluate("window.isFirstDocument")).toBe(true);
});

/** The dialog that assigns one host. */
function assignmentForm(page: Page) {
  const form = page.getByRole("dialog", { name: "分配主机" });
  return {
    form,
    days: form.getByLabel("自定义天数"),
    submitButton: form.getByRole("button", { name: "分配", exact: true }),
  };
}

test("says until when an assignment lasts, and whether the provider's end is earlier", async ({
  page,
  hosts,
  client: _,
  signIn,
}) => {
  // The provider ends it after a period of 20 days and before one of 90.
  const host = findHost(hosts, (each) => {
    const isRenewed = each.autoRenew === true;
    return !isRenewed && daysLeft(each) > 21 && daysLeft(each) < 89;
  });
  const { form, days } = assignmentForm(page);
  const providerEnd = form.getByText(`该主机的云端到期时间是 ${dateText(host.expireTime ?? 0)}`);
  await signIn(page, `/hosts?host=${host.id}`);
  await page.getByRole("button", { name: "分配用户" }).click();
  await expect(form.getByRole("radio", { name: "365 天" })).toBeChecked();
  await expect(form).toContainText(`将于 ${dateIn(365)}`);

  await pickUser(page, "张客户");
  await form.getByRole("radio", { name: "90 天" }).click();
  await expect(providerEnd).toBeVisible();

  await form.getByRole("radio", { name: "自定义" }).click();
  await expect(form.getByText("填写有效期后显示到期时间")).toBeVisible();
  await days.fill("20");
  await expect(form.getByText(dateIn(20))).toBeVisible();
  await expect(providerEnd).toBeHidden();
  await expect(form).not.toContainText("将被这次的有效期替换");
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);
});

function daysLeft({ expireTime }: Host): number {
  return ((expireTime ?? 0) - Date.now() / 1000) / DAY_SECONDS;
}

test("refuses an assignment without a user or of 366 days", async ({
  page,
  hosts: [host],
  client: _,
  signIn,
}) => {
  const { form, days, submitButton } = assignmentForm(page);
  const warning = toast(page, "分配天数无效");
  await signIn(page, `/hosts?host=${host.id}`);
  await page.getByRole("button", { name: "分配用户" }).click();
  await submitButton.click();
  await expect(form.getByText("请选择用户")).toBeVisible();
  await pickUser(page, "张客户");
  await form.getByRole("radio", { name: "自定义" }).click();

  await days.fill("366");
  await submitButton.click();
  await expect(warning).toBeVisible();
  // Submitted again while the first toast is leaving: in one task, before it has gone.
  await page.evaluate(`document.querySelector("[data-sonner-toast] [data-close-button]").click();
    document.querySelector("[role=dialog] [type=submit]").click();`);
  await expect(page.locator("[data-sonner-toast][data-removed=true]")).toHaveCount(0);
  await expect(warning).toBeVisible();
  await expect(form.getByText("分配天数必须在1-365天之间")).toBeVisible();

  await days.fill("20");
  await submitButton.click();
  await expect(toast(page, "分配成功", "已分配给“张客户”，有效期 20 天")).toBeVisible();
  await expect(warning).toHaveCount(0, { timeout: 1_000 });
});

test("says which assignment a new one replaces, and offers the days of the last one", async ({
  page,
  api,
  hosts: [host],
  client: _,
  signIn,
}) => {
  const { form, days, submitButton } = assignmentForm(page);
  const start = form.getByLabel("开始时间");
  await signIn(page, `/hosts?host=${host.id}`);
  await page.getByRole("button", { name: "分配用户" }).click();
  await pickUser(page, "张客户");
  await form.getByRole("radio", { name: "自定义" }).click();
  await days.fill("20");
  await submitButton.click();
  await expect(toast(page, "分配成功", "有效期 20 天")).toBeVisible();

  await page.getByRole("button", { name: "分配用户" }).click();
  await pickUser(page, "张客户");
  await expect(form).toContainText(
    /该主机已分配给此用户，原有的有效期（.*还有 20 天）将被这次的有效期替换/,
  );
  // A start that is deleted again means now.
  await start.fill("2020-01-01T00:00");
  await start.fill("");
  await expect(form).toContainText(`将于 ${dateIn(20)}`);

  await form.getByRole("radio", { name: "365 天" }).click();
  await expect(form).toContainText(`将于 ${dateIn(365)}`);
  await submitButton.click();
  await expect(form).toBeHidden();
  const [user] = (await getHost(api, host)).users;
  expect(dateText(user?.assignedExpireTime ?? 0)).toBe(dateIn(365));
});

test("edits an assignment by keyboard and returns the focus to its menu", async ({
  page,
  api,
  hosts: [host],
  client: _,
  otherClient: { name },
  signIn,
}) => {
  await createUser(api, { username: "chen_kehu", name: "陈客户", role: "client" });
  const picker = dialog(page).getByRole("combobox", { name: "用户", exact: true });
  const start = dialog(page).getByLabel("开始时间");
  await signIn(page, `/hosts?host=${host.id}`);
  await page.getByRole("button", { name: "分配用户" }).click();
  await dialog(page).getByRole("radio", { name: "自定义" }).click();
  await dialog(page).getByLabel("自定义天数").fill("40");

  await picker.click();
  await page.keyboard.type("wang");
  const options = page.getByRole("option");
  await expect(options).toHaveCount(1);
  await expect(options).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(picker).toContainText(name);
  await start.fill("2026-01-02T03:04");
  await expect(page.getByText("自 2026-01-02 03:04 起共 40 天")).toBeVisible();
  await dialog(page).getByRole("button", { name: "分配", exact: true }).click();
  await expect(toast(page, "分配成功", "有效期 40 天")).toBeVisible();

  const menu = page.getByRole("button", { name: `对 ${name} 的操作` });
  await menu.press("Enter");
  await page.getByRole("menuitem", { name: "修改有效期" }).press("Enter");
  await expect(start).toHaveValue("2026-01-02T03:04");
  await expect(dialog(page).getByLabel("到期日")).toHaveValue("2026-02-11");
  await pressEscape(page);
  await expect(dialog(page)).toBeHidden();
  await expect(menu).toBeFocused();

  await menu.press("Enter");
  await page.getByRole("menuitem", { name: "取消分配" }).press("Enter");
  // The event removes the menu before the answer closes the dialog: the focus cannot return to it.
  const unassign = await holdAnswers(page, /hosts\.unassign/);
  await dialog(page).getByRole("button", { name: "取消分配" }).click();
  await expect(page.getByText("这台主机还没有分配给任何用户")).toBeAttached();
  unassign.release();
  await expect(page.getByRole("main")).toBeFocused();
});

test("keeps the end of an assignment renewed beyond 365 days", async ({
  page,
  api,
  hosts: [host],
  client,
  signIn,
}) => {
  const period = { from: -150 * DAY_SECONDS, to: 100 * DAY_SECONDS };
  const { assignedExpireTime } = await assign({ root: api }, host.id, client.id, period);
  const request = await requestRenewal(client.api, host.id, 150);
  await assertOk(decide({ root: api }, request, "completed"));
  const end = assignedExpireTime + 150 * DAY_SECONDS;

  await signIn(page, `/hosts?host=${host.id}`);
  await editAssignment(page);
  await expect(dialog(page).getByLabel("到期日")).toHaveValue(dateText(end));
  await expect(dialog(page)).toContainText(`将于 ${dateText(end)}`);
  await dialog(page).getByLabel("备注").fill("已与客户确认");
  await submit(page, "保存", "有效期已更新", "有效期 400 天");
  const [user] = (await getHost(api, host)).users;
  expect(user?.assignedExpireTime).toBe(end);

  await editAssignment(page);
  await dialog(page).getByRole("button", { name: "从现在起算" }).click();
  await expectAccessible(page);
  await submit(page, "保存", "有效期已更新", "有效期 250 天");
  await expect(page.getByRole("article")).toContainText(`${dateIn(0)} 至 ${dateText(end)}`);
});

test("chooses a user by Enter only once the search for the name has answered", async ({
  page,
  hosts,
  client: _,
  otherClient: __,
  signIn,
}) => {
  await signIn(page, `/hosts?host=${hosts[0].id}`);
  await page.getByRole("button", { name: "分配用户" }).click();
  const picker = dialog(page).getByRole("combobox", { name: "用户", exact: true });
  await picker.click();
  const options = page.getByRole("option");
  await expect(options).toHaveCount(2);
  const wanted = (await options.last().textContent())?.slice(0, 3) ?? "";
  const search = await holdAnswers(page, new RegExp(`users\\.list.*${wanted}`));

  await page.getByPlaceholder("搜索姓名、用户名、手机号或邮箱").fill(wanted);
  await page.keyboard.press("Enter");
  await search.answered;
  await expect(picker).toHaveText("选择用户");
  await page.keyboard.press("Enter");
  await expect(picker).toHaveText("选择用户");
  await expect(options).toHaveCount(2);

  search.release();
  await expect(options).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(picker).toContainText(wanted);
});
