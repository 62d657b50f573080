import type { Locator, Page } from "@playwright/test";
import { v7 as newId } from "uuid";
import type { Notice } from "../../src/shared/notices.ts";
import { now, unassign } from "../harness/data.ts";
import { insertRows, type TestDatabase } from "../harness/database.ts";
import { inboxOf } from "../harness/inbox.ts";
import { assertOk } from "../harness/rest.ts";
import {
  batchStatus,
  dateIn,
  dialog,
  expectLive,
  openBatch,
  PHONE,
  submit,
  toast,
} from "./actions.ts";
import { assignHost, type CreatedUser } from "./api.ts";
import { allowErrors, expect, expectAccessible, expectContrast, test } from "./fixtures.ts";

const DAY = 86_400;
const LIST = /\/trpc\/.*notices\.list/;
const SEND = /\/trpc\/.*reminders\.send/;

const bell = (page: Page) => page.getByRole("banner").getByRole("button", { name: /^通知/ });
const popover = (page: Page) => page.getByRole("dialog", { name: "最新通知" });
const days = (page: Page) => page.getByRole("main").getByRole("region");

/** The notices with this title. */
function line(page: Page, title: string): Locator {
  const heading = page.getByRole("heading", { name: title, level: 3 });
  return days(page).getByRole("listitem").filter({ has: heading });
}

type NewNotice = Partial<Pick<Notice, "type" | "severity" | "title" | "message" | "link">> & {
  readonly hostIds?: readonly string[];
  /** Seconds before now. */
  readonly age?: number;
};

/** Notices as they lie in an inbox, some seconds old and unread. */
async function insertNotices(
  database: TestDatabase,
  { id: userId }: Pick<CreatedUser, "id">,
  notices: readonly NewNotice[],
): Promise<void> {
  const assignments = await database.query(
    "select id, host_id from assignments where ended_at is null",
  );
  const rows = notices.map(({ hostIds = [], age = 10, ...notice }, index) => ({
    id: newId({ msecs: (now() - age) * 1_000 - index }),
    user_id: userId,
    batch_id: newId(),
    type: "assignment.expiring",
    severity: "warning",
    title: `${hostIds.length} 台主机即将到期`,
    message: "请及时续费。",
    link: "/hosts",
    subjects: assignments
      .filter(({ host_id }) => hostIds.includes(String(host_id)))
      .map((assignment) => ({ hostId: assignment.host_id, assignmentId: assignment.id })),
    created_at: now() - age,
    ...notice,
  }));
  await insertRows(database, "notices", rows);
}

test.describe("the bell", () => {
  test("counts what is unread in every window, and leads to what a notice is about", async ({
    api,
    hosts: [first, second],
    client,
    openWindow,
    signIn,
  }) => {
    const [page, other] = [await openWindow(), await openWindow()];
    for (const window of [page, other]) {
      await signIn(window, "/dashboard", client);
      await expectLive(window);
    }
    await expect(bell(page)).toHaveText("通知");

    await assignHost(api, first, client, 30);
    await assignHost(api, second, client, 30);

    for (const window of [page, other]) {
      await expect(bell(window)).toHaveAccessibleName("通知，2 条未读");
    }
    await bell(page).click();
    await expect(popover(page).getByRole("listitem")).toHaveCount(2);
    await expectAccessible(page);

    await popover(page).getByRole("link", { name: "分配 1 台主机" }).first().click();
    // Notices of one second have no order among each other.
    await expect(page).toHaveURL(new RegExp(`/hosts\\?host=(${first.id}|${second.id})`));
    await expect(popover(page)).toBeHidden();
    for (const window of [page, other]) {
      await expect(bell(window)).toHaveAccessibleName("通知，1 条未读");
    }

    await bell(other).click();
    await popover(other).getByRole("button", { name: "全部已读" }).click();
    for (const window of [page, other]) await expect(bell(window)).toHaveAccessibleName("通知");
    await popover(other).getByRole("link", { name: "查看全部" }).click();
    await expect(other.getByRole("heading", { name: "通知", level: 1 })).toBeVisible();
  });

  test("leads to the list of the hosts of a notice, and from there to all", async ({
    page,
    api,
    database,
    client,
    hosts: [first, second, third],
    signIn,
  }) => {
    for (const host of [first, second, third]) await assignHost(api, host, client, 30);
    await insertNotices(database, client, [{ hostIds: [first.id, second.id] }]);
    await signIn(page, "/hosts", client);
    await expect(page.getByText("3 台", { exact: true })).toBeVisible();

    await bell(page).click();
    await popover(page).getByRole("link", { name: "2 台主机即将到期" }).click();

    await expect(page).toHaveURL(/noticeId=/);
    await expect(page.getByText("2 台", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "移除筛选：通知中的主机" }).click();
    await expect(page.getByText("3 台", { exact: true })).toBeVisible();
  });

  test("names the hosts of a notice in one line", async ({
    page,
    database,
    api,
    hosts,
    client,
    signIn,
  }) => {
    const [first, second, third] = hosts;
    for (const [index, host] of [first, second, third].entries()) {
      await assignHost(api, host, client, 3 + index);
    }
    await insertNotices(database, client, [
      { title: "3 台主机即将到期", hostIds: [first.id, second.id, third.id] },
      { title: "1 个续费申请已批准", hostIds: [first.id] },
      { title: "1 台主机已收回", message: "请联系管理员。" },
    ]);
    await signIn(page, "/dashboard", client);

    await bell(page).click();

    const entry = (title: string) => popover(page).getByRole("listitem").filter({ hasText: title });
    await expect(entry("3 台")).toContainText(`${first.name}、${second.name} 等 3 台`);
    await expect(entry("已批准")).toContainText(first.name);
    await expect(entry("已批准")).not.toContainText(/等|、/);
    // What was taken back is not named.
    await expect(entry("已收回")).toHaveText(/^1 台主机已收回.*未读请联系管理员。$/);
    await expectAccessible(page);
  });

  test("says at once what is urgent, and only that", async ({
    page,
    api,
    hosts: [, second],
    client,
    assignedHost,
    signIn,
  }) => {
    await signIn(page, "/dashboard", client);
    await expectLive(page);

    // Being given a host is no news that interrupts.
    await assignHost(api, second, client, 30);
    await assertOk(unassign({ root: api }, assignedHost.id, client.id));

    // Under the pointer it stays.
    await toast(page, "1 台主机已收回").hover();
    await expect(page.locator("[data-sonner-toast]")).toHaveCount(1);
    await expect(bell(page)).toHaveAccessibleName("通知，3 条未读");

    await toast(page, "1 台主机已收回").getByRole("button", { name: "查看" }).click();
    await expect(line(page, "1 台主机已收回")).toBeVisible();
  });

  test("is a link on a phone, with the same count", async ({
    openWindow,
    client,
    assignedHost: _,
    signIn,
  }) => {
    const phone = await openWindow(PHONE);
    await signIn(phone, "/dashboard", client);

    await phone.getByRole("banner").getByRole("link", { name: "通知，1 条未读" }).click();

    await expect(line(phone, "已为您分配 1 台主机")).toBeVisible();
    await expectAccessible(phone);
    const overflow = "document.documentElement.scrollWidth - window.innerWidth";
    expect(Number(await phone.evaluate(overflow))).toBeLessThanOrEqual(0);
  });
});

test.describe("通知", () => {
  test("lists by day what happened, filtered by kind and unread in the address", async ({
    page,
    database,
    api,
    hosts: [first],
    client,
    signIn,
  }) => {
    await assignHost(api, first, client, 3);
    await insertNotices(database, client, [
      { severity: "critical", hostIds: [first.id] },
      { age: DAY, type: "security.new_address", title: "新地址登录", link: null },
      { age: 5 * DAY, type: "renewal.approved", severity: "info", title: "1 个续费申请已批准" },
    ]);
    await signIn(page, "/dashboard", client);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("通知");
    await page.getByRole("option", { name: "通知" }).click();

    await expect(days(page)).toHaveCount(3);
    await expect(days(page).first()).toHaveAccessibleName(/ 今天$/);
    await expect(line(page, "1 台主机即将到期")).toContainText("紧急");
    await expect(line(page, "1 台主机即将到期")).toContainText(`${dateIn(3)} · 还有 3 天`);
    await expect(line(page, "新地址登录")).toContainText("注意");
    await expect(line(page, "续费申请已批准")).toContainText("提示");
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await expectContrast(page);

    await line(page, "新地址登录").getByRole("button", { name: "标为已读" }).click();
    await page.getByRole("radio", { name: "未读 3" }).click();
    await expect(page).toHaveURL(/unread=true/);
    await expect(line(page, "新地址登录")).toHaveCount(0);
    await page.getByLabel("通知的种类").selectOption("续费申请已批准");
    await expect(page).toHaveURL(/type=renewal\.approved/);

    await page.reload();
    await expect(days(page).getByRole("heading", { level: 3 })).toHaveText(["1 个续费申请已批准"]);
  });

  test("deletes a notice after asking, and says when there is none", async ({
    page,
    database,
    client,
    signIn,
  }) => {
    await insertNotices(database, client, [{ title: "1 台主机已到期" }]);
    await signIn(page, "/notices", client);

    await page.getByRole("button", { name: "删除通知：1 台主机已到期" }).click();
    await expect(dialog(page)).toContainText("“1 台主机已到期”");
    await submit(page, "删除", "通知已删除");

    await expect(page.getByText("暂无通知")).toBeVisible();
    await expect(page.getByText("续费申请有了结果时")).toBeVisible();
    expect((await inboxOf(client.api)).notices).toEqual([]);
  });

  test("has pages, and says when it cannot be read", async ({ page, database, client, signIn }) => {
    allowErrors(/503/);
    const notices = Array.from({ length: 23 }, (_, index) => {
      return { title: `第 ${index + 1} 条`, age: 10 * index };
    });
    await insertNotices(database, client, notices);
    const busy = { status: 503, json: { message: "服务暂时不可用，请稍后重试" } };
    await page.route(LIST, (route) => route.fulfill(busy));
    await signIn(page, "/notices", client);
    const alert = page.getByRole("main").getByRole("alert");
    await expect(alert).toContainText("服务暂时不可用，请稍后重试");

    await page.unroute(LIST);
    await alert.getByRole("button", { name: "重试" }).click();
    await page.getByRole("button", { name: "下一页" }).click();

    await expect(page).toHaveURL(/page=2/);
    await expect(line(page, "第 23 条")).toBeVisible();
  });

  test("a client asks for more time for all hosts of a notice", async ({
    page,
    database,
    api,
    hosts: [first, second],
    client,
    signIn,
  }) => {
    for (const host of [first, second]) await assignHost(api, host, client, 3);
    await insertNotices(database, client, [{ age: 0, hostIds: [first.id, second.id] }]);
    await signIn(page, "/notices?unread=true&type=assignment.expiring", client);

    await line(page, "2 台主机即将到期").getByRole("button", { name: "申请续费" }).click();
    // Its notice is read by now, and leaves the list of unread ones.
    await expect(line(page, "2 台主机即将到期")).toHaveCount(0);
    await submit(page, "提交 2 个申请", "续费申请已提交");

    for (const host of [first, second]) {
      const { data } = await client.api.get(`/api/hosts/${host.id}`);
      expect(data.openRenewal).toMatchObject({ requestedDuration: 30 });
    }

    await page.getByRole("radio", { name: "全部" }).click();
    await line(page, "2 台主机即将到期").getByRole("button", { name: "申请续费" }).click();
    await expect(toast(page, "已有未完成的续费申请")).toBeVisible();
  });

  test("a super admin extends the hosts of a notice, and reminds their clients", async ({
    page,
    database,
    api,
    hosts: [first, second],
    client,
    signIn,
  }) => {
    for (const host of [first, second]) await assignHost(api, host, client, 3);
    const { data: me } = await assertOk(api.get("/api/auth/me"));
    await insertNotices(database, me, [{ hostIds: [first.id, second.id] }]);
    await signIn(page, "/notices");
    const notice = line(page, "2 台主机即将到期");

    await notice.getByRole("button", { name: "提醒客户" }).click();
    await expect(dialog(page)).toContainText(`张客户2 台，使用至 ${dateIn(3)}`);
    await expectAccessible(page);
    await submit(page, "提醒 2 台的客户", "提醒客户完成", "2 台主机");
    expect((await inboxOf(client.api)).notices[0]).toMatchObject({ type: "assignment.expiring" });

    await notice.getByRole("button", { name: "延长" }).click();
    await dialog(page).getByRole("textbox", { name: "到期日" }).fill(dateIn(90));
    await submit(page, "修改 2 台的到期日", "修改到期日完成");
    await expect(notice).toContainText(dateIn(90));
  });
});

test.describe("提醒客户", () => {
  test("says of each host whether its clients were reminded, once a day", async ({
    page,
    api,
    hosts: [first, second],
    client,
    signIn,
  }) => {
    for (const host of [first, second]) await assignHost(api, host, client, 3);
    await signIn(page, `/hosts?host=${first.id}`);
    await page.getByRole("button", { name: "对 张客户 的操作" }).click();
    await page.getByRole("menuitem", { name: "提醒客户" }).click();
    await submit(page, "提醒 1 台的客户", "提醒客户完成", "1 台主机");

    await page.goto("/hosts?view=table");
    await openBatch(page, [first, second], "提醒客户");
    await dialog(page).getByRole("button", { name: "提醒 2 台的客户" }).click();

    await expect(batchStatus(page)).toContainText("成功 1");
    await expect(dialog(page).getByRole("listitem").first()).toContainText("今天已提醒过");
    await expectAccessible(page);
  });

  test("finds out whether it was done when its answer was lost", async ({
    page,
    api,
    hosts: [first],
    client,
    signIn,
  }) => {
    allowErrors(/ERR_CONNECTION_RESET/);
    await assignHost(api, first, client, 3);
    await signIn(page, "/hosts?view=table");
    await openBatch(page, [first], "提醒客户");
    await page.route(SEND, async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    });

    await dialog(page).getByRole("button", { name: "提醒 1 台的客户" }).click();

    await expect(dialog(page).getByRole("listitem")).toContainText("重新读取确认已完成");
  });
});
