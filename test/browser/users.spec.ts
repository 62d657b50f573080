import type { Locator, Page } from "@playwright/test";
import type { Host } from "../../src/shared/hosts.ts";
import { decide, requestRenewal, unassign } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { syncAll } from "../harness/server-fixture.ts";
import {
  actOnUser,
  batchBar,
  dateIn,
  dialog,
  fillUser,
  goTo,
  holdAnswers,
  PHONE,
  pick,
  pickUser,
  submit,
  submitSignIn,
  toast,
} from "./actions.ts";
import { assignHost, createUser, getHost } from "./api.ts";
import { allowErrors, expect, expectAccessible, pressEscape, test } from "./fixtures.ts";

const NEW_PASSWORD = "Fresh2Horse";

test("creates, edits, resets, disables and deletes an account", async ({
  page,
  signIn,
  openWindow,
}) => {
  // The window of the disabled user asks on with a session that has ended.
  allowErrors(/401/);
  await signIn(page, "/users");

  await createUsers(page);

  await rowOf(page, "li_guanli").getByRole("button", { name: "编辑 李管理" }).click();
  await expect(dialog(page).getByLabel("用户名")).toBeDisabled();
  await dialog(page).getByLabel("姓名").fill("李主管");
  await dialog(page).getByLabel("手机号").fill("13800000001");
  await submit(page, "保存", "更新成功", "李主管 · @li_guanli 已更新");
  await expect(rowOf(page, "li_guanli")).toContainText("13800000001");
  await expect(rowOf(page, "zhang_kehu")).toContainText("负责人：李主管");

  const password = await resetPassword(page);

  const window = await openWindow();
  await window.goto("/login");
  await submitSignIn(window, { username: "li_guanli", password });
  await window.getByRole("button", { name: "退出登录" }).click();
  await submitSignIn(window, { username: "li_guanli", password });
  await expect(window.getByLabel("当前密码")).toBeVisible();
  await window.goto("/hosts");
  await expect(window.getByLabel("当前密码")).toBeVisible();
  await expectAccessible(window);

  await window.getByLabel("当前密码").fill(password);
  await window.getByLabel("新密码", { exact: true }).fill(NEW_PASSWORD);
  await window.getByLabel("确认新密码").fill("Other2Horse");
  await window.getByRole("button", { name: "修改密码并继续" }).click();
  await expect(window.getByText("两次输入的密码不一致")).toBeVisible();

  await window.getByLabel("确认新密码").fill(NEW_PASSWORD);
  await window.getByRole("button", { name: "修改密码并继续" }).click();
  await expect(window).toHaveURL(/\/hosts$/);
  await expect(window.getByText("暂无主机")).toBeVisible();

  await rowOf(page, "li_guanli").getByRole("button", { name: "编辑 李主管" }).click();
  await dialog(page).getByRole("switch", { name: "启用账号" }).click();
  await expect(dialog(page).getByText("其负责的C端用户将变为“未分配管理员”")).toBeVisible();
  await submit(page, "保存", "已停用", "李主管 · @li_guanli");
  await expect(rowOf(page, "li_guanli")).toContainText("停用");
  await expect(rowOf(page, "zhang_kehu")).toContainText("未分配管理员");
  await expect(window.getByText("认证失败，请重新登录")).toBeVisible();
  await expect(window.getByText("已在其他设备上被退出")).toBeVisible();
  await expect(window).toHaveURL(/\/login\?from=%2Fhosts/);

  await actOnUser(page, "张客户", "删除");
  for (const end of ["所有登录会话立即结束", "没有主机和未完成的续费申请"]) {
    await expect(dialog(page)).toContainText(end);
  }
  await submit(page, "删除用户", "删除成功", "张客户 · @zhang_kehu");
  await expect(rowOf(page, "zhang_kehu")).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
});

test("searches, filters and pages users through the address, undone by back", async ({
  page,
  api,
  signIn,
}) => {
  for (const role of ["admin", "client"] as const) {
    for (let number = 1; number <= 12; number++) {
      await createUser(api, { username: `${role}_${number}`, name: `${role}${number}`, role });
    }
  }
  await signIn(page, "/users");
  const rows = page.getByRole("table", { name: "用户列表" }).locator("tbody tr");
  await expect(page.getByText("25 人", { exact: true })).toBeVisible();
  await expect(rows).toHaveCount(20);
  await expect(page.getByText("共 25 人 · 第 1 / 2 页")).toBeVisible();

  await page.getByRole("button", { name: "下一页" }).click();
  await expect(page).toHaveURL(/\/users\?page=2$/);
  await expect(rows).toHaveCount(5);
  await expect(page.getByRole("button", { name: "下一页" })).toBeDisabled();

  await page.getByRole("combobox", { name: "角色" }).selectOption("client");
  await expect(page).toHaveURL(/\/users\?role=client$/);
  await expect(rows).toHaveCount(12);
  await expect(page.getByRole("navigation", { name: "用户分页" })).toHaveCount(0);

  await page.getByLabel("搜索用户").fill("client1");
  await expect(page).toHaveURL(/\/users\?role=client&search=client1$/);
  await expect(rows).toHaveCount(4);
  await page.getByLabel("搜索用户").fill("nobody");
  await expect(page.getByText("没有符合条件的用户")).toBeVisible();

  await page.reload();
  await expect(page.getByLabel("搜索用户")).toHaveValue("nobody");
  await page.goBack();
  await expect(page).toHaveURL(/\/users\?role=client$/);
  await expect(rows).toHaveCount(12);

  await page.getByRole("button", { name: "清除筛选" }).click();
  await expect(page).toHaveURL(/\/users$/);
  await expect(rows).toHaveCount(20);

  await page.goto("/users?page=9");
  await expect(page.getByText("这一页没有用户")).toBeVisible();
  await page.getByRole("button", { name: "回到第 2 页" }).click();
  await expect(page).toHaveURL(/\/users\?page=2$/);
  await expect(rows).toHaveCount(5);
});

test("keeps showing a new password when its user leaves the list", async ({
  page,
  api,
  client,
  signIn,
}) => {
  await signIn(page, "/users?search=张");
  await actOnUser(page, "张客户", "重置密码");

  await assertOk(api.put(`/api/users/${client.id}`, { name: "李客户" }));
  await dialog(page).getByRole("button", { name: "重置密码" }).click();

  await expect(page.getByText("没有符合条件的用户")).toBeAttached();
  await expect(page.getByRole("dialog", { name: "新密码" })).toContainText("新密码只显示这一次");

  await page.getByRole("checkbox", { name: "我已保存" }).click();
  await page.getByRole("button", { name: "完成" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("main")).toBeFocused();
});

test("sends no search that was typed just before it was reset", async ({ page, signIn }) => {
  await page.clock.install();
  await signIn(page, "/users?search=ro");

  await page.getByLabel("搜索用户").fill("nobody");
  await page.getByRole("button", { name: "清除筛选" }).click();
  await expect(page).toHaveURL(/\/users$/);
  // Far longer than the pause after which a typed search is sent.
  await page.clock.fastForward(1_000);

  await expect(page.getByLabel("搜索用户")).toHaveValue("");
  await expect(page).toHaveURL(/\/users$/);
});

test("leads from a user to all their hosts, and from them to those of everybody", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const [first, second] = hosts;
  for (const host of [first, second]) await assignHost(api, host, client, 20);
  await signIn(page, "/users");

  await page.getByRole("link", { name: "张客户 的 2 台主机" }).click();
  await expect(page.getByText("用户：张客户")).toBeVisible();
  await expect(page.getByText("2 台", { exact: true })).toBeVisible();

  // The filter by user stays when a search among the hosts is cleared.
  await page.getByRole("searchbox", { name: "搜索主机" }).fill(second.ucloudId);
  await expect(page.getByText("1 台", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "清除搜索" }).click();
  await expect(page.getByText("2 台", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "移除筛选：用户：张客户" }).click();
  await expect(page.getByText("60 台", { exact: true })).toBeVisible();
});

test("shows every list of a user as cards on a phone, and acts on a ticked host", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  await requestRenewal(client.api, assignedHost.id, 30);
  await page.setViewportSize(PHONE.viewport);
  await signIn(page, `/users/${client.id}`);
  const card = (list: string) => page.getByRole("list", { name: `该用户的${list}` });

  await expect(page.getByRole("list", { name: "主机列表" })).toContainText(assignedHost.zoneName);
  await expect(card("续费申请")).toContainText("天数30 天");
  await expect(card("分配记录")).toContainText("分配人");
  await expect(page.getByRole("table")).toHaveCount(0);
  await expectAccessible(page);

  await page.getByRole("checkbox", { name: `选择 ${assignedHost.name}` }).click();
  await batchBar(page).getByRole("button", { name: "修改到期日" }).click();
  await expect(dialog(page)).toContainText(assignedHost.name);
});

test("leads from an unknown user back to the list, and from there to a user", async ({
  page,
  client,
  signIn,
}) => {
  allowErrors(/400/);
  await signIn(page, "/users/unknown");

  await page.getByRole("link", { name: "返回用户列表" }).click();
  await page.getByRole("link", { name: client.name, exact: true }).click();

  await expect(page.getByRole("heading", { name: client.name })).toBeVisible();
});

test("shows the contacts, hosts, requests and past assignments of a user", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const [first, second, taken] = hosts;
  const contact = { phone: "13800000001", email: "zhang@example.com" };
  await assertOk(api.put(`/api/users/${client.id}`, contact));
  for (const host of [first, second, taken]) await assignHost(api, host, client, 20);
  await assertOk(unassign({ root: api }, taken.id, client.id));
  await requestRenewal(client.api, first.id, 30);

  await signIn(page, `/users/${client.id}`);

  const link = (name: string) => page.getByRole("link", { name, exact: true });
  await expect(link(contact.phone)).toHaveAttribute("href", "tel:13800000001");
  await expect(link(contact.email)).toHaveAttribute("href", "mailto:zhang@example.com");
  await expect(page.getByRole("button", { name: "复制手机号" })).toBeVisible();
  await expect(link("在主机管理中查看全部 2 台")).toHaveAttribute(
    "href",
    `/hosts?view=table&userId=${client.id}`,
  );

  const rows = (section: string) => page.getByRole("region", { name: section }).getByRole("row");
  await expect(rows("主机")).toHaveCount(3);
  await expect(rows("续费申请")).toHaveCount(2);
  await expect(rows("分配记录")).toHaveCount(4);
  const table = page.getByRole("table", { name: "该用户的主机" });
  await expect(table.getByRole("columnheader")).toHaveText([
    "",
    "主机",
    "用户到期",
    "云端到期",
    "状态",
    "可用区",
    "规格",
    "IP",
  ]);
  const line = table.getByRole("row").filter({ hasText: first.ucloudId });
  await expect(line).toContainText(/(\d+\.){3}\d+/);
  await expect(line.getByTitle(first.zoneName)).toBeVisible();
  await expectAccessible(page);
});

test("says what ends with the deletion of a client, and deletes it", async ({
  page,
  api,
  hosts,
  client,
  requestFor,
  signIn,
}) => {
  const [paying, waiting] = hosts;
  await assertOk(decide({ root: api }, await requestFor(paying), "approved"));
  await requestFor(waiting);
  await signIn(page, `/users/${client.id}`);

  await actOnUser(page, "张客户", "删除");
  await expect(dialog(page)).toContainText("一并结束：2 台主机、1 个待处理、1 个待付款的续费申请");
  await dialog(page).getByRole("button", { name: "删除用户" }).click();

  await expect(page).toHaveURL(/\/users$/);
});

test("transfers, extends and takes back a user's selected hosts on the user's page", async ({
  page,
  api,
  hosts,
  client,
  otherClient,
  signIn,
}) => {
  const [moved, longer, taken] = hosts;
  for (const host of [moved, longer, taken]) await assignHost(api, host, client, 20);
  await assignHost(api, taken, otherClient, 40);
  await signIn(page, `/users/${client.id}`);
  const open = async (host: Host, action: string) => {
    await page.getByRole("checkbox", { name: `选择 ${host.name}` }).click();
    await batchBar(page).getByRole("button", { name: action }).click();
  };
  const runButton = (action: string) =>
    dialog(page).getByRole("button", { name: `${action} 1 台` });
  const run = async (action: string, button = `${action} 1 台`) => {
    await submit(page, button, `${action}完成`, "1 台主机");
    await expect(dialog(page)).toBeHidden();
  };

  await open(moved, "转移");
  await pick(dialog(page).getByRole("combobox", { name: "接收用户" }), /王客户/);
  await expectAccessible(page);
  await run("转移");

  await open(longer, "修改到期日");
  await dialog(page).getByLabel("到期日", { exact: true }).fill(dateIn(60));
  await run("修改到期日", "修改 1 台的到期日");

  // The other client has it, too, but the page is about this one: nothing is to be chosen.
  await open(taken, "取消分配");
  await expect(runButton("取消分配")).toBeVisible();
  await expect(dialog(page).getByRole("radio")).toHaveCount(0);
  await run("取消分配");

  const rows = page.getByRole("region", { name: "主机" }).getByRole("row");
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText(dateIn(60));
  expect((await getHost(api, moved)).users.map(({ id }) => id)).toEqual([otherClient.id]);
  expect((await getHost(api, taken)).users.map(({ id }) => id)).toEqual([otherClient.id]);
});

test("transfers all hosts of a user, also those of other pages, and keeps their ends", async ({
  page,
  api,
  hosts,
  client,
  otherClient,
  provider,
  signIn,
}) => {
  const [gone, ...present] = hosts.slice(0, 13);
  if (gone === undefined) throw new Error("there are no hosts");
  const ends = new Map<string, number>();
  for (const host of [gone, ...present]) {
    ends.set(host.id, await assignHost(api, host, client, 20));
  }
  provider.control.removeHosts({ ids: [gone.ucloudId] });
  await syncAll(api);
  await signIn(page, `/users/${client.id}`);

  await page.getByRole("button", { name: "转移全部主机" }).click();
  await dialog(page).getByRole("combobox", { name: "接收用户" }).click();
  await expect(page.getByRole("option", { name: /张客户/ })).toBeDisabled();
  await page.keyboard.press("Escape");
  await pick(dialog(page).getByRole("combobox", { name: "接收用户" }), /王客户/);
  await submit(page, "转移 12 台", "转移完成", "12 台主机");

  for (const host of present) {
    const [user, ...others] = (await getHost(api, host)).users;
    expect(others).toEqual([]);
    expect(user?.id).toBe(otherClient.id);
    expect(user?.assignedExpireTime).toBe(ends.get(host.id));
  }
});

test("names the requests that a transfer or a return of hosts cancels", async ({
  page,
  api,
  hosts,
  requestFor,
  client,
  otherClient: _,
  signIn,
}) => {
  const [paying, waiting, untouched] = hosts;
  await assertOk(decide({ root: api }, await requestFor(paying), "approved"));
  for (const host of [waiting, untouched]) await requestFor(host);
  await signIn(page, `/users/${client.id}`);

  await page.getByRole("button", { name: "转移全部主机" }).click();
  await expect(dialog(page)).toContainText("将取消 3 个申请");
  await pressEscape(page);
  await expect(dialog(page)).toBeHidden();

  for (const { name } of [paying, waiting]) {
    await page.getByRole("checkbox", { name: `选择 ${name}` }).click();
  }
  const cancelled = `将取消 2 个申请：${paying.name}（待付款）、${waiting.name}（待处理）。`;
  for (const act of ["转移", "取消分配"]) {
    await batchBar(page).getByRole("button", { name: act }).click();
    await expect(dialog(page)).toContainText(cancelled);
    await pressEscape(page);
    await expect(dialog(page)).toBeHidden();
  }

  await goTo(page, `/hosts?host=${paying.id}`);
  await page.getByRole("button", { name: "对 张客户 的操作" }).click();
  await page.getByRole("menuitem", { name: "取消分配" }).click();
  await expect(dialog(page)).toContainText(`将取消 1 个申请：${paying.name}（待付款）。`);
  await pressEscape(page);

  await page.getByRole("button", { name: "分配用户" }).click();
  await pickUser(page, "王客户");
  await expect(dialog(page)).toContainText(`将取消 1 个申请：${paying.name}（待付款）`);
});

test("lets a client leave in two actions", async ({
  page,
  api,
  hosts,
  client,
  requestFor,
  signIn,
}) => {
  const [paying, waiting, idle] = hosts;
  const approved = await requestFor(paying);
  await assertOk(decide({ root: api }, approved, "approved"));
  const pending = await requestFor(waiting);
  await assignHost(api, idle, client, 20);
  await signIn(page, "/users");

  await actOnUser(page, "张客户", "离场");
  await expect(dialog(page).getByRole("listitem")).toHaveText([
    "停用账号，所有登录会话立即结束",
    "收回全部 3 台主机",
    "取消 1 个待处理、1 个待付款的续费申请",
  ]);
  await expectAccessible(page);
  await submit(page, "确认离场", "离场完成", "收回 3 台主机");

  const user = (await api.get(`/api/users/${client.id}`)).data;
  expect(user.isActive).toBe(false);
  for (const id of [approved, pending]) {
    expect((await api.get(`/api/renewals/${id}`)).data.status).toBe("cancelled");
  }
});

test("shows the progress of a client's leave, and stays open until its end", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  await assignHost(api, hosts[0], client, 30);
  await signIn(page, `/users/${client.id}`);
  const held = await holdAnswers(page, /hosts\.batch/);
  await page.getByRole("button", { name: "离场" }).click();
  await expect(dialog(page).getByRole("listitem").nth(1)).toHaveText("收回全部 1 台主机");

  await dialog(page).getByRole("button", { name: "确认离场" }).click();
  await expect(dialog(page)).toContainText("正在取消分配 0 / 1 台");
  await expect(dialog(page).getByRole("button", { name: "停止后续主机" })).toBeVisible();

  await page.keyboard.press("Escape");
  await expect(dialog(page)).toContainText("正在取消分配 0 / 1 台");

  held.release();
  await expect(toast(page, "离场完成", "收回 1 台主机")).toBeVisible();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByText("没有主机")).toBeVisible();
  await expect(page.getByRole("button", { name: "编辑 张客户" })).toBeVisible();
  await expect(page.getByRole("button", { name: "离场", exact: true })).toHaveCount(0);
});

/**
 * Creates the admin 李管理, after the form has named wrong values, and the client 张客户 of this
 * admin.
 */
async function createUsers(page: Page): Promise<void> {
  const form = page.getByRole("dialog", { name: "创建用户" });
  const create = form.getByRole("button", { name: "创建" });
  await page.getByRole("button", { name: "创建用户" }).click();

  await create.click();
  for (const message of ["用户名不能为空", "密码不能为空", "姓名不能为空"]) {
    await expect(form.getByText(message)).toBeVisible();
  }
  await form.getByLabel("邮箱").fill("li@nowhere");
  await expect(form.getByText("邮箱格式不正确")).toBeVisible();
  await expectAccessible(page);

  await form.getByLabel("用户名").fill("li_guanli");
  await form.getByLabel("密码", { exact: true }).fill(PASSWORD);
  await form.getByRole("radio", { name: /^管理员/ }).click();
  await form.getByLabel("姓名").fill("李管理");
  await form.getByLabel("邮箱").fill("li@example.com");
  await create.click();
  await expect(toast(page, "创建成功", "用户 李管理 · @li_guanli 已创建")).toBeVisible();
  await expect(form).toBeHidden();

  await fillUser(page);
  await pick(form.getByRole("combobox", { name: "负责管理员" }), /李管理/);
  await create.click();
  await expect(form).toBeHidden();
  await expect(rowOf(page, "zhang_kehu")).toContainText("负责人：李管理");
}

/** Resets the password of 李主管 and returns the new one, which the dialog shows once. */
async function resetPassword(page: Page): Promise<string> {
  await actOnUser(page, "李主管", "重置密码");
  await expect(dialog(page)).toContainText(
    "原密码立即失效，所有登录会话将结束，下次登录时必须修改密码",
  );
  await dialog(page).getByRole("button", { name: "重置密码" }).click();

  const shown = page.getByRole("dialog", { name: "新密码" });
  await expect(shown).toContainText("新密码只显示这一次");
  await expectAccessible(page);
  // Neither Esc nor a click outside closes what is shown only once.
  await pressEscape(page);
  await page.mouse.click(8, 8);
  await shown.getByRole("button", { name: "复制新密码" }).click();
  await expect(shown.getByRole("status")).toHaveText("已复制");
  await page.context().grantPermissions(["clipboard-read"]);
  const password = String(await page.evaluate("navigator.clipboard.readText()"));
  await expect(shown.getByText(password, { exact: true })).toBeVisible();

  await expect(shown.getByRole("button", { name: "完成" })).toBeDisabled();
  await shown.getByRole("checkbox", { name: "我已保存" }).click();
  await shown.getByRole("button", { name: "完成" }).click();
  await expect(shown).toBeHidden();
  await expect(page.getByRole("button", { name: "对 李主管 的操作" })).toBeFocused();
  await expect(page.getByText(password)).toHaveCount(0);

  return password;
}

function rowOf(page: Page, username: string): Locator {
  return page.getByRole("row").filter({ hasText: `@${username}` });
}
