import { z } from "zod";
import { Config } from "../../src/shared/configs.ts";
import { User } from "../../src/shared/users.ts";
import { decide, requestRenewal, unassign } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { dateIn, dialog, row, submit, toast } from "./actions.ts";
import { assignHost, getHost } from "./api.ts";
import { allowErrors, expect, test } from "./fixtures.ts";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

test("keeps what another person changed meanwhile", async ({
  page,
  api,
  client,
  admin,
  assignedHost: _,
  signIn,
}) => {
  await signIn(page, "/users");
  await page.getByRole("button", { name: "编辑 张客户" }).click();
  await dialog(page).getByLabel("姓名").fill("张先生");
  await assertOk(api.put(`/api/users/${client.id}`, { adminId: admin.id, phone: "13800138000" }));
  await expect(page.getByText("13800138000")).toBeAttached();
  await submit(page, "保存", "更新成功");
  const wanted = { name: "张先生", adminId: admin.id, phone: "13800138000" };
  expect(User.parse((await api.get(`/api/users/${client.id}`)).data)).toMatchObject(wanted);

  const stored = async () =>
    z.array(Config).parse((await api.get("/api/hosts/configs/list")).data)[0];
  const id = (await stored())?.id;
  await page.goto("/configs");
  await page.getByRole("button", { name: "编辑 生产账号" }).click();
  await dialog(page).getByLabel("备注").fill("密钥已轮换");
  await assertOk(api.put(`/api/hosts/configs/${id}`, { isActive: false, projectIds: ["org-abc"] }));
  await submit(page, "保存", "更新成功");
  expect(await stored()).toMatchObject({
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
  const write = async () => {
    await page.getByRole("button", { name: "分配用户" }).click();
    await remark.fill("合同 2026-17");
  };
  await signIn(page, "/hosts?assigned=false");
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
    if (view === "table") await row(page, host.ucloudId).click();
    await write();
    await assignHost(api, host, client, 30);
    await expect(page.getByText("没有符合条件的主机")).toBeAttached();
    await expect(page.getByRole("article", { includeHidden: true })).toContainText("1 人");
    await expect(remark).toHaveValue("合同 2026-17");
  }
  await page.reload();
  await expect(page.getByRole("article")).toContainText(inTable.ucloudId);
});

test("shows a client what became of a request meanwhile", async ({
  page,
  api,
  client,
  assignedHost,
  signIn,
}) => {
  // The server refuses what has been decided.
  allowErrors(/409/);
  const remark = dialog(page).getByLabel("备注");
  await signIn(page, "/client/renewals", client);
  await expect(page.getByText("暂无续费申请")).toBeVisible();
  await page.getByRole("button", { name: "申请续费" }).last().click();
  await remark.fill("请续一个月");
  const request = await requestRenewal(client.api, assignedHost.id, 30);
  await expect(page.getByText("暂无续费申请")).toHaveCount(0);
  await expect(remark).toHaveValue("请续一个月");
  await dialog(page).getByRole("button", { name: "取消", exact: true }).click();

  await page.getByRole("button", { name: "取消申请" }).click();
  await assertOk(decide({ root: api }, request, "approved"));
  await submit(page, "取消申请", "取消失败", "该申请已批准，本次操作未生效");
  await dialog(page).getByRole("button", { name: "保留" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: assignedHost.ucloudId })).toContainText(
    "已批准（待付款）",
  );
});

test("shows an operator what became of a request meanwhile", async ({
  page,
  client,
  api,
  assignedHost,
  signIn,
}) => {
  // The server refuses what has been decided, and a host that is not the client's any more.
  allowErrors(/404|409/);
  const withdrawn = await requestRenewal(client.api, assignedHost.id, 30);
  const remark = dialog(page).getByRole("textbox", { name: "备注" });
  await signIn(page, "/renewals?status=pending");
  await page.getByRole("row").getByRole("button", { name: "处理", exact: true }).click();
  await remark.fill("请转账");
  await assertOk(client.api.delete(`/api/renewals/${withdrawn}`));
  await expect(page.getByText("没有待处理的申请")).toBeAttached();
  await submit(page, "批准申请", "处理失败", "该申请已取消，本次操作未生效");
  await expect(remark).toHaveValue("请转账");
  await dialog(page).getByRole("button", { name: "取消" }).click();

  const request = await requestRenewal(client.api, assignedHost.id, 30);
  await assertOk(decide({ root: api }, request, "approved"));
  await page.getByRole("button", { name: /^已批准/ }).click();
  await page.getByRole("row").getByRole("button", { name: "标记完成" }).click();
  await expect(dialog(page)).toContainText("标记完成后到期");
  await assertOk(decide({ root: api }, request, "completed"));
  await submit(page, "标记完成", "处理失败", /该申请已由“.+”完成，本次操作未生效/);
  await dialog(page).getByRole("button", { name: "取消" }).click();
  await expect(dialog(page)).toBeHidden();
});

test("undoes no newer assignment by a form that was open", async ({
  page,
  api,
  client,
  assignedHost,
  signIn,
}) => {
  allowErrors(/409/);
  const edit = async () => {
    await page.getByRole("button", { name: "对 张客户 的操作" }).click();
    await page.getByRole("menuitem", { name: "修改有效期" }).click();
    await dialog(page).getByLabel("备注").fill("合同 2026-17");
  };
  const expectRefused = async () => {
    await dialog(page).getByRole("button", { name: "保存" }).click();
    await expect(toast(page, "分配失败", "有效期已被改动").last()).toBeVisible();
    await expect(dialog(page).getByLabel("备注")).toHaveValue("合同 2026-17");
  };
  await signIn(page, `/hosts?host=${assignedHost.id}`);
  await edit();
  await assignHost(api, assignedHost, client, 90);
  await expect(page.getByRole("article", { includeHidden: true })).toContainText(dateIn(90));
  await expectRefused();
  await dialog(page).getByRole("button", { name: "取消" }).click();
  await edit();
  await expect(dialog(page).getByLabel("到期日")).toHaveValue(dateIn(90));
  await submit(page, "保存", "有效期已更新", "90 天");

  await edit();
  await assertOk(unassign({ root: api }, assignedHost.id, client.id));
  await expect(page.getByRole("article", { includeHidden: true })).toContainText(
    "还没有分配给任何用户",
  );
  await expectRefused();
  expect((await getHost(api, assignedHost)).users).toEqual([]);
});
