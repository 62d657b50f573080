import { requestRenewal } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { configure, syncAll } from "../harness/server-fixture.ts";
import { countCalls } from "./actions.ts";
import { assignHost } from "./api.ts";
import { expect, test } from "./fixtures.ts";

test("draws charts as tables of the synced hosts that lead to the lists", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  await signIn(page);
  await expect(page.getByText("没有即将到期的主机")).toBeVisible();
  await configure(api, provider);
  await syncAll(api);
  await page.reload();
  const months = page.getByRole("table", { name: "未来12个月每月到期的主机数" });
  await expect(months.getByRole("row")).toHaveCount(13);
  const regions = page.getByRole("table", { name: "各地域各状态的主机数" });
  const totals = await regions.getByRole("row").locator("td:last-child").allTextContents();
  expect(totals.reduce((sum, text) => sum + Number(text), 0)).toBe(60);
  const region = regions.getByRole("row", { name: "华北（北京2）" });
  await expect(region).toHaveAttribute("title", /运行中 \d+、已停止 \d+/);
  await page.getByRole("link", { name: "华北（北京2）" }).click();
  await expect(page).toHaveURL(/\/hosts\?region=cn-bj2/);
});

test("updates ages and expired hosts while it is open", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  await requestRenewal(client.api, assignedHost.id, 30);
  await page.clock.install();
  const isOldestFirst = /renewals\.list.*"limit":1,"status":"pending","order":"asc"/;
  const sent = page.waitForRequest((request) =>
    isOldestFirst.test(decodeURIComponent(request.url())),
  );
  await signIn(page);
  await sent;
  const lastSync = page.getByRole("link", { name: /最近同步/ });
  const oldestRequest = page.getByRole("link", { name: /待处理续费 1/ });
  await expect(lastSync).toContainText("刚刚");
  await expect(oldestRequest).toContainText("最早 刚刚");
  await page.clock.fastForward("05:00");
  await expect(lastSync).toContainText("5 分钟前");
  await expect(oldestRequest).toContainText("最早 5 分钟前");
  for (const [link, procedure] of [
    [/^30 天内到期/, "hosts.summary"],
    [/^仪表盘/, "hosts.list"],
  ] as const) {
    await expect(page.getByRole("link", { name: link }).first()).toBeVisible();
    await page.waitForLoadState("networkidle");
    const requests = countCalls(page, procedure);
    await page.clock.fastForward("10:00");
    await expect.poll(requests).toBeGreaterThan(0);
    if (procedure === "hosts.summary") await page.getByRole("link", { name: link }).first().click();
  }
});

test("links numbers to just those hosts, soonest end first", async ({
  page,
  api,
  admin,
  hosts,
  client,
  signIn,
}) => {
  await assertOk(api.put(`/api/users/${client.id}`, { adminId: admin.id }));
  for (const [index, days] of [20, 5, 200, 3].entries()) {
    await assignHost(api, hosts[index] ?? hosts[0], client, days);
  }
  for (const [account, whose, end] of [
    [admin, "用户到期", "用户 · "],
    [client, "我的到期", ""],
  ] as const) {
    await signIn(page, "/dashboard", account);
    await expect(page.getByRole("link", { name: "待处理续费 0" })).toBeVisible();
    const badges = page.getByRole("tab").getByText(/^(用户 · )?(正常|即将到期|已过期)/);
    const numbers = page.getByRole("region", { name: whose });
    await numbers.getByRole("link", { name: "7 天内到期 2" }).click();
    await expect(page).toHaveURL(/assignedExpiring=7/);
    await expect(badges).toHaveText([`${end}即将到期 3 天`, `${end}即将到期 5 天`]);
    await page.goBack();
    await numbers.getByRole("link", { name: "30 天内到期 3" }).click();
    await expect(badges).toHaveText([
      `${end}即将到期 3 天`,
      `${end}即将到期 5 天`,
      `${end}正常 20 天`,
    ]);
    await page.getByRole("combobox", { name: "到期时间" }).selectOption("expired");
    await expect(page.getByText("没有符合条件的主机")).toBeVisible();
    await page.getByRole("button", { name: "清除筛选" }).first().click();
    await expect(badges).toHaveCount(4);
  }
});
