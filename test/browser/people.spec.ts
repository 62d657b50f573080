import type { Page } from "@playwright/test";
import type { Host } from "../../src/shared/hosts.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import type { Simulator } from "../../src/simulator/server.ts";
import { assign } from "../harness/data.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";
import { syncAll } from "../harness/server-fixture.ts";
import {
  actOnUser,
  bodyRows,
  boxOf,
  dateIn,
  dialog,
  goTo,
  PHONE,
  row,
  SIZES,
  submit,
} from "./actions.ts";
import { addressOf, assignHost, createUser } from "./api.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";

const DESKTOP = { width: 1440, height: 900 };
const NUMBER = "13936935382";

test("sorts users by name, hosts and next end, and filters them in the address", async ({
  page,
  api,
  hosts,
  admin,
  client,
  otherClient,
  signIn,
}) => {
  const [first, second, third] = hosts;
  await assertOk(api.put(`/api/users/${client.id}`, { adminId: admin.id }));
  await assignHost(api, first, client, 40);
  await assignHost(api, second, otherClient, 20);
  await assignHost(api, third, otherClient, 60);
  await signIn(page, "/users?role=client");
  const names = page.getByRole("table", { name: "用户列表" }).getByRole("link", { name: /客户$/ });
  const sortBy = (column: string) => page.getByRole("button", { name: column, exact: true });
  await expect(names).toHaveText(["王客户", "张客户"]);
  await expect(bodyRows(page).first()).toContainText(`2 台${dateIn(20)}`);

  await sortBy("下次到期").click();
  await sortBy("下次到期").click();
  await expect(page).toHaveURL(/sort=nextEnd&order=desc$/);
  await expect(names).toHaveText(["张客户", "王客户"]);

  await sortBy("主机").click();
  await expect(page).toHaveURL(/sort=hostCount$/);
  await expect(names).toHaveText(["张客户", "王客户"]);
  await sortBy("主机").click();
  await expect(names).toHaveText(["王客户", "张客户"]);

  await page.goto(`/users?adminId=${admin.id}`);
  await expect(names).toHaveText(["张客户"]);
  await expect(page.getByRole("combobox", { name: "负责管理员" })).toContainText("李管理");
  await page.getByRole("combobox", { name: "状态" }).selectOption("停用");
  await expect(page.getByText("没有符合条件的用户")).toBeVisible();
  await expect(page).toHaveURL(/state=disabled/);
});

test("offers a client who has left to be enabled, and not to leave again", async ({
  page,
  client,
  signIn,
}) => {
  await signIn(page, "/users");
  await actOnUser(page, client.name, "离场");
  await expect(dialog(page).getByRole("listitem")).toHaveText(["停用账号，所有登录会话立即结束"]);
  await submit(page, "确认离场", "离场完成");
  await expect(dialog(page)).toBeHidden();

  await page.getByRole("button", { name: `对 ${client.name} 的操作` }).click();
  await expect(page.getByRole("menuitem")).toHaveText(["重置密码", "启用", "删除"]);
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: "启用" }).click();

  await expect(
    page.getByText(`用户 ${client.name} · @${client.username} 可以重新登录`),
  ).toBeVisible();
  await page.getByRole("button", { name: `对 ${client.name} 的操作` }).click();
  await expect(page.getByRole("menuitem")).toHaveText(["重置密码", "离场", "删除"]);
});

test("lists users in few lines with their acts in a menu below a desktop", async ({
  page,
  api,
  client,
  assignedHost: _,
  signIn,
}) => {
  await assertOk(api.put(`/api/users/${client.id}`, { phone: NUMBER }));
  await page.setViewportSize(PHONE.viewport);
  await signIn(page, "/users");
  const line = page.getByRole("listitem").filter({ hasText: client.name });

  for (const viewport of [PHONE.viewport, { width: 768, height: 1024 }]) {
    await page.setViewportSize(viewport);
    await expect(line).toContainText(`1 台${dateIn(30)}`);
    await expect(line.getByRole("link", { name: NUMBER })).toHaveAttribute("href", `tel:${NUMBER}`);
    await expect(line.getByRole("button", { name: "删除" })).toHaveCount(0);
    expect((await boxOf(line)).height).toBeLessThan(140);
  }

  await page.getByRole("button", { name: `对 ${client.name} 的操作` }).click();
  await expect(page.getByRole("menuitem")).toHaveText(["编辑", "重置密码", "离场", "删除"]);
  await page.getByRole("menuitem", { name: "编辑" }).click();
  await expect(dialog(page).getByLabel("手机号")).toHaveValue(NUMBER);
});

/** The parts of the e-mail address that are drawn on more than one line. */
const BROKEN_PARTS = `
  [...document.querySelector('a[href^="mailto:"]').childNodes]
    .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
    .filter((part) => {
      const range = document.createRange();
      range.selectNodeContents(part);
      return range.getClientRects().length > 1;
    })
    .map(({ textContent }) => textContent)
`;

test("breaks an e-mail address only before its marks", async ({ page, api, client, signIn }) => {
  const email = "zhang.xiaoming@customerofthenorth.example.com";
  await assertOk(api.put(`/api/users/${client.id}`, { email }));
  await page.setViewportSize({ width: 320, height: 700 });

  await signIn(page, `/users/${client.id}`);

  const link = page.getByRole("link", { name: email });
  expect((await boxOf(link)).height).toBeGreaterThan(30);
  expect(await page.evaluate(BROKEN_PARTS)).toEqual([]);
});

test("shows an admin the own clients, whose host ends next first, found by phone", async ({
  page,
  api,
  hosts,
  admin,
  client,
  otherClient,
  signIn,
}) => {
  const [first, second] = hosts;
  const idle = await createUser(api, { username: "idle", name: "无主机", role: "client" });
  for (const { id } of [client, idle]) {
    await assertOk(api.put(`/api/users/${id}`, { adminId: admin.id }));
  }
  await assertOk(api.put(`/api/users/${client.id}`, { phone: NUMBER }));
  await assignHost(api, first, client, 40);
  await assignHost(api, second, otherClient, 20);
  await signIn(page, "/dashboard", admin);

  await page.getByRole("link", { name: "我的用户" }).click();
  const rows = bodyRows(page);
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(`张客户@${client.username}`);
  await expect(rows.first()).toContainText(`1 台${dateIn(40)}`);
  await expect(rows.first().getByRole("rowheader")).toContainText("张客户");
  await expect(rows.first().getByRole("link", { name: NUMBER })).toHaveAttribute(
    "href",
    `tel:${NUMBER}`,
  );
  await expectAccessible(page);

  await page.setViewportSize(PHONE.viewport);
  const lines = page.getByRole("list", { name: "我的用户" }).getByRole("listitem");
  await expect(lines.first().getByRole("link", { name: NUMBER })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(DESKTOP);

  await page.getByLabel("搜索用户").fill("139 3693 5382");
  await expect(rows).toHaveCount(1);
  await page.getByRole("link", { name: "张客户", exact: true }).click();
  await expect(page.getByRole("heading", { name: "联系人" })).toBeVisible();
  await expect(page.getByRole("button", { name: "复制手机号" })).toBeVisible();
});

test("leads an admin from the own clients to the hosts that have ended for them", async ({
  page,
  api,
  hosts: [ended, running],
  admin,
  client,
  signIn,
}) => {
  await assertOk(api.put(`/api/users/${client.id}`, { adminId: admin.id }));
  const past = { from: -9 * DAY_SECONDS, to: -DAY_SECONDS };
  await assign({ root: api }, ended.id, client.id, past);
  await assignHost(api, running, client, 40);
  await signIn(page, "/my-clients", admin);

  await page.getByRole("link", { name: "1 台主机用户已到期" }).click();

  await expect(page).toHaveURL(/assignedExpired=true/);
  await expect(bodyRows(page)).toHaveCount(1);
  await expect(row(page, ended.ucloudId)).toBeVisible();
});

test("tells a client whom to call, and what for", async ({
  page,
  api,
  admin,
  client,
  assignedHost,
  approvedRequest,
  signIn,
}) => {
  await assertOk(api.put(`/api/users/${client.id}`, { adminId: admin.id }));
  await assertOk(api.put(`/api/users/${admin.id}`, { phone: NUMBER, email: "li@example.com" }));
  const payment = `“${assignedHost.name}”续费 30 天：请联系管理员“李管理”付款，确认后到期时间自动延长。`;

  await signIn(page, "/dashboard", client);
  await expectAtAllSizes(page, async () => {
    await expect(page.getByText(payment)).toBeVisible();
    await expectCall(page);
    await expectAccessible(page);
  });

  await goTo(page, "/account");
  await expectAtAllSizes(page, () => expectCall(page));

  await goTo(page, "/client/renewals");
  await expectAtAllSizes(page, async () => {
    await expect(page.getByText(payment)).toBeVisible();
    await expectCall(page);
  });

  await page.goto(`/client/renewals?renewal=${approvedRequest}`);
  await expectAtAllSizes(page, () =>
    expect(dialog(page).getByRole("link", { name: NUMBER })).toBeVisible(),
  );
});

async function expectAtAllSizes(page: Page, check: () => Promise<void>): Promise<void> {
  for (const viewport of SIZES) {
    await page.setViewportSize(viewport);
    await check();
  }
}

test("shows where e-mail goes, and switches it off", async ({ page, api, client, signIn }) => {
  await assertOk(api.put(`/api/users/${client.id}`, { email: "kehu@example.com" }));
  await signIn(page, "/account", client);
  const isOn = page.getByRole("switch", { name: "把通知也发到我的邮箱" });
  await expect(isOn).toBeChecked();
  await expect(page.getByRole("main")).toContainText("发送到 kehu@example.com");

  await isOn.click();

  await expect(page.getByText("已关闭邮件通知")).toBeVisible();
  await expect(page.getByRole("main")).not.toContainText("发送到 kehu@example.com");
  await assertOk(api.put(`/api/users/${client.id}`, { email: null }));
  await page.reload();
  await expect(isOn).not.toBeChecked();
  await expect(page.getByText("尚未设置邮箱")).toBeVisible();
  await expectAccessible(page);
});

async function expectCall(page: Page): Promise<void> {
  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: NUMBER }).first()).toHaveAttribute(
    "href",
    `tel:${NUMBER}`,
  );
  await expect(main.getByRole("link", { name: "li@example.com" }).first()).toBeVisible();
  await expect(main.getByRole("button", { name: "复制手机号" }).first()).toBeVisible();
}

test("tells a client of a new number of the admin, right after the sign-in too", async ({
  page,
  api,
  admin,
  client,
}) => {
  await assertOk(api.put(`/api/users/${client.id}`, { adminId: admin.id }));
  await assertOk(api.put(`/api/users/${admin.id}`, { phone: NUMBER }));
  await page.clock.install();

  await page.goto("/login");
  await page.getByLabel("用户名").fill(client.username);
  await page.getByLabel("密码", { exact: true }).fill(client.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main").getByText(NUMBER)).toBeVisible();

  await assertOk(api.put(`/api/users/${admin.id}`, { phone: "13800000000" }));
  // The answer is no longer fresh.
  await page.clock.fastForward(60_000);
  await page.getByRole("link", { name: "我的续费" }).click();
  await page.getByRole("link", { name: "仪表盘" }).click();
  await expect(page.getByRole("main").getByText("13800000000")).toBeVisible();
});

test("says what a client does whose admin, or the number, is not known", async ({
  page,
  api,
  admin,
  client,
  approvedRequest: _,
  signIn,
}) => {
  const list = page.getByRole("list", { name: "续费申请列表" });
  await signIn(page, "/client/renewals", client);
  await expect(list).toContainText("请联系为您开通账号的人员付款");

  await assertOk(api.put(`/api/users/${client.id}`, { adminId: admin.id }));
  await page.reload();

  await expect(list).toContainText("请联系管理员“李管理”付款");
  await expect(list).toContainText("系统中没有其手机号和邮箱");
});

test("finds a person by phone number in the palette", async ({
  page,
  api,
  admin,
  client,
  signIn,
}) => {
  await assertOk(api.put(`/api/users/${client.id}`, { adminId: admin.id, phone: NUMBER }));

  await signIn(page, "/dashboard", admin);
  await openPalette(page, "139-3693-5382");

  await expect(
    page.getByRole("option", { name: `张客户 ${client.username} · ${NUMBER}` }),
  ).toBeVisible();
});

test("shows the host with a typed address alone, with its user's number", async ({
  page,
  api,
  hosts,
  client,
  provider,
  signIn,
}) => {
  const [meant, ...others] = hosts;
  await giveAddresses(api, provider, [meant, ...others.slice(0, 11)]);
  await assertOk(api.put(`/api/users/${client.id}`, { phone: NUMBER }));
  await assignHost(api, meant, client, 20);
  await signIn(page);

  await openPalette(page, "10.1.1.1");

  const found = page.getByRole("group", { name: "主机" }).getByRole("option");
  await expect(found).toHaveText([
    new RegExp(`${meant.ucloudId}.*10\\.1\\.1\\.1 .*张客户.*用户到期`),
    "查看全部 12 个匹配的主机",
  ]);
  await expect(page.getByRole("option", { name: /拨打 张客户/ })).toBeVisible();

  // Each fact keeps its words together.
  const facts = found.first().locator("span span span");
  for (const fact of await facts.all()) {
    expect((await boxOf(fact)).height).toBeLessThan(24);
  }
});

/** The first gets 10.1.1.1, the others addresses that begin with it. */
async function giveAddresses(
  api: RestClient,
  provider: Simulator,
  hosts: readonly Host[],
): Promise<void> {
  for (const [index, { ucloudId }] of hosts.entries()) {
    const IP = index === 0 ? "10.1.1.1" : `10.1.1.1${index - 1}`;
    provider.control.updateHosts(
      { ids: [ucloudId] },
      { IPSet: [{ IPMode: "IPv4", Type: "Private", IP }] },
    );
  }
  await syncAll(api);
}

test("leads from the palette to the hosts that nobody has", async ({ page, hosts, signIn }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await signIn(page);

  await openPalette(page, "未分配");
  await page.getByRole("option", { name: "未分配的主机" }).click();
  await expect(page).toHaveURL(/\/hosts\?assigned=false$/);

  await openPalette(page, addressOf(hosts[0]).slice(0, 3));
  const results = page.getByRole("group", { name: "主机" }).getByRole("option");
  await expect(results).toHaveCount(9);
  await expect(results.nth(7)).toBeInViewport({ ratio: 1 });
});

async function openPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("查找页面").fill(text);
}
