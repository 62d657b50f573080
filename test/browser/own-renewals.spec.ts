import { dialog, expectLive, PHONE, toast } from "./actions.ts";
import { addClient, applyForRenewal, assignHost, importHosts, shareHost, signInToApi } from "./api.ts";
import { expect, expectAccessible, expectStill, signIn, test } from "./fixtures.ts";

test.describe("a host with a pending request", () => {
  test.use({ expectedComplaints: [/409/] });

  test("takes no second request and links to the first", async ({ page, provider, server }) => {
    const api = await signInToApi(server.url);
    const [host, other] = await importHosts(api, provider);
    if (host === undefined || other === undefined) throw new Error("two hosts are needed");
    const { client, asClient } = await addClient(api, server.url, "zhang_kehu", "张客户");
    await assignHost(api, host, client, 30);
    await assignHost(api, other, client, 30);
    await signIn(page, client);
    await page.goto(`/hosts?host=${host.id}`);
    await expectLive(page);
    await page.getByRole("button", { name: "申请续费" }).click();
    await dialog(page).getByLabel("备注").fill("请续一个月");
    // From the client's phone, say.
    const { id } = await applyForRenewal(asClient, host, 90);
    await dialog(page).getByRole("button", { name: "提交申请" }).click();
    await expect(toast(page, "续费申请失败", "该主机已有待处理的续费申请，请等待处理或先取消")).toBeVisible();
    await expect(dialog(page).getByLabel("备注")).toHaveValue("请续一个月");
    await expectAccessible(page);
    await dialog(page).getByRole("button", { name: "取消", exact: true }).click();
    await page.getByRole("button", { name: "查看申请" }).click();
    await expect(page).toHaveURL(
      (url) => url.pathname === "/client/renewals" && url.searchParams.get("renewal") === id,
    );
    await expect(dialog(page)).toContainText("90 天");

    await page.goto("/client/renewals");
    await page.getByRole("button", { name: "申请续费" }).click();
    await dialog(page).getByRole("combobox", { name: "主机" }).click();
    const waiting = page.getByRole("option", { name: new RegExp(host.ucloudId) });
    await expect(waiting).toContainText("已有待处理的续费申请");
    await expect(waiting).toBeDisabled();
    await expect(page.getByRole("option", { name: new RegExp(other.ucloudId) })).toBeEnabled();
  });
});

test("aligns the fields of a request at 320 px", async ({ provider, server, openWindow }) => {
  const { client } = await shareHost(server.url, provider);
  const phone = await openWindow({ ...PHONE, viewport: { width: 320, height: 640 } });
  await signIn(phone, client);
  await phone.goto("/client/renewals");
  await phone.getByRole("button", { name: "申请续费" }).first().click();
  const days = dialog(phone).getByRole("radiogroup", { name: "续费天数" });
  await expect(days).toBeVisible();
  await expectStill(phone);
  const [box, remark] = [await days.boundingBox(), await dialog(phone).getByLabel("备注").boundingBox()];
  expect(box?.x).toBe(remark?.x);
  expect(box?.width).toBe(remark?.width);
  for (const label of await days.getByRole("radio").locator("span").all()) {
    expect(await label.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
  }
});

test("keeps the actions in sight beside a long remark on a phone", async ({ provider, server, openWindow }) => {
  const api = await signInToApi(server.url);
  const [first, second] = await importHosts(api, provider);
  if (first === undefined || second === undefined) throw new Error("two hosts are needed");
  const { client, asClient } = await addClient(api, server.url, "zhang_kehu", "张客户");
  const phone = await openWindow(PHONE);
  await signIn(phone, client);
  await phone.goto("/client/renewals");
  await expectLive(phone);
  const adminRemark = `${"付".repeat(59)}😀${"款".repeat(438)}完`;
  const decide = async (host: typeof first, status: string) => {
    await assignHost(api, host, client, 30);
    const { id } = await applyForRenewal(asClient, host, 30);
    await api("PUT", `/api/renewals/${id}/process`, { status, adminRemark });
  };
  await decide(first, "rejected");
  await expect(toast(phone, "续费申请被拒绝")).toContainText(`${"付".repeat(59)}😀…`);
  await expect(toast(phone, "续费申请被拒绝")).not.toContainText("完");
  await decide(second, "approved");
  await expect(toast(phone, "续费申请已批准")).not.toContainText("完");
  const card = phone.getByRole("list", { name: "续费申请列表" }).getByRole("listitem").filter({ hasText: second.name });
  await expect(card).toContainText("请联系管理员付款，确认后到期时间自动延长。");
  await expect(card).toContainText("管理员备注：付付");
  await expectAccessible(phone);
});

test("preselects a client's only host and says when there is none", async ({ page, provider, server, openWindow }) => {
  const { api, host, client } = await shareHost(server.url, provider);
  await signIn(page, client);
  await page.goto("/client/renewals");
  await page.getByRole("button", { name: "申请续费" }).first().click();
  await expect(dialog(page).getByRole("combobox", { name: "主机" })).toHaveText(host.name);
  await expect(page.getByText("续费后到期", { exact: true })).toBeVisible();
  // Nothing has been filled in yet: Esc does not ask.
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await page.getByRole("button", { name: "申请续费" }).first().click();
  await dialog(page).getByRole("button", { name: "提交申请" }).click();
  await expect(toast(page, "续费申请已提交", host.name)).toBeVisible();

  const other = await openWindow();
  await signIn(other, (await addClient(api, server.url, "wang_kehu", "王客户")).client);
  await other.goto("/client/renewals");
  await other.getByRole("button", { name: "申请续费" }).first().click();
  await expect(dialog(other).getByText("还没有主机分配给您，暂时不能申请续费。")).toBeVisible();
  await expect(dialog(other).getByRole("button", { name: "提交申请" })).toBeDisabled();
  await expectAccessible(other);
});
