import type { Page } from "@playwright/test";
import { Host, HostList } from "../../src/shared/hosts.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import {
  addConfiguration,
  chooseAllConfigurations,
  countLoads,
  dateText,
  dialog,
  openHosts,
  PHONE,
  pick,
  toast,
} from "./actions.ts";
import { type Api, assignHost, createAccount, importHosts, shareHost, signInToApi } from "./api.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";
import { ADMIN } from "./server.ts";

const CLIENT = { username: "zhang_kehu", password: ADMIN.password };

/** The heads of the table lie between. */
const STEPS_TO_BATCH = 12;

// A page that shows the host reads it once more when it is unassigned.
test.use({ expectedComplaints: [/404/] });

test("assigns hosts to a new client, renews and unassigns them, live in both windows", async ({
  page,
  provider,
  server,
  openWindow,
}) => {
  test.slow();
  await signIn(page);
  await createUsersByHand(page);

  await page.getByRole("link", { name: "配置管理" }).click();
  await addConfiguration(page, { url: provider.url, ...MAIN_KEYS });
  await openHosts(page);
  await chooseAllConfigurations(page);
  await expect(page.getByText("60 台", { exact: true })).toBeVisible();
  const api = await signInToApi(server.url);
  const { ending, lasting } = await twoHosts(api);
  await handOut(page, ending, lasting);

  const phone = await openWindow(PHONE);
  const loads = countLoads(phone);
  await signIn(phone, CLIENT);
  await phone.getByRole("button", { name: "打开导航菜单" }).click();
  await phone.getByRole("dialog").getByRole("link", { name: "主机管理" }).click();
  const own = phone.getByRole("list", { name: "主机" }).getByRole("listitem");
  await expect(own).toHaveCount(2);
  await own.filter({ hasText: ending.name }).click();
  await expect(phone.getByText("系统未向用户开放网络信息")).toBeVisible();
  const [address] = ending.ipSet;
  await expect(phone.getByText(address?.IP ?? "", { exact: true })).toHaveCount(0);
  await page.getByRole("link", { name: "系统配置" }).click();
  await page.getByRole("switch", { name: "向C端用户显示网络信息" }).click();
  await expect(toast(page, "系统配置更新成功")).toBeVisible();
  await expect(phone.getByText(address?.IP ?? "", { exact: true })).toBeVisible();
  await expectAccessible(phone);

  await page.getByRole("link", { name: "续费管理" }).click();
  await expect(page.getByText("没有待处理的申请")).toBeVisible();
  const assigned = Host.parse(await api("GET", `/api/hosts/${ending.id}`)).users[0]?.assignedExpireTime ?? 0;
  const renewed = dateText(assigned + 30 * DAY_SECONDS);
  await phone.getByRole("button", { name: "申请续费" }).click();
  await expect(dialog(phone).getByRole("radio", { name: "30 天" })).toBeChecked();
  await expect(dialog(phone).getByText(renewed)).toBeVisible();
  await expectAccessible(phone);
  await dialog(phone).getByRole("button", { name: "提交申请" }).click();
  await expect(toast(phone, "续费申请已提交", "1-2 个工作日内处理")).toBeVisible();

  await expect(toast(page, "新的续费申请", `张客户 申请将 ${ending.name} 续费 30 天`)).toBeVisible();
  const request = page.getByRole("row").filter({ hasText: ending.name });
  await request.getByRole("button", { name: "处理" }).click();
  await expect(dialog(page).getByRole("radio", { name: "批准（待付款）" })).toBeChecked();
  await expect(dialog(page).getByText(renewed)).toBeVisible();
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "批准申请" }).click();
  await expect(toast(phone, "续费申请已批准", "待付款")).toBeVisible();
  await page.getByRole("button", { name: /^已批准/ }).click();
  await request.getByRole("button", { name: "标记完成" }).click();
  await dialog(page).getByRole("button", { name: "标记完成" }).click();
  await expect(toast(page, "处理成功", `延长到 ${renewed}`)).toBeVisible();
  await expect(toast(phone, "续费已完成", `延长到 ${renewed}`)).toBeVisible();
  await expect(phone.getByRole("article").getByText(renewed, { exact: true })).toBeVisible();

  await page.goto(`/hosts?host=${ending.id}`);
  await page.getByRole("button", { name: "对 张客户 的操作" }).click();
  await page.getByRole("menuitem", { name: "取消分配" }).click();
  await expect(dialog(page)).toContainText(`确定取消 张客户 对主机 ${ending.name} 的使用？`);
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "取消分配" }).click();
  await expect(toast(page, "已取消分配")).toBeVisible();
  await expect(phone.getByText("看不到这台主机")).toBeVisible();
  // A toast that fades while axe works has no contrast.
  await expect(toast(phone, "续费已完成")).toBeHidden();
  await expectAccessible(phone);
  await phone.getByRole("button", { name: "返回列表" }).click();
  await expect(own).toHaveCount(1);
  await expect(own).toContainText(lasting.name);
  expect(loads()).toBe(1);
});

test("reports a batch per host and keeps the failed hosts selected", async ({ page, provider, server }) => {
  const api = await signInToApi(server.url);
  const [first, second, third] = await importHosts(api, provider);
  if (first === undefined || second === undefined || third === undefined) throw new Error("three hosts are needed");
  const client = await createAccount(api, { username: "wang_kehu", name: "王客户", role: "client" });
  for (const host of [first, second]) await assignHost(api, host, client, 30);
  await signIn(page);
  await page.goto("/hosts?view=table");
  const bar = page.getByRole("region", { name: "批量操作" });
  const results = dialog(page).getByRole("list", { name: "每台主机的结果" }).getByRole("listitem");

  for (const host of [first, second, third]) await choose(page, host);
  await bar.getByRole("button", { name: "取消分配" }).click();
  await pick(dialog(page).getByRole("combobox", { name: "用户" }), /王客户/);
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "取消分配 3 台" }).click();
  await expect(dialog(page).getByRole("status").first()).toContainText("取消分配完成 3 / 3 台成功 2失败 1");
  await expect(results.first()).toContainText(third.ucloudId);
  await expect(results.first()).toContainText("该主机没有分配给此用户");
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "完成" }).click();
  await expect(bar).toContainText("已选 1 台主机");

  await choose(page, first);
  await bar.getByRole("button", { name: "分配", exact: true }).click();
  await dialog(page).getByRole("button", { name: "分配 2 台" }).click();
  await expect(toast(page, "请选择用户")).toBeVisible();
  await pick(dialog(page).getByRole("combobox", { name: "用户" }), /王客户/);
  // While the form is being filled in, one of the hosts disappears at the provider.
  await provider.control("removeHosts", { ids: [first.ucloudId] });
  await api("POST", "/api/hosts/sync?wait=25");
  await dialog(page).getByRole("button", { name: "分配 2 台" }).click();
  await expect(results.first()).toContainText(first.ucloudId);
  await expect(results.first()).toContainText("主机在云服务商处已不存在，不能分配");
  await expect(results.last()).toContainText("成功");
  await dialog(page).getByRole("button", { name: "完成" }).click();
  const row = page.getByRole("row").filter({ hasText: third.ucloudId });
  await expect(row).toContainText("王客户");
});

test("reaches the batch actions from the first row by keyboard and distinguishes users of the same name", async ({
  page,
  provider,
  server,
}) => {
  const api = await signInToApi(server.url);
  const [one, other, third] = await importHosts(api, provider);
  if (one === undefined || other === undefined || third === undefined) throw new Error("three hosts are needed");
  await provider.control("updateHosts", { ids: [other.ucloudId] }, { Name: one.name });
  await api("POST", "/api/hosts/sync?wait=25");
  await signIn(page);
  await page.goto("/hosts?view=table");
  const bar = page.getByRole("region", { name: "批量操作" });
  const first = page.getByRole("row").nth(1).getByRole("checkbox");
  await first.press("Space");
  await expect(bar).toContainText("已选 1 台主机");
  await expect(first).toBeFocused();
  const isReached = () => bar.evaluate((element) => element.contains(element.ownerDocument.activeElement));
  let steps = 0;
  for (; steps < STEPS_TO_BATCH && !(await isReached()); steps++) await page.keyboard.press("Shift+Tab");
  expect(await isReached(), `not reached in ${steps} steps`).toBe(true);
  await expectAccessible(page);

  await bar.getByRole("button", { name: "取消选择" }).click();
  for (const host of [one, other, third]) await choose(page, host);
  await bar.getByRole("button", { name: "同步", exact: true }).click();
  await expect(dialog(page)).toContainText(
    `${one.name}（${one.ucloudId}）、${one.name}（${other.ucloudId}）、${third.name}`,
  );
  await expect(dialog(page)).not.toContainText(third.ucloudId);
});

test("reports a batch on the hosts' present state although they leave the list", async ({ page, provider, server }) => {
  const { api, host } = await shareHost(server.url, provider);
  await signIn(page);
  await page.goto(`/hosts?${new URLSearchParams({ view: "table", assigned: "true" })}`);
  await choose(page, host);
  const other = await createAccount(api, { username: "wang_kehu", name: "王客户", role: "client" });
  await assignHost(api, host, other, 30);
  await expect(page.getByRole("row").filter({ hasText: host.ucloudId })).toContainText("等 2 人");
  const bar = page.getByRole("region", { name: "批量操作" });
  await bar.getByRole("button", { name: "取消分配" }).click();
  await expect(dialog(page)).toContainText("目前共有 2 条分配");
  await dialog(page).getByRole("button", { name: "取消分配 1 台" }).click();
  await expect(page.getByText("没有符合条件的主机")).toBeAttached();
  await expect(dialog(page)).toContainText("取消分配完成 1 / 1 台");
  await dialog(page).getByRole("button", { name: "完成" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(bar).toHaveCount(0);
});

async function choose(page: Page, { ucloudId }: Host): Promise<void> {
  await page.getByRole("row").filter({ hasText: ucloudId }).getByRole("checkbox").click();
}

/** An admin, and a client of that admin, after all that the form has to say about them. */
async function createUsersByHand(page: Page): Promise<void> {
  await page.getByRole("link", { name: "用户管理" }).click();
  await page.getByRole("button", { name: "创建用户" }).click();
  const form = page.getByRole("dialog");
  const create = form.getByRole("button", { name: "创建" });
  await create.click();
  for (const message of ["用户名不能为空", "密码不能为空", "姓名不能为空"]) {
    await expect(form.getByText(message)).toBeVisible();
  }
  await form.getByLabel("用户名").fill("li");
  await form.getByLabel("密码", { exact: true }).fill("weak");
  await form.getByLabel("邮箱").fill("li@nowhere");
  await form.getByLabel("手机号").fill("12345678901");
  for (const message of ["用户名至少3个字符", "密码长度必须为8-128个字符", "邮箱格式不正确", "手机号格式不正确"]) {
    await expect(form.getByText(message)).toBeVisible();
  }
  await expectAccessible(page);
  await form.getByLabel("用户名").fill("li_guanli");
  await form.getByLabel("密码", { exact: true }).fill(ADMIN.password);
  await form.getByRole("radio", { name: /^管理员/ }).click();
  await form.getByLabel("姓名").fill("李管理");
  await form.getByLabel("邮箱").fill("li@example.com");
  await form.getByLabel("手机号").fill("13800000001");
  await create.click();
  await expect(toast(page, "创建成功", "用户 李管理（li_guanli）已创建")).toBeVisible();
  await expect(form).toBeHidden();

  await page.getByRole("button", { name: "创建用户" }).click();
  await form.getByLabel("用户名").fill(CLIENT.username);
  await form.getByLabel("密码", { exact: true }).fill(CLIENT.password);
  await form.getByLabel("姓名").fill("张客户");
  await pick(form.getByRole("combobox", { name: "负责管理员" }), /李管理/);
  await create.click();
  await expect(form).toBeHidden();
  await expect(page.getByRole("row").filter({ hasText: "张客户" })).toContainText("负责人：李管理");
}

/** One that the provider ends within 90 days, and one that lasts longer than the days it is handed out for. */
async function twoHosts(api: Api): Promise<{ ending: Host; lasting: Host }> {
  const { hosts } = HostList.parse(await api("GET", "/api/hosts?limit=100"));
  const now = Date.now() / 1000;
  const daysLeft = ({ expireTime }: Host) => ((expireTime ?? 0) - now) / DAY_SECONDS;
  const ending = hosts.find((host) => host.ipSet.length > 0 && daysLeft(host) > 1 && daysLeft(host) < 89);
  const lasting = hosts.find((host) => daysLeft(host) > 21 && host.id !== ending?.id);
  if (ending === undefined || lasting === undefined) throw new Error("the simulator made no such hosts");
  return { ending, lasting };
}

async function handOut(page: Page, ending: Host, lasting: Host): Promise<void> {
  const form = page.getByRole("dialog");
  await page.goto(`/hosts?host=${ending.id}`);
  await page.getByRole("button", { name: "分配用户" }).click();
  await expect(form.getByRole("radio", { name: "365 天" })).toBeChecked();
  await form.getByRole("button", { name: "分配", exact: true }).click();
  await expect(form.getByText("请选择用户")).toBeVisible();
  await pick(form.getByRole("combobox", { name: "用户" }), /张客户/);
  await form.getByRole("radio", { name: "90 天" }).click();
  await expect(form.getByText(`该主机的云端到期时间是 ${dateText(ending.expireTime ?? 0)}`)).toBeVisible();
  await expectAccessible(page);
  await form.getByRole("button", { name: "分配", exact: true }).click();
  await expect(toast(page, "分配成功", "已分配给 张客户，有效期 90 天")).toBeVisible();

  await page.goto(`/hosts?host=${lasting.id}`);
  await page.getByRole("button", { name: "分配用户" }).click();
  await pick(form.getByRole("combobox", { name: "用户" }), /张客户/);
  await form.getByRole("radio", { name: "自定义" }).click();
  await form.getByLabel("自定义天数").fill("366");
  await form.getByRole("button", { name: "分配", exact: true }).click();
  await expect(toast(page, "分配天数无效")).toBeVisible();
  await expect(form.getByText("分配天数必须在1-365天之间")).toBeVisible();
  await form.getByLabel("自定义天数").fill("20");
  await expect(form.getByText(dateText(Date.now() / 1000 + 20 * DAY_SECONDS))).toBeVisible();
  await expect(form.getByText("云端到期时间是")).toBeHidden();
  await form.getByRole("button", { name: "分配", exact: true }).click();
  await expect(toast(page, "分配成功", "有效期 20 天")).toBeVisible();
}
