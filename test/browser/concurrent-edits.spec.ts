import { z } from "zod";
import { Config } from "../../src/shared/configs.ts";
import { User } from "../../src/shared/users.ts";
import { decide, requestRenewal, unassign } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { configure } from "../harness/server-fixture.ts";
import { dateIn, dialog, editAssignment, expectLive, goTo, row, submit, toast } from "./actions.ts";
import { assignHost, getHost } from "./api.ts";
import { allowErrors, expect, expectAccessible, test } from "./fixtures.ts";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

test("keeps what another person changed of a user meanwhile", async ({
  page,
  api,
  client,
  admin,
  signIn,
}) => {
  await signIn(page, "/users");
  await page.getByRole("button", { name: "编辑 张客户" }).click();
  await dialog(page).getByLabel("姓名").fill("张先生");

  await assertOk(api.put(`/api/users/${client.id}`, { adminId: admin.id, phone: "13800138000" }));
  await expect(page.getByText("13800138000")).toBeAttached();
  await submit(page, "保存", "更新成功");

  expect(User.parse((await api.get(`/api/users/${client.id}`)).data)).toMatchObject({
    name: "张先生",
    adminId: admin.id,
    phone: "13800138000",
  });
});

test("shows what another person wrote into a note meanwhile", async ({
  page,
  api,
  hosts: [host],
  client,
  signIn,
}) => {
  const note = dialog(page).getByLabel("内部备注", { exact: true });
  const expectShown = async (text: string) => {
    await expect(dialog(page).getByRole("status")).toContainText("刚刚被他人修改");
    await expect(dialog(page).getByRole("status")).toContainText(text);
    await expect(note).toHaveValue("发票寄北京");
    await expectAccessible(page);
  };
  await signIn(page, `/hosts?host=${host.id}`);
  await expectLive(page);
  await page.getByRole("button", { name: "添加内部备注" }).click();
  await note.fill("发票寄北京");

  await assertOk(api.put(`/api/hosts/${host.id}/annotations`, { note: "合同已续" }));
  await expectShown("合同已续");
  await dialog(page).getByRole("button", { name: "保存" }).click();
  await expect(page.getByRole("region", { name: "内部备注" })).toContainText("发票寄北京");

  await goTo(page, `/users/${client.id}`);
  await page.getByRole("button", { name: "编辑" }).click();
  await note.fill("发票寄北京");
  await assertOk(api.put(`/api/users/${client.id}`, { note: "季结客户" }));
  await expectShown("季结客户");
});

test("replaces no note that another person wrote by one that was not edited", async ({
  page,
  api,
  hosts: [host],
  signIn,
}) => {
  await assertOk(api.put(`/api/hosts/${host.id}/annotations`, { note: "旧合同" }));
  await signIn(page, `/hosts?host=${host.id}`);
  await expectLive(page);
  await page.getByRole("button", { name: "编辑内部备注" }).click();
  await expect(dialog(page).getByRole("textbox")).toHaveValue("旧合同");

  await assertOk(api.put(`/api/hosts/${host.id}/annotations`, { note: "新合同" }));
  await expect(page.getByRole("article", { includeHidden: true })).toContainText("新合同");
  await dialog(page).getByRole("button", { name: "保存" }).click();

  await expect(dialog(page)).toBeHidden();
  expect((await getHost(api, host)).note).toBe("新合同");
});

test("keeps what another person changed of a configuration meanwhile", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  const id = await configure(api, provider);
  await signIn(page, "/configs");
  await page.getByRole("button", { name: "编辑 生产账号" }).click();
  await dialog(page).getByLabel("备注").fill("密钥已轮换");

  await assertOk(api.put(`/api/hosts/configs/${id}`, { isActive: false, projectIds: ["org-abc"] }));
  await submit(page, "保存", "更新成功");

  const [config] = z.array(Config).parse((await api.get("/api/hosts/configs/list")).data);
  expect(config).toMatchObject({
    remark: "密钥已轮换",
    isActive: false,
    projectIds: ["org-abc"],
  });
});

test("keeps an open dialog when its list becomes empty or shifts", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const [first, alone, inTable] = hosts;
  const remark = dialog(page).getByLabel("备注");
  const beginAssignment = async () => {
    await page.getByRole("button", { name: "分配用户" }).click();
    await remark.fill("合同 2026-17");
  };

  await signIn(page, "/hosts?assigned=false");
  await expect(page.getByRole("article")).toContainText(first.ucloudId);
  await beginAssignment();
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
    if (view === "table") await row(page, host.ucloudId).click();
    await beginAssignment();

    await assignHost(api, host, client, 30);

    await expect(page.getByText("没有符合条件的主机")).toBeAttached();
    await expect(page.getByRole("article", { includeHidden: true })).toContainText("1 人");
    await expect(remark).toHaveValue("合同 2026-17");
  }

  await page.reload();
  await expect(page.getByRole("article")).toContainText(inTable.ucloudId);
});

test("keeps a client's open form when a request arrives from elsewhere", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  const remark = dialog(page).getByLabel("备注");
  await signIn(page, "/client/renewals", client);
  await expect(page.getByText("暂无续费申请")).toBeVisible();
  await page.getByRole("button", { name: "申请续费" }).last().click();
  await remark.fill("请续一个月");

  await requestRenewal(client.api, assignedHost.id, 30);

  await expect(page.getByText("暂无续费申请")).toHaveCount(0);
  await expect(remark).toHaveValue("请续一个月");
});

test("tells a client who cancels a request that it was approved meanwhile", async ({
  page,
  api,
  client,
  assignedHost,
  signIn,
}) => {
  // The server refuses what has been decided.
  allowErrors(/409/);
  const request = await requestRenewal(client.api, assignedHost.id, 30);
  await signIn(page, "/client/renewals", client);
  await page.getByRole("button", { name: "取消申请" }).click();

  await assertOk(decide({ root: api }, request, "approved"));
  await dialog(page).getByRole("button", { name: "取消申请", exact: true }).click();

  const failure = dialog(page).getByRole("alert");
  await expect(failure).toContainText("取消失败");
  await expect(failure).toContainText("该申请已批准，本次操作未生效");
  await dialog(page).getByRole("button", { name: "保留" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: assignedHost.ucloudId })).toContainText(
    "已批准（待付款）",
  );
});

test("tells who approves a request that the client cancelled it meanwhile", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  const request = await requestRenewal(client.api, assignedHost.id, 30);
  const remark = dialog(page).getByRole("textbox", { name: "备注" });
  await signIn(page, "/renewals?status=pending");
  await page.getByRole("row").getByRole("button", { name: "处理", exact: true }).click();
  await remark.fill("请转账");

  await assertOk(client.api.delete(`/api/renewals/${request}`));
  await expect(page.getByText("没有待处理的申请")).toBeAttached();

  await expect(dialog(page).getByRole("status")).toContainText("该申请已取消");
  await expect(dialog(page).getByRole("button", { name: "批准申请" })).toBeDisabled();
  await expect(remark).toHaveValue("请转账");
});

test("tells who has a request open that another person approved it meanwhile", async ({
  page,
  api,
  client,
  assignedHost,
  signIn,
}) => {
  const request = await requestRenewal(client.api, assignedHost.id, 30);
  await signIn(page, "/renewals?status=pending");
  await page.getByRole("row").getByRole("button", { name: "处理", exact: true }).click();
  await dialog(page).getByRole("radio", { name: "拒绝" }).click();
  await dialog(page).getByRole("textbox", { name: "备注" }).fill("未付款");

  await assertOk(decide({ root: api }, request, "approved"));

  await expect(dialog(page).getByRole("status")).toContainText("现在为已批准（待付款）");
  await expect(dialog(page).getByRole("button", { name: "拒绝申请" })).toBeDisabled();
});

test("overrules no approval that its window has not heard of", async ({
  page,
  api,
  client,
  assignedHost,
  signIn,
}) => {
  // The server refuses what was decided by an older status.
  allowErrors(/409/);
  const request = await requestRenewal(client.api, assignedHost.id, 30);
  await page.routeWebSocket(/./, () => {
    // No event arrives.
  });
  await signIn(page, "/renewals?status=pending");
  await page.getByRole("row").getByRole("button", { name: "处理", exact: true }).click();
  await dialog(page).getByRole("radio", { name: "拒绝" }).click();
  await dialog(page).getByRole("textbox", { name: "备注" }).fill("未付款");

  await assertOk(decide({ root: api }, request, "approved"));
  await submit(page, "拒绝申请", "处理失败", "批准，本次操作未生效");

  await expect(dialog(page).getByRole("status")).toContainText("现在为已批准（待付款）");
});

test("overwrites no newer assignment from a form that was open", async ({
  page,
  api,
  client,
  assignedHost,
  signIn,
}) => {
  // The server refuses to change an assignment that is no longer what the form showed.
  allowErrors(/409/);
  const beginEdit = async () => {
    await editAssignment(page);
    await dialog(page).getByLabel("备注").fill("合同 2026-17");
  };
  const expectRefused = async () => {
    // No toast of an earlier refusal may stand for this one.
    await expect(toast(page, "分配失败")).toHaveCount(0);
    await dialog(page).getByRole("button", { name: "保存" }).click();
    await expect(toast(page, "分配失败", "有效期已被改动")).toBeVisible();
    await expect(dialog(page).getByLabel("备注")).toHaveValue("合同 2026-17");
  };

  await signIn(page, `/hosts?host=${assignedHost.id}`);
  await beginEdit();
  await assignHost(api, assignedHost, client, 90);
  await expect(page.getByRole("article", { includeHidden: true })).toContainText(dateIn(90));
  await expectRefused();
  await dialog(page).getByRole("button", { name: "取消" }).click();

  await beginEdit();
  await expect(dialog(page).getByLabel("到期日")).toHaveValue(dateIn(90));
  await submit(page, "保存", "有效期已更新", "90 天");

  await beginEdit();
  await assertOk(unassign({ root: api }, assignedHost.id, client.id));
  await expect(page.getByRole("article", { includeHidden: true })).toContainText(
    "还没有分配给任何用户",
  );
  await expectRefused();

  expect((await getHost(api, assignedHost)).users).toEqual([]);
});
