import { DAY_SECONDS } from "../../src/shared/time.ts";
import { decide, requestRenewal } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { dateIn, dateText, dialog, holdAnswers, PHONE, pick, submit, toast } from "./actions.ts";
import { assignHost, createUser, getHost } from "./api.ts";
import {
  allowErrors,
  expect,
  expectAccessible,
  expectContrast,
  pressEscape,
  test,
} from "./fixtures.ts";

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
  const host = hosts.find(({ ipSet }) => ipSet.length > 0) ?? hosts[0];
  const kept = hosts.find(({ id }) => id !== host.id) ?? hosts[1];
  const assigned = await assignHost(api, host, client, 90);
  const renewed = dateText(assigned + 30 * DAY_SECONDS);
  await assignHost(api, kept, client, 20);

  const phone = await openWindow(PHONE);
  await signIn(phone, "/dashboard", client);
  await phone.evaluate("window.isFirstDocument = true");
  await phone.getByRole("button", { name: "打开导航菜单" }).click();
  await phone.getByRole("dialog").getByRole("link", { name: "主机管理" }).click();
  const own = phone.getByRole("list", { name: "主机" }).getByRole("listitem");
  await expect(own).toHaveCount(2);
  await own.filter({ hasText: host.name }).click();
  await expect(phone.getByText("系统未向用户开放网络信息")).toBeVisible();
  const address = phone.getByText(host.ipSet[0]?.IP ?? "", { exact: true });
  await expect(address).toHaveCount(0);
  await signIn(page, "/system-config");
  await page.getByRole("switch", { name: "向C端用户显示网络信息" }).click();
  await expect(toast(page, "系统配置更新成功")).toBeVisible();
  await expect(address).toBeVisible();
  await expectAccessible(phone);

  await page.getByRole("link", { name: "续费管理" }).click();
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

  await page.goto(`/hosts?host=${host.id}`);
  await page.getByRole("button", { name: "对 张客户 的操作" }).click();
  await page.getByRole("menuitem", { name: "取消分配" }).click();
  await expect(dialog(page)).toContainText(`确定取消“张客户”对主机“${host.name}”的使用？`);
  await submit(page, "取消分配", "已取消分配");
  await expect(phone.getByText("看不到这台主机")).toBeVisible();
  await phone.getByRole("link", { name: "返回主机列表" }).click();
  await expect(own).toHaveCount(1);
  await expect(own).toContainText(kept.name);
  expect(await phone.evaluate("window.isFirstDocument")).toBe(true);
});

test("checks an assignment and warns of ends that do not fit", async ({
  page,
  api,
  hosts,
  client: _,
  signIn,
}) => {
  // The provider ends it after a period of 20 days and before one of 90.
  const daysLeft = (expireTime: number | null) =>
    ((expireTime ?? 0) - Date.now() / 1000) / DAY_SECONDS;
  const host = hosts.find(
    ({ expireTime }) => daysLeft(expireTime) > 21 && daysLeft(expireTime) < 89,
  );
  if (host === undefined) throw new Error("the simulator made no such host");
  const form = page.getByRole("dialog", { name: "分配主机" });
  const user = form.getByRole("combobox", { name: "用户", exact: true });
  const days = form.getByLabel("自定义天数");
  const start = form.getByLabel("开始时间");
  const submit = form.getByRole("button", { name: "分配", exact: true });
  const inAYear = `将于 ${dateIn(365)}`;
  const providerEnd = form.getByText(`该主机的云端到期时间是 ${dateText(host.expireTime ?? 0)}`);

  await signIn(page, `/hosts?host=${host.id}`);
  await page.getByRole("button", { name: "分配用户" }).click();
  await expect(form.getByRole("radio", { name: "365 天" })).toBeChecked();
  await expect(form).toContainText(inAYear);
  await submit.click();
  await expect(form.getByText("请选择用户")).toBeVisible();
  await pick(user, /张客户/);
  await form.getByRole("radio", { name: "90 天" }).click();
  await expect(providerEnd).toBeVisible();
  await form.getByRole("radio", { name: "自定义" }).click();
  await expect(form.getByText("填写有效期后显示到期时间")).toBeVisible();
  await days.fill("20");
  await expect(form.getByText(dateIn(20))).toBeVisible();
  await expect(providerEnd).toBeHidden();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);
  await expect(form).not.toContainText("将被这次的有效期替换");
  await days.fill("366");
  await submit.click();
  const warning = toast(page, "分配天数无效");
  await expect(warning).toBeVisible();
  // Submitted while the toast of before is leaving.
  await page.evaluate(`document.querySelector("[data-sonner-toast] [data-close-button]").click();
    document.querySelector("[role=dialog] [type=submit]").click();`);
  await expect(page.locator("[data-sonner-toast][data-removed=true]")).toHaveCount(0);
  await expect(warning).toBeVisible();
  await expect(form.getByText("分配天数必须在1-365天之间")).toBeVisible();
  await days.fill("20");
  await submit.click();
  await expect(toast(page, "分配成功", "已分配给“张客户”，有效期 20 天")).toBeVisible();
  await expect(toast(page, "分配天数无效")).toHaveCount(0, { timeout: 1_000 });

  await page.getByRole("button", { name: "分配用户" }).click();
  await pick(user, /张客户/);
  await expect(form).toContainText(
    /该主机已分配给此用户，原有的有效期（.*还有 20 天）将被这次的有效期替换/,
  );
  await start.fill("2020-01-01T00:00");
  await start.fill("");
  // The days of the last time are proposed again.
  await expect(form).toContainText(`将于 ${dateIn(20)}`);
  await form.getByRole("radio", { name: "365 天" }).click();
  await expect(form).toContainText(inAYear);
  await submit.click();
  await expect(form).toBeHidden();
  const [assigned] = (await getHost(api, host)).users;
  expect(dateText(assigned?.assignedExpireTime ?? 0)).toBe(inAYear.slice(-10));
});

test("edits an assignment by keyboard and returns the focus to its menu", async ({
  page,
  api,
  hosts,
  signIn,
}) => {
  const [host] = hosts;
  for (const [username, name] of Object.entries({
    chen_kehu: "陈客户",
    wang_kehu: "王客户",
    li_kehu: "李客户",
  })) {
    await createUser(api, { username, name, role: "client" });
  }
  await signIn(page, `/hosts?host=${host.id}`);
  await page.getByRole("button", { name: "分配用户" }).click();
  await dialog(page).getByRole("radio", { name: "自定义" }).click();
  await dialog(page).getByLabel("自定义天数").fill("40");
  await dialog(page).getByRole("combobox", { name: "用户", exact: true }).click();
  await page.keyboard.type("wang");
  const options = page.getByRole("option");
  await expect(options).toHaveCount(1);
  await expect(options).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByRole("combobox", { name: "用户", exact: true })).toContainText(
    "王客户",
  );
  const start = dialog(page).getByLabel("开始时间");
  await start.fill("2026-01-02T03:04");
  await expect(page.getByText("自 2026-01-02 03:04 起共 40 天")).toBeVisible();
  await dialog(page).getByRole("button", { name: "分配", exact: true }).click();
  await expect(toast(page, "分配成功", "有效期 40 天")).toBeVisible();

  const menu = page.getByRole("button", { name: "对 王客户 的操作" });
  await menu.press("Enter");
  await page.getByRole("menuitem", { name: "修改有效期" }).press("Enter");
  await expect(start).toHaveValue("2026-01-02T03:04");
  await expect(dialog(page).getByLabel("到期日")).toHaveValue("2026-02-11");
  await pressEscape(page);
  await expect(dialog(page)).toBeHidden();
  await expect(menu).toBeFocused();
  await menu.press("Enter");
  await page.getByRole("menuitem", { name: "取消分配" }).press("Enter");
  // The event takes the menu away before the answer closes the dialog, so that there is nothing to return to.
  const unassign = await holdAnswers(page, /hosts\.unassign/);
  await dialog(page).getByRole("button", { name: "取消分配" }).click();
  await expect(page.getByText("这台主机还没有分配给任何用户")).toBeAttached();
  unassign.release();
  await expect(page.getByRole("main")).toBeFocused();
});

test("keeps the end of an assignment renewed beyond 365 days", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const [host] = hosts;
  const now = Math.floor(Date.now() / 1000);
  const days = (count: number) => now + count * DAY_SECONDS;
  const period = { assignedAt: days(-150), assignedExpireTime: days(100) };
  await assertOk(api.post("/api/hosts/assign", { hostId: host.id, userId: client.id, ...period }));
  const request = await requestRenewal(client.api, host.id, 150);
  await assertOk(decide({ root: api }, request, "completed"));

  await signIn(page, `/hosts?host=${host.id}`);
  await page.getByRole("button", { name: "对 张客户 的操作" }).click();
  await page.getByRole("menuitem", { name: "修改有效期" }).click();
  await expect(dialog(page).getByLabel("到期日")).toHaveValue(dateText(days(250)));
  await expect(dialog(page)).toContainText(`将于 ${dateText(days(250))}`);
  await dialog(page).getByLabel("备注").fill("已与客户确认");
  await submit(page, "保存", "有效期已更新", "有效期 400 天");
  const [assigned] = (await getHost(api, host)).users;
  expect(assigned?.assignedExpireTime).toBe(days(250));

  await page.getByRole("button", { name: "对 张客户 的操作" }).click();
  await page.getByRole("menuitem", { name: "修改有效期" }).click();
  await dialog(page).getByRole("button", { name: "从现在起算" }).click();
  await expectAccessible(page);
  await submit(page, "保存", "有效期已更新", "有效期 250 天");
  await expect(page.getByRole("article")).toContainText(`${dateIn(0)} 至 ${dateText(days(250))}`);
});
