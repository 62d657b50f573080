import type { Locator } from "@playwright/test";
import { requestRenewal } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { dialog, expectLive, toast } from "./actions.ts";
import { expect, test } from "./fixtures.ts";

const REMARK = "第一行\n第二行\n第三行";

async function expectThreeLines(remark: Locator): Promise<void> {
  await expect.poll(() => remark.innerText()).toContain(REMARK);
}

test("keeps the line breaks of a client's remark for the super admin", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  const request = { hostId: assignedHost.id, requestedDuration: 30, remark: REMARK };
  const { data } = await assertOk(client.api.post("/api/renewals", request));

  await signIn(page, `/renewals?renewal=${data.id}`);
  await expectThreeLines(dialog(page).getByRole("listitem").filter({ hasText: "第二行" }));

  await dialog(page).getByRole("button", { name: "处理" }).click();
  await expectThreeLines(page.getByRole("dialog", { name: "处理续费申请" }).getByText(/第二行/));
});

test("keeps the line breaks of an admin's remark for the client", async ({
  page,
  api,
  client,
  assignedHost,
  signIn,
}) => {
  const id = await requestRenewal(client.api, assignedHost.id);
  await signIn(page, "/client/renewals", client);
  await expectLive(page);

  await assertOk(
    api.put(`/api/renewals/${id}/process`, { status: "rejected", adminRemark: REMARK }),
  );

  await expectThreeLines(toast(page, "第二行"));
  await expectThreeLines(page.getByRole("listitem").getByText(/管理员备注/));

  await page.getByRole("link", { name: "详情" }).click();
  await expectThreeLines(dialog(page).getByRole("listitem").filter({ hasText: "第二行" }));
});
