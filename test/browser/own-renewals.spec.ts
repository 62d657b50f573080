import type { Host } from "../../src/shared/hosts.ts";
import { RenewalList } from "../../src/shared/renewals.ts";
import { batchBar, dateIn, dialog, expectLive, PHONE, toast } from "./actions.ts";
import { applyForRenewal, assignHost, createUser, processRenewal } from "./api.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";

test.describe("a host with a pending request", () => {
  test.use({ expectedComplaints: [/409/] });

  test("takes no second request and links to the first", async ({ page, api, hosts, client, signIn }) => {
    const [host, other] = hosts;
    await assignHost(api, host, client, 30);
    await assignHost(api, other, client, 30);
    await signIn(page, `/hosts?host=${host.id}`, client);
    await expectLive(page);
    await page.getByRole("button", { name: "申请续费" }).click();
    await dialog(page).getByLabel("备注").fill("请续一个月");
    // From the client's phone, say.
    const { id } = await applyForRenewal(client.api, host, 90);
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

test("shortens a long remark in a toast, not in the list", async ({ api, hosts, client, signIn, openWindow }) => {
  const [first, second] = hosts;
  const phone = await openWindow(PHONE);
  await signIn(phone, "/client/renewals", client);
  await expectLive(phone);
  const adminRemark = `${"付".repeat(59)}😀${"款".repeat(438)}完`;
  const decide = async (host: Host, status: string) => {
    await assignHost(api, host, client, 30);
    await processRenewal(api, await applyForRenewal(client.api, host, 30), { status, adminRemark });
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

test("preselects the only host or says there is none", async ({
  page,
  api,
  client,
  assignedHost,
  signIn,
  openWindow,
}) => {
  await signIn(page, "/client/renewals", client);
  await page.getByRole("button", { name: "申请续费" }).first().click();
  await expect(dialog(page).getByRole("combobox", { name: "主机" })).toHaveText(assignedHost.name);
  await expect(page.getByText("续费后到期", { exact: true })).toBeVisible();
  await page.setViewportSize({ width: 320, height: 640 });
  for (const label of await dialog(page).getByRole("radio").locator("span").all()) {
    expect(await label.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
  }
  // Nothing has been filled in yet: Esc does not ask.
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await page.getByRole("button", { name: "申请续费" }).first().click();
  await dialog(page).getByRole("button", { name: "提交申请" }).click();
  await expect(toast(page, "续费申请已提交", assignedHost.name)).toBeVisible();

  const other = await openWindow();
  const wang = await createUser(api, { username: "wang_kehu", name: "王客户", role: "client" });
  await signIn(other, "/client/renewals", wang);
  await other.getByRole("button", { name: "申请续费" }).first().click();
  await expect(dialog(other).getByText("还没有主机分配给您，暂时不能申请续费。")).toBeVisible();
  await expect(dialog(other).getByRole("button", { name: "提交申请" })).toBeDisabled();
  await expectAccessible(other);
});

test("renews several hosts to one day, and a rejected one again", async ({ page, api, hosts, client, signIn }) => {
  for (const [index, host] of hosts.slice(0, 3).entries()) await assignHost(api, host, client, 5 + index * 10);
  await signIn(page, "/hosts?view=table", client);
  await page.getByRole("checkbox", { name: "选择本页全部" }).click();
  await batchBar(page).getByRole("button", { name: "申请续费" }).click();
  await dialog(page).getByRole("radio", { name: "同一天" }).click();
  const day = dateIn(60);
  await dialog(page).getByLabel("统一到期日").fill(day);
  await expect(dialog(page).getByText(`→ ${day}`)).toHaveCount(3);
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "提交 3 个申请" }).click();
  await expect(dialog(page).getByText("成功 3 个，失败 0 个")).toBeVisible();
  await dialog(page).getByRole("button", { name: "完成" }).click();

  const { requests } = RenewalList.parse(await api("GET", "/api/renewals?status=pending"));
  for (const request of requests.slice(0, 1)) {
    await processRenewal(api, request, { status: "rejected", adminRemark: "请先付款" });
  }
  await page.goto("/client/renewals");
  await page.getByRole("button", { name: "重新申请" }).click();
  await dialog(page).getByRole("button", { name: "提交申请" }).click();
  await expect(page.getByText("续费申请已提交").last()).toBeVisible();
  await expect(page.getByRole("button", { name: "待处理 3" })).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: PHONE.viewport });

  test("takes two actions from the first page to a request", async ({ page, api, hosts, client, signIn }) => {
    for (const host of hosts.slice(0, 2)) await assignHost(api, host, client, 5);
    await signIn(page, "/dashboard", client);
    await page.getByRole("button", { name: "申请续费" }).first().click();
    await dialog(page).getByRole("button", { name: "提交申请" }).click();
    await expect(page.getByText("续费申请已提交")).toBeVisible();
    await expect(page.getByRole("button", { name: "查看申请" })).toBeVisible();

    await page.goto(`/hosts?host=${hosts[1].id}`);
    const renew = page.getByRole("button", { name: /申请续费|查看申请/ });
    await expect(renew).toHaveCount(1);
    await expect(renew).toBeInViewport({ ratio: 1 });
    await expect(page.getByText(/我的到期时间：.*还有 5 天/)).toBeVisible();
  });
});
