import type { Locator, Page } from "@playwright/test";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import type { Simulator } from "../../src/simulator/server.ts";
import { decide, requestRenewal } from "../harness/data.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";
import { configure, syncAll } from "../harness/server-fixture.ts";
import {
  bodyRows,
  boxOf,
  countCalls,
  dateIn,
  expectLive,
  goTo,
  openMoreFilters,
  row,
  untilQuiet,
} from "./actions.ts";
import { assignHost, type Hosts } from "./api.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";

test("draws the hosts by region as a table that leads to their lists", async ({
  page,
  hosts,
  signIn,
}) => {
  await signIn(page);

  const regions = page.getByRole("table", { name: "各地域各状态的主机数" });
  await expect(regions.getByRole("row").nth(1)).toBeVisible();
  const totals = await regions.getByRole("row").locator("td:last-child").allTextContents();
  expect(totals.reduce((sum, text) => sum + Number(text), 0)).toBe(hosts.length);

  const region = regions.getByRole("row", { name: "华北（北京2）" });
  await expect(region).toHaveAttribute("title", /运行中 \d+、已停止 \d+/);
  await page.getByRole("link", { name: "华北（北京2）" }).click();
  await expect(page).toHaveURL(/\/hosts\?region=cn-bj2/);
});

/** The line of today's list with this text. */
function task(page: Page, title: string | RegExp): Locator {
  return page
    .getByRole("list", { name: "今日待办" })
    .getByRole("listitem")
    .filter({ hasText: title });
}

test("lists what a super admin must do today, each with its action", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  await assignHost(api, hosts[0], client, 3);
  await assignHost(api, hosts[1], client, 90);
  await requestRenewal(client.api, hosts[0].id, 30);
  const approved = await requestRenewal(client.api, hosts[1].id, 90);
  await assertOk(decide({ root: api }, approved, "approved"));

  await signIn(page);

  await expect(task(page, "1 个续费申请待处理")).toContainText(
    `最早：张客户 的 ${hosts[0].name} 续费 30 天`,
  );
  await expect(task(page, "1 个续费申请待付款")).toContainText(hosts[1].name);
  await expectAccessible(page);

  await task(page, "1 台主机 7 天内用户到期").getByRole("link", { name: "查看" }).click();
  await expect(page).toHaveURL(/\/hosts\?assignedExpiring=7/);
  await page.goBack();
  await task(page, "待付款").getByRole("link", { name: "标记完成" }).click();
  await expect(page).toHaveURL(/\/renewals\?status=approved/);
});

test("starts the sync of a late configuration from today's list", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  await configure(api, provider);
  await signIn(page);
  await expectLive(page);
  const late = task(page, "云账号“生产账号”还没有同步过");

  await late.getByRole("button", { name: "同步" }).click();

  await expect(late).toHaveCount(0);
  await expect(page.getByRole("link", { name: /最近同步 刚刚/ })).toBeVisible();
});

test("says that a super admin has nothing to do today", async ({ page, signIn }) => {
  await signIn(page);

  await expect(page.getByText("今天没有待办")).toBeVisible();
});

test("counts open requests beside 续费管理 while they come and go", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  await signIn(page);
  await expectLive(page);
  const entry = page.getByRole("navigation", { name: "主导航" }).getByRole("link", {
    name: /^续费管理/,
  });
  await expect(entry).toHaveText("续费管理");

  const id = await requestRenewal(client.api, assignedHost.id, 30);
  await expect(entry).toHaveAccessibleName(/^续费管理 ?1 个未完成的申请$/);

  await assertOk(client.api.delete(`/api/renewals/${id}`));
  await expect(entry).toHaveText("续费管理");
});

test("groups an admin's next ends by client, to copy and to call", async ({
  page,
  context,
  api,
  admin,
  hosts,
  client,
  signIn,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await assertOk(api.put(`/api/users/${client.id}`, { adminId: admin.id, phone: "13900001111" }));
  for (const [index, days] of [3, 5, 20].entries()) {
    await assignHost(api, hosts[index] ?? hosts[0], client, days);
  }

  await signIn(page, "/dashboard", admin);

  const ending = page.getByRole("list", { name: "张客户 的到期主机" });
  await expect(ending.getByRole("listitem")).toHaveText([
    new RegExp(`${hosts[0].name}.*${dateIn(3)}`),
    new RegExp(`${hosts[1].name}.*${dateIn(5)}`),
  ]);
  await expect(page.getByRole("link", { name: "拨打 13900001111" })).toHaveAttribute(
    "href",
    "tel:13900001111",
  );
  await expectAccessible(page);

  await page.getByRole("button", { name: "复制全部" }).click();
  await expect(page.getByRole("button", { name: "已复制" })).toBeVisible();
  const copied = await page.evaluate("navigator.clipboard.readText()");
  expect(copied).toMatch(/^张客户 13900001111 2 台\n/);
  expect(copied).toContain(`${dateIn(3)} 到期，还有 3 天`);

  await page.getByRole("radio", { name: "30 天内" }).click();
  await expect(ending.getByRole("listitem")).toHaveCount(3);
});

test("tells a client what became of the requests, and until when", async ({
  page,
  api,
  client,
  assignedHost,
  signIn,
}) => {
  const id = await requestRenewal(client.api, assignedHost.id, 30);
  await assertOk(decide({ root: api }, id, "approved"));

  await signIn(page, "/dashboard", client);

  const hosts = page.getByRole("list", { name: "我的主机到期时间" }).getByRole("listitem");
  await expect(hosts).toContainText(`续费 30 天已批准，待付款，续费后到 ${dateIn(60)}`);
  const request = page.getByRole("list", { name: "我的续费申请" }).getByRole("listitem");
  await expect(request).toContainText("已批准（待付款）");
  await expect(request).toContainText("已核对");

  await request.getByRole("link", { name: assignedHost.name }).click();
  await expect(page).toHaveURL(new RegExp(`/client/renewals\\?renewal=${id}`));
});

test("folds the catalogue on a client's phone", async ({ page, client, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, "/dashboard", client);
  const catalogue = page.getByRole("region", { name: "云产品" });

  await expect(page.getByText("云产品").first()).toBeVisible();
  await expect(catalogue).toBeHidden();
  await page.getByText("云产品").first().click();
  await expect(catalogue.getByRole("heading", { name: "计算" })).toBeVisible();
  await expectAccessible(page);
});

test("opens a category of the catalogue on demand and those that are searched", async ({
  page,
  signIn,
}) => {
  await signIn(page);
  const catalogue = page.getByRole("region", { name: "云产品" });
  const server = catalogue.getByText("UHost", { exact: true });
  await expect(server).toBeHidden();

  await catalogue.getByRole("heading", { name: "计算" }).click();
  await expect(server).toBeVisible();
  await catalogue.getByRole("heading", { name: "计算" }).click();
  await expect(server).toBeHidden();
  await catalogue.getByRole("searchbox").fill("UHost");

  await expect(server).toBeVisible();
});

test("updates ages and reads the hosts again while it is open", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  await requestRenewal(client.api, assignedHost.id, 30);
  await page.clock.install();
  await signIn(page);
  const lastSync = page.getByRole("link", { name: /最近同步/ });
  await expect(lastSync).toContainText("刚刚");
  await expect(task(page, "1 个续费申请待处理")).toContainText("等待不到 1 小时");

  await page.clock.fastForward("05:00");
  await expect(lastSync).toContainText("5 分钟前");

  const ending = page.getByRole("link", { name: /^30 天内到期/ }).first();
  await expect(ending).toBeVisible();
  await expectReadLater(page, "hosts.summary");
  await ending.click();
  await expect(page).toHaveURL(/\/hosts\?/);
  await expectReadLater(page, "hosts.list");
});

/** The page reads this once more within ten minutes, although nothing happens. */
async function expectReadLater(page: Page, procedure: string): Promise<void> {
  // The reads of the page that is just opened do not count.
  await untilQuiet(page);
  const calls = countCalls(page, procedure);

  await page.clock.fastForward("10:00");

  await expect.poll(calls).toBeGreaterThan(0);
}

/** Hosts of every kind of end at the provider, the first ones, synced. */
async function makeProviderEnds(
  { control }: Simulator,
  api: RestClient,
  hosts: Hosts,
): Promise<void> {
  const prepaid = { ChargeType: "Month" };
  const soon = Math.floor(Date.now() / 1000) + 3 * DAY_SECONDS;
  const past = soon - 5 * DAY_SECONDS;
  const kinds = [
    { ...prepaid, AutoRenew: "Yes", ExpireTime: soon },
    { ...prepaid, AutoRenew: "No", ExpireTime: soon },
    { ...prepaid, AutoRenew: "Yes", ExpireTime: past },
    { ...prepaid, AutoRenew: "No", ExpireTime: past },
    { ChargeType: "Dynamic", AutoRenew: "Yes", ExpireTime: soon },
  ];

  for (const [index, kind] of kinds.entries()) {
    control.updateHosts({ ids: hosts.slice(index, index + 1).map((host) => host.ucloudId) }, kind);
  }
  await syncAll(api);
}

/** The number that a link to a list of hosts names: `7 天内到期 54`, `46 台主机云端已过期`. */
async function numberOf(link: Locator): Promise<string> {
  const name = (await link.getAttribute("aria-label")) ?? (await link.textContent()) ?? "";
  return (/([\d,]+) 台/.exec(name) ?? /([\d,]+)$/.exec(name))?.[1] ?? "";
}

for (const role of ["super_admin", "admin"] as const) {
  test(`leads from each number of ${role} to a table that counts the same`, async ({
    page,
    api,
    provider,
    hosts,
    admin,
    client,
    signIn,
  }) => {
    await assertOk(api.put(`/api/users/${client.id}`, { adminId: admin.id }));
    await makeProviderEnds(provider, api, hosts);
    for (const [index, days] of [90, 20, 5, 3, 60].entries()) {
      await assignHost(api, hosts[index] ?? hosts[0], client, days);
    }

    await signIn(page, "/dashboard", role === "admin" ? admin : undefined);
    await expect(page.getByRole("link", { name: /天内另有 \d+ 台将自动续费/ })).toBeVisible();
    const numbers = new Map<string, string>();
    for (const link of await page.locator("main a[href^='/hosts?'][href*='view=table']").all()) {
      const number = await numberOf(link);
      if (number !== "" && number !== "0") {
        numbers.set((await link.getAttribute("href")) ?? "", number);
      }
    }

    expect([...numbers.keys()].join("\n")).toMatch(/expiring=7&autoRenew=false/);
    expect(numbers.size).toBeGreaterThan(8);
    for (const [href, number] of numbers) {
      // From a page that reads nothing.
      await goTo(page, "/unauthorized");
      await goTo(page, href);
      const total = page
        .getByRole("main")
        .getByText(/^[\d,]+ 台$/)
        .first();
      await expect(total, href).toHaveText(`${number} 台`);
      await expect(page.getByRole("table").first(), href).toBeVisible();
    }
  });
}

test("names first the hosts whose automatic renewal failed", async ({
  page,
  api,
  provider,
  hosts,
  client,
  signIn,
}) => {
  await makeProviderEnds(provider, api, hosts);
  await assignHost(api, hosts[2], client, 90);

  await signIn(page);

  const first = page.getByRole("list", { name: "今日待办" }).getByRole("listitem").first();
  await expect(first).toContainText("1 台主机自动续费未成功");
  await first.getByRole("link", { name: "查看" }).click();
  await expect(page).toHaveURL(/expired=true&autoRenew=true/);
  await expect(row(page, hosts[2].ucloudId)).toBeVisible();
});

test("names an account with too little left, and leads to its card", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  const id = await configure(api, provider, { balanceAlert: 500 });
  provider.control.setBalance({ available: 320, amount: 320 });
  await syncAll(api);
  await signIn(page);
  await expectLive(page);
  await expect(task(page, "云账号“生产账号”余额不足")).toContainText(
    "可用 ¥320.00，低于预警 ¥500.00（刚刚读取）",
  );

  provider.control.setBalance({ available: -3, amount: -3 });
  await syncAll(api);
  const line = task(page, "云账号“生产账号”已欠费");
  await expect(line).toContainText("可用 -¥3.00");
  await line.getByRole("link", { name: "查看" }).click();
  await expect(page).toHaveURL(`/configs?config=${id}`);
  await expect(page.getByRole("group", { name: "生产账号" })).toBeFocused();
});

test("stretches no card of a dashboard at 1440 and 1280 px", async ({
  page,
  api,
  admin,
  client,
  assignedHost: _,
  signIn,
}) => {
  await assertOk(api.put(`/api/users/${client.id}`, { adminId: admin.id }));

  for (const [account, titles] of [
    [admin, ["谁的主机快到期"]],
    [client, ["我的主机到期时间", "我的续费申请"]],
  ] as const) {
    await signIn(page, "/dashboard", account);
    await untilQuiet(page);

    for (const width of [1440, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const title of titles) {
        const card = page.locator("[data-slot=card]").filter({ hasText: title });
        const frame = await boxOf(card);
        const last = await boxOf(card.locator("[data-slot=card-content] > *").last());
        const rest = frame.y + frame.height - last.y - last.height;
        expect(rest, `${title} at ${width} px`).toBeLessThan(40);
      }
    }
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
  const rows = bodyRows(page);
  const endsIn = (days: number) => new RegExp(dateIn(days).slice(5));

  for (const { account, region, filter } of [
    { account: admin, region: "用户到期", filter: "用户到期" },
    { account: client, region: "我的到期", filter: "到期时间" },
  ]) {
    await signIn(page, "/dashboard", account);
    await expect(page.getByRole("link", { name: "待处理续费 0" })).toBeVisible();

    const numbers = page.getByRole("region", { name: region });
    await numbers.getByRole("link", { name: "7 天内到期 2" }).click();
    await expect(page).toHaveURL(/assignedExpiring=7/);
    await expect(rows).toHaveText([endsIn(3), endsIn(5)]);
    await page.goBack();

    await numbers.getByRole("link", { name: "30 天内到期 3" }).click();
    await expect(rows).toHaveText([endsIn(3), endsIn(5), endsIn(20)]);

    if (account === admin) await openMoreFilters(page);
    await page.getByRole("combobox", { name: filter }).selectOption("expired");
    await expect(page.getByText("没有符合条件的主机")).toBeVisible();
    await page.getByRole("button", { name: "清除筛选" }).first().click();
    await expect(rows).toHaveCount(4);
  }
});
