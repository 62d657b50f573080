import type { Page } from "@playwright/test";
import { decide, now, requestRenewal } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { dateIn, dialog, expectLive, row, selectPage, submit, toast } from "./actions.ts";
import { assignHost } from "./api.ts";
import { allowErrors, expect, expectAccessibleScreen, pressEscape, test } from "./fixtures.ts";

const undoIn = (page: Page) => dialog(page).getByRole("button", { name: "撤销", exact: true });
/** Of the course of the request. */
const step = (page: Page) => dialog(page).getByRole("listitem").filter({ hasText: "“完成”已撤销" });
const confirm = (page: Page) => page.getByRole("alertdialog", { name: "撤销处理" });

test("a completion is undone from its toast, seen in the client's window, too", async ({
  page,
  approvedRequest,
  assignedHost,
  client,
  signIn,
  openWindow,
}) => {
  const window = await openWindow();
  await signIn(window, `/client/renewals?renewal=${approvedRequest}`, client);
  await expectLive(window);
  await signIn(page, "/renewals?status=all");
  await row(page, assignedHost.name).getByRole("button", { name: "标记完成" }).click();
  await submit(page, "标记完成", "处理成功", `到期时间延长到 ${dateIn(60)}`);
  // Under the pointer it stays.
  await toast(page, "处理成功").hover();
  await expect(dialog(window)).toContainText("已完成");

  await toast(page, "处理成功").getByRole("button", { name: "撤销" }).click();

  await expect(
    toast(page, "已撤销", `恢复为已批准（待付款），到期时间恢复为 ${dateIn(30)}`),
  ).toBeVisible();
  await expect(row(page, assignedHost.name)).toContainText("已批准（待付款）");
  await expect(dialog(window)).toContainText("待付款");
  await expect(dialog(window)).not.toContainText("已完成");
  await expect(step(window)).toContainText("申请恢复为已批准（待付款）");
  await expect(step(window)).not.toContainText("操作人");
});

test("the toast of a decision is reached and pressed with the keyboard", async ({
  page,
  approvedRequest,
  assignedHost,
  api,
  signIn,
}) => {
  await signIn(page, "/renewals?status=all");
  await row(page, assignedHost.name).getByRole("button", { name: "标记完成" }).click();
  await submit(page, "标记完成", "处理成功");
  await expect(dialog(page)).toBeHidden();

  await page.keyboard.press("Alt+KeyT");
  const button = toast(page, "处理成功").getByRole("button", { name: "撤销" });
  await button.focus();
  await page.keyboard.press("Enter");

  await expect(toast(page, "已撤销")).toBeVisible();
  const { data } = await assertOk(api.get(`/api/renewals/${approvedRequest}`));
  expect(data.status).toBe("approved");
});

test("several decisions are undone from one toast", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  for (const host of hosts.slice(0, 2)) {
    await assignHost(api, host, client, 20);
    await requestRenewal(client.api, host.id, 30);
  }
  await signIn(page, "/renewals");
  await selectPage(page);
  await page.getByRole("button", { name: "批准", exact: true }).click();
  await submit(page, "批准 2 个申请", "2 个申请已批准，待付款");

  await toast(page, "2 个申请已批准，待付款").getByRole("button", { name: "撤销" }).click();

  await expect(toast(page, "已撤销 2 个申请的处理")).toBeVisible();
  await expect(page.getByRole("button", { name: "待处理 2" })).toBeVisible();
});

test("the details say until when, confirm what moves back, and undo it", async ({
  page,
  api,
  approvedRequest,
  signIn,
}) => {
  await decide({ root: api }, approvedRequest, "completed");
  await signIn(page, `/renewals?renewal=${approvedRequest}`);
  await expect(dialog(page)).toContainText(/可在 \d\d:\d\d 前撤销/);

  await undoIn(page).click();
  await expect(confirm(page)).toContainText("申请恢复为已批准（待付款）。");
  await expect(confirm(page)).toContainText(`到期时间从 ${dateIn(60)} 恢复为 ${dateIn(30)}。`);
  await confirm(page).getByRole("button", { name: "撤销处理" }).click();

  await expect(toast(page, "已撤销", "恢复为已批准（待付款）")).toBeVisible();
  await expect(confirm(page)).toBeHidden();
  await expect(dialog(page)).toContainText("待付款");
  await expect(step(page)).toContainText(
    "操作人：系统管理员，申请恢复为已批准（待付款），到期时间",
  );
});

test("what cannot be undone any more says why, and changes nothing", async ({
  page,
  api,
  approvedRequest,
  assignedHost,
  client,
  signIn,
}) => {
  allowErrors(/409/);
  await decide({ root: api }, approvedRequest, "completed");
  await signIn(page, `/renewals?renewal=${approvedRequest}`);
  await undoIn(page).click();
  await expect(confirm(page)).toBeVisible();
  await assignHost(api, assignedHost, client, 90);

  await confirm(page).getByRole("button", { name: "撤销处理" }).click();

  const failure = confirm(page).getByRole("alert");
  await expect(failure).toContainText("撤销失败");
  await expect(failure).toContainText("有效期在完成续费后又改动过");
  await expect(toast(page, "撤销失败")).toHaveCount(0);
  const { data } = await assertOk(api.get(`/api/renewals/${approvedRequest}`));
  expect(data.status).toBe("completed");
});

test("the offer goes by itself when the ten minutes are over", async ({
  page,
  approvedRequest,
  database,
  signIn,
}) => {
  const at = now() - 560;
  await database.query("update renewals set processed_at = $1 where id = $2", [
    at,
    approvedRequest,
  ]);
  await database.query(
    "update host_acts set at = $1 where renewal_id = $2 and kind = 'renewal_approved'",
    [at, approvedRequest],
  );
  await page.clock.install();
  await signIn(page, `/renewals?renewal=${approvedRequest}`);
  await expect(undoIn(page)).toBeVisible();

  await page.clock.fastForward(45_000);

  await expect(undoIn(page)).toBeHidden();
  await expect(dialog(page)).toContainText("待付款");
});

test("of several decisions those are undone from the toast that did not fail", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const [first, second] = hosts;
  for (const host of [first, second]) await assignHost(api, host, client, 20);
  await requestRenewal(client.api, first.id, 30);
  const cancelled = await requestRenewal(client.api, second.id, 30);
  await signIn(page, "/renewals");
  await selectPage(page);
  await page.getByRole("button", { name: "批准", exact: true }).click();
  await expect(dialog(page)).toBeVisible();
  await assertOk(client.api.delete(`/api/renewals/${cancelled}`));

  await submit(page, "批准 2 个申请", "1 个申请已批准，待付款");
  await expect(dialog(page)).toContainText("成功 1 个，失败 1 个");
  await toast(page, "1 个申请已批准，待付款").getByRole("button", { name: "撤销" }).click();

  await expect(toast(page, "已撤销", "恢复为待处理")).toBeVisible();
});

test("the details with the offer are accessible", async ({
  page,
  api,
  approvedRequest,
  signIn,
}) => {
  await decide({ root: api }, approvedRequest, "completed");
  await signIn(page, `/renewals?renewal=${approvedRequest}`);
  await expect(undoIn(page)).toBeVisible();
  await expectAccessibleScreen(page);

  await undoIn(page).click();
  await expect(confirm(page)).toBeVisible();
  await expectAccessibleScreen(page);

  await pressEscape(page);
  await expect(undoIn(page)).toBeFocused();
});

test("who undoes from an old toast does not take back what another person decided", async ({
  page,
  api,
  approvedRequest,
  assignedHost,
  signIn,
}) => {
  allowErrors(/409/);
  await signIn(page, "/renewals?status=all");
  await row(page, assignedHost.name).getByRole("button", { name: "标记完成" }).click();
  await submit(page, "标记完成", "处理成功");
  // Under the pointer it stays.
  await toast(page, "处理成功").hover();
  const renewal = `/api/renewals/${approvedRequest}`;
  await assertOk(api.post(`${renewal}/undo`, {}));
  await assertOk(decide({ root: api }, approvedRequest, "rejected"));

  await toast(page, "处理成功").getByRole("button", { name: "撤销" }).click();

  await expect(toast(page, "撤销失败", "拒绝，本次操作未生效")).toBeVisible();
  expect((await assertOk(api.get(renewal))).data.status).toBe("rejected");
});

test("tells who confirms it that another person has undone the decision meanwhile", async ({
  page,
  api,
  approvedRequest,
  signIn,
}) => {
  await signIn(page, `/renewals?renewal=${approvedRequest}`);
  await undoIn(page).click();
  await expect(confirm(page)).toBeVisible();
  await expectLive(page);

  await assertOk(api.post(`/api/renewals/${approvedRequest}/undo`, {}));

  await expect(confirm(page).getByRole("status")).toContainText("该申请现在为待处理");
  await expect(confirm(page).getByRole("button", { name: "撤销处理" })).toBeDisabled();
});
