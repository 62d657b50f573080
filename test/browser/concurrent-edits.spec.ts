import { z } from "zod";
import { Config } from "../../src/shared/configs.ts";
import { Host } from "../../src/shared/hosts.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { User } from "../../src/shared/users.ts";
import { dateText, dialog, toast } from "./actions.ts";
import { applyForRenewal, assignHost, createAccount, importHost, importHosts, shareHost, signInToApi } from "./api.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

/** Two users edit the same row: neither overwrites the change of the other. */
test.describe("an open form", () => {
  test("keeps another operator's change of the same user", async ({ page, provider, server }) => {
    const api = await signInToApi(server.url);
    const host = await importHost(api, provider);
    const admin = await createAccount(api, { username: "li_guanli", name: "李管理", role: "admin" });
    const client = await createAccount(api, { username: "zhang_kehu", name: "张客户", role: "client" });
    await assignHost(api, host, client, 30);
    await signIn(page);
    await page.goto("/users");
    await page.getByRole("button", { name: "编辑 张客户" }).click();
    await dialog(page).getByLabel("姓名").fill("张先生");
    await api("PUT", `/api/users/${client.id}`, { adminId: admin.id, phone: "13800138000" });
    await expect(page.getByText("13800138000")).toBeAttached();
    await dialog(page).getByRole("button", { name: "保存" }).click();
    await expect(toast(page, "更新成功")).toBeVisible();
    const wanted = { name: "张先生", adminId: admin.id, phone: "13800138000" };
    expect(User.parse(await api("GET", `/api/users/${client.id}`))).toMatchObject(wanted);
  });

  test("keeps another operator's change of the same configuration", async ({ page, provider, server }) => {
    const api = await signInToApi(server.url);
    await importHost(api, provider);
    const stored = async () => z.array(Config).parse(await api("GET", "/api/hosts/configs/list"))[0];
    const id = (await stored())?.id;
    await signIn(page);
    await page.goto("/configs");
    await page.getByRole("button", { name: "编辑 生产账号" }).click();
    await dialog(page).getByLabel("备注").fill("密钥已轮换");
    await api("PUT", `/api/hosts/configs/${id}`, { isActive: false, projectIds: ["org-abc"] });
    await dialog(page).getByRole("button", { name: "保存" }).click();
    await expect(toast(page, "更新成功")).toBeVisible();
    expect(await stored()).toMatchObject({ remark: "密钥已轮换", isActive: false, projectIds: ["org-abc"] });
  });
});

test("keeps an open dialog when its host leaves the list", async ({ page, provider, server }) => {
  const api = await signInToApi(server.url);
  const host = await importHost(api, provider);
  const client = await createAccount(api, { username: "zhang_kehu", name: "张客户", role: "client" });
  await signIn(page);
  await page.goto(`/hosts?assigned=false&host=${host.id}`);
  await expect(page.getByText("60 台", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "分配用户" }).click();
  await dialog(page).getByLabel("备注").fill("合同 2026-17");
  await assignHost(api, host, client, 30);
  await expect(page.getByText("59 台", { exact: true })).toBeAttached();
  await expect(page.getByRole("article", { includeHidden: true })).toContainText("1 人");
  await expect(dialog(page).getByLabel("备注")).toHaveValue("合同 2026-17");
});

test("keeps an open dialog when its list becomes empty or shifts", async ({ page, provider, server }) => {
  const api = await signInToApi(server.url);
  const client = await createAccount(api, { username: "zhang_kehu", name: "张客户", role: "client" });
  const [first, alone, inTable] = await importHosts(api, provider);
  if (first === undefined || alone === undefined || inTable === undefined) throw new Error("three hosts are needed");
  const remark = dialog(page).getByLabel("备注");
  const write = async () => {
    await page.getByRole("button", { name: "分配用户" }).click();
    await remark.fill("合同 2026-17");
  };
  await signIn(page);
  await page.goto("/hosts?assigned=false");
  await expect(page.getByRole("article")).toContainText(first.ucloudId);
  await write();
  await assignHost(api, first, client, 30);
  await expect(page.getByText("59 台", { exact: true })).toBeAttached();
  await expect(page.getByRole("article", { includeHidden: true })).toContainText(first.ucloudId);
  await expect(remark).toHaveValue("合同 2026-17");

  for (const [view, host] of [
    ["tabs", alone],
    ["table", inTable],
  ] as const) {
    await page.goto(`/hosts?assigned=false&search=${host.ucloudId}&view=${view}`);
    await expect(page.getByText("1 台", { exact: true })).toBeVisible();
    if (view === "table") await page.getByRole("row", { name: new RegExp(host.ucloudId) }).click();
    await write();
    await assignHost(api, host, client, 30);
    await expect(page.getByText("没有符合条件的主机")).toBeAttached();
    await expect(page.getByRole("article", { includeHidden: true })).toContainText("1 人");
    await expect(remark).toHaveValue("合同 2026-17");
  }
  await page.reload();
  await expect(page.getByRole("article")).toContainText(inTable.ucloudId);
  await expectAccessible(page);
});

test("keeps a new request when the empty list fills", async ({ page, provider, server }) => {
  const { host, client } = await shareHost(server.url, provider);
  await signIn(page, client);
  await page.goto("/client/renewals");
  await expect(page.getByText("暂无续费申请")).toBeVisible();
  await page.getByRole("button", { name: "申请续费" }).last().click();
  await dialog(page).getByLabel("备注").fill("请续一个月");
  await applyForRenewal(await signInToApi(server.url, client), host, 30);
  await expect(page.getByText("暂无续费申请")).toHaveCount(0);
  await expect(dialog(page).getByLabel("备注")).toHaveValue("请续一个月");
});

test.describe("a request that its client cancels meanwhile", () => {
  test.use({ expectedComplaints: [/409/] });

  test("shows the decision that came first and closes the confirmation", async ({ page, provider, server }) => {
    const { api, host, client } = await shareHost(server.url, provider);
    const { id } = await applyForRenewal(await signInToApi(server.url, client), host, 30);
    await signIn(page, client);
    await page.goto("/client/renewals");
    await page.getByRole("button", { name: "取消申请" }).click();
    await api("PUT", `/api/renewals/${id}/process`, { status: "approved" });
    await page.getByRole("alertdialog").getByRole("button", { name: "取消申请" }).click();
    await expect(toast(page, "取消失败", "该申请已批准，本次操作未生效")).toBeVisible();
    await expect(dialog(page)).toBeHidden();
    await expect(page.getByRole("listitem").filter({ hasText: host.ucloudId })).toContainText("已批准（待付款）");
  });
});

test.describe("a request that changed meanwhile", () => {
  // The server refuses what has been decided, and a host that is not the client's any more.
  test.use({ expectedComplaints: [/404|409/] });

  test("shows what became of the request and keeps the remark", async ({ page, provider, server }) => {
    const { api, host, client } = await shareHost(server.url, provider);
    const asClient = await signInToApi(server.url, client);
    const { id: withdrawn } = await applyForRenewal(asClient, host, 30);
    const remark = dialog(page).getByRole("textbox", { name: "备注" });
    await signIn(page);
    await page.goto("/renewals?status=pending");
    await page.getByRole("row").getByRole("button", { name: "处理", exact: true }).click();
    await remark.fill("请转账");
    await asClient("DELETE", `/api/renewals/${withdrawn}`);
    await expect(page.getByText("没有待处理的申请")).toBeAttached();
    await dialog(page).getByRole("button", { name: "批准申请" }).click();
    await expect(toast(page, "处理失败", "该申请已取消，本次操作未生效")).toBeVisible();
    await expect(remark).toHaveValue("请转账");
    await expectAccessible(page);
    await dialog(page).getByRole("button", { name: "取消" }).click();

    const { id } = await applyForRenewal(asClient, host, 30);
    await api("PUT", `/api/renewals/${id}/process`, { status: "approved" });
    await page.getByRole("button", { name: /^已批准/ }).click();
    await page.getByRole("row").getByRole("button", { name: "标记完成" }).click();
    await expect(dialog(page)).toContainText("标记完成后到期");
    await api("PUT", `/api/renewals/${id}/process`, { status: "completed" });
    await dialog(page).getByRole("button", { name: "标记完成" }).click();
    await expect(toast(page, "处理失败", /该申请已由 .+ 完成，本次操作未生效/)).toBeVisible();
    await expect(dialog(page)).toBeHidden();
  });

  test("keeps the text of a refused request for an unassigned host", async ({ page, provider, server }) => {
    const { api, host, client } = await shareHost(server.url, provider);
    await signIn(page, client);
    await page.goto("/client/renewals");
    await page.getByRole("button", { name: "申请续费" }).first().click();
    await expect(page.getByText("续费后到期", { exact: true })).toBeVisible();
    await dialog(page).getByLabel("备注").fill("请续一个月");
    await api("POST", "/api/hosts/unassign", { hostId: host.id, userId: client.id });
    await dialog(page).getByRole("button", { name: "提交申请" }).click();
    await expect(toast(page, "申请失败", "主机不存在")).toBeVisible();
    await expect(dialog(page).getByLabel("备注")).toHaveValue("请续一个月");
  });
});

test.describe("an assignment that ended meanwhile", () => {
  test.use({ expectedComplaints: [/409/] });

  test("is not restored by a form that was open", async ({ page, provider, server }) => {
    const { api, host, client } = await shareHost(server.url, provider);
    await signIn(page);
    await page.goto(`/hosts?host=${host.id}`);
    await page.getByRole("button", { name: "对 张客户 的操作" }).click();
    await page.getByRole("menuitem", { name: "修改有效期" }).click();
    await dialog(page).getByLabel("备注").fill("合同 2026-17");
    await api("POST", "/api/hosts/unassign", { hostId: host.id, userId: client.id });
    await expect(page.getByRole("article", { includeHidden: true })).toContainText("还没有分配给任何用户");
    await dialog(page).getByRole("button", { name: "保存" }).click();
    await expect(toast(page, "分配失败", "有效期已被改动")).toBeVisible();
    await expect(dialog(page).getByLabel("备注")).toHaveValue("合同 2026-17");
    expect(Host.parse(await api("GET", `/api/hosts/${host.id}`)).users).toEqual([]);
  });
});

test.describe("an assignment that was renewed meanwhile", () => {
  test.use({ expectedComplaints: [/409/] });

  test("is not reverted by a form that was open", async ({ page, provider, server, openWindow }) => {
    const { api, host, client } = await shareHost(server.url, provider);
    await applyForRenewal(await signInToApi(server.url, client), host, 30);
    await signIn(page);
    await page.goto(`/hosts?host=${host.id}`);
    await page.getByRole("button", { name: "对 张客户 的操作" }).click();
    await page.getByRole("menuitem", { name: "修改有效期" }).click();
    await dialog(page).getByLabel("备注").fill("合同 2026-17");

    const other = await openWindow();
    await signIn(other);
    await other.goto("/renewals?status=all");
    await expect(other.getByRole("row", { name: /张客户/ })).toBeVisible();
    const renewed = await assignHost(api, host, client, 90);
    const end = renewed.users[0]?.assignedExpireTime ?? 0;
    expect(end).toBeGreaterThan(Date.now() / 1000 + 89 * DAY_SECONDS);
    await expect(other.getByRole("row", { name: /张客户/ })).toContainText(dateText(end));

    await dialog(page).getByRole("button", { name: "保存" }).click();
    await expect(toast(page, "分配失败", "有效期已被改动")).toBeVisible();
    await expect(dialog(page).getByLabel("备注")).toHaveValue("合同 2026-17");
    await dialog(page).getByRole("button", { name: "取消" }).click();
    await page.getByRole("button", { name: "对 张客户 的操作" }).click();
    await page.getByRole("menuitem", { name: "修改有效期" }).click();
    await expect(dialog(page).getByRole("radio", { name: "90 天" })).toBeChecked();
    await dialog(page).getByRole("button", { name: "保存" }).click();
    await expect(toast(page, "有效期已更新", "90 天")).toBeVisible();
  });
});
