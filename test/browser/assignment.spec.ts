import type { Page } from "@playwright/test";
import type { Host } from "../../src/shared/hosts.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { addConfig, countLoads, dateIn, dateText, dialog, PHONE, pick, syncAllConfigs, toast } from "./actions.ts";
import { applyForRenewal, createUser, getHost, listHosts, processRenewal } from "./api.ts";
import { expect, expectAccessible, expectContrast, test } from "./fixtures.ts";
import { ADMIN } from "./server.ts";

const CLIENT = { username: "zhang_kehu", password: ADMIN.password };

// A page that shows the host reads it once more when it is unassigned.
test.use({ expectedComplaints: [/404/] });

test("assigns, renews and unassigns hosts live in two windows", async ({ page, api, provider, signIn, openWindow }) => {
  test.slow();
  await signIn(page);
  await createUsersByHand(page);

  await page.getByRole("link", { name: "配置管理" }).click();
  await addConfig(page, provider.url);
  await page.getByRole("link", { name: "主机管理", exact: true }).click();
  await syncAllConfigs(page);
  await expect(page.getByText("60 台", { exact: true })).toBeVisible();
  const { ending, lasting } = twoHosts(await listHosts(api));
  await handOut(page, ending, lasting);

  const phone = await openWindow(PHONE);
  const loads = countLoads(phone);
  await signIn(phone, "/dashboard", CLIENT);
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
  const assigned = (await getHost(api, ending)).users[0]?.assignedExpireTime ?? 0;
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

test("edits an assignment by keyboard and returns the focus to its menu", async ({ page, api, hosts, signIn }) => {
  const [host] = hosts;
  for (const [username, name] of Object.entries({ chen_kehu: "陈客户", wang_kehu: "王客户", li_kehu: "李客户" })) {
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
  await expect(dialog(page).getByRole("combobox", { name: "用户", exact: true })).toContainText("王客户");
  const start = dialog(page).getByLabel("开始时间");
  await start.fill("2026-01-02T03:04");
  await expect(page.getByText("自 2026-01-02 03:04 起共 40 天")).toBeVisible();
  await dialog(page).getByRole("button", { name: "分配", exact: true }).click();
  await expect(toast(page, "分配成功", "有效期 40 天")).toBeVisible();

  const menu = page.getByRole("button", { name: "对 王客户 的操作" });
  await menu.press("Enter");
  await page.getByRole("menuitem", { name: "修改有效期" }).press("Enter");
  await expect(start).toHaveValue("2026-01-02T03:04");
  await expect(dialog(page).getByLabel("自定义天数")).toHaveValue("40");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await expect(menu).toBeFocused();
  await menu.press("Enter");
  await page.getByRole("menuitem", { name: "取消分配" }).press("Enter");
  await dialog(page).getByRole("button", { name: "取消分配" }).click();
  await expect(menu).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
});

test("warns that assigning a host again replaces its period", async ({ page, assignedHost, signIn }) => {
  await signIn(page, `/hosts?host=${assignedHost.id}`);
  await page.getByRole("button", { name: "分配用户" }).click();
  await expect(dialog(page)).not.toContainText("将被这次的有效期替换");
  await pick(dialog(page).getByRole("combobox", { name: "用户", exact: true }), /张客户/);
  await expect(page.getByRole("dialog", { name: "分配主机" })).toContainText(
    /该主机已分配给此用户，原有的有效期（.*还有 30 天）将被这次的有效期替换/,
  );
});

test("starts an assignment now by default and warns of a period that is over", async ({ page, api, hosts, signIn }) => {
  const [host] = hosts;
  await createUser(api, { username: "zhang_kehu", name: "张客户", role: "client" });
  await signIn(page, `/hosts?host=${host.id}`);
  await page.getByRole("button", { name: "分配用户" }).click();
  const form = page.getByRole("dialog", { name: "分配主机" });
  const start = form.getByLabel("开始时间");
  const inAYear = `将于 ${dateIn(365)}`;
  const overAlready = form.getByText("该有效期已经结束，用户会立即看到“已过期”");
  await expect(form).toContainText(inAYear);
  await form.getByRole("radio", { name: "自定义" }).click();
  await expect(form.getByText("填写有效期后显示到期时间")).toBeVisible();
  await form.getByRole("radio", { name: "365 天" }).click();
  await expect(overAlready).toBeHidden();
  await start.fill("2020-01-01T00:00");
  await expect(overAlready).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
    await expectContrast(page);
  }
  await pick(form.getByRole("combobox", { name: "用户", exact: true }), /张客户/);
  await form.getByRole("button", { name: "分配", exact: true }).click();
  await expect(toast(page, "分配成功", "有效期 365 天")).toBeVisible();

  await page.getByRole("button", { name: "分配用户" }).click();
  await pick(form.getByRole("combobox", { name: "用户", exact: true }), /张客户/);
  await start.fill("2020-01-01T00:00");
  await start.fill("");
  await expect(form).toContainText(inAYear);
  await form.getByRole("button", { name: "分配", exact: true }).click();
  await expect(form).toBeHidden();
  const [assigned] = (await getHost(api, host)).users;
  expect(dateText(assigned?.assignedExpireTime ?? 0)).toBe(inAYear.slice(-10));
});

test("keeps the end of an assignment renewed beyond 365 days", async ({ page, api, hosts, client, signIn }) => {
  const [host] = hosts;
  const now = Math.floor(Date.now() / 1000);
  const days = (count: number) => now + count * DAY_SECONDS;
  const period = { assignedAt: days(-150), assignedExpireTime: days(100) };
  await api("POST", "/api/hosts/assign", { hostId: host.id, userId: client.id, ...period });
  const storedEnd = async () => (await getHost(api, host)).users.find(({ id }) => id === client.id)?.assignedExpireTime;
  const request = await applyForRenewal(client.api, host, 150);
  await processRenewal(api, request, { status: "completed" });

  await signIn(page, `/hosts?host=${host.id}`);
  const openPeriod = async () => {
    await page.getByRole("button", { name: "对 张客户 的操作" }).click();
    await page.getByRole("menuitem", { name: "修改有效期" }).click();
  };
  await openPeriod();
  await expect(dialog(page).getByLabel("自定义天数")).toHaveValue("400");
  await expect(dialog(page)).toContainText(`将于 ${dateText(days(250))}`);
  await dialog(page).getByLabel("备注").fill("已与客户确认");
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "保存" }).click();
  await expect(toast(page, "有效期已更新", "有效期 400 天")).toBeVisible();
  expect(await storedEnd()).toBe(days(250));

  await openPeriod();
  await dialog(page).getByLabel("自定义天数").fill("401");
  await dialog(page).getByRole("button", { name: "保存" }).click();
  await expect(dialog(page).getByText("分配天数必须在1-365天之间")).toBeVisible();
  expect(await storedEnd()).toBe(days(250));
});

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
function twoHosts(hosts: readonly Host[]): { ending: Host; lasting: Host } {
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
  await expect(form.getByText(dateIn(20))).toBeVisible();
  await expect(form.getByText("云端到期时间是")).toBeHidden();
  await form.getByRole("button", { name: "分配", exact: true }).click();
  await expect(toast(page, "分配成功", "有效期 20 天")).toBeVisible();
}
