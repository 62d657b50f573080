import type { Page } from "@playwright/test";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { assign, decide, now, requestRenewal } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import {
  batchBar,
  countCalls,
  dateIn,
  dateText,
  dialog,
  editAssignment,
  goTo,
  openBatch,
  pickUser,
  submit,
  toast,
} from "./actions.ts";
import { assignHost, getHost } from "./api.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";

const MINUTE = 60;
const NEW_YORK = { timezoneId: "America/New_York", viewport: { width: 1440, height: 900 } };
const ZONE_NOTE = /这里的日期和时间都是北京时间（UTC\+8）/;

/** On the page of a host: opens the dialog that assigns it, and chooses 张客户. */
async function openAssignment(page: Page): Promise<void> {
  await page.getByRole("button", { name: "分配用户" }).click();
  await pickUser(page, "张客户");
  // A list of options that fades out is a dialog, too.
  await expect(page.getByRole("dialog", { name: "选择用户" })).toHaveCount(0);
}

/** Sets the clock of the computer wrong by so many seconds, before the first page is opened. */
async function setClockOff(page: Page, seconds: number): Promise<void> {
  await page.clock.install({ time: (now() + seconds) * 1000 });
}

/** The time is the expected one, but for the seconds that the test itself takes. */
function expectNear(time: number | undefined, expected: number): void {
  expect(Math.abs((time ?? 0) - expected)).toBeLessThan(2 * MINUTE);
}

test.describe("a date of which only a part was typed", () => {
  test("is refused as the start of an assignment", async ({ page, hosts, client: _, signIn }) => {
    await signIn(page, `/hosts?host=${hosts[0].id}`);
    await openAssignment(page);
    const sent = countCalls(page, "hosts.assign");
    const start = dialog(page).getByLabel("开始时间");

    await start.focus();
    await page.keyboard.type("01022027");
    await expect(dialog(page)).toContainText("填写有效的开始时间后显示到期时间");
    await page.keyboard.press("Enter");

    await expect(dialog(page).getByText("开始时间不完整")).toBeVisible();
    await expect(start).toBeFocused();

    await start.fill("2027-01-02T08:00");
    await expect(dialog(page).getByText("开始时间不完整")).toBeHidden();
    await start.press("Delete");
    await dialog(page).getByRole("button", { name: "分配", exact: true }).click();
    await expect(dialog(page).getByText("开始时间不完整")).toBeVisible();
    expect(sent()).toBe(0);
  });

  test("is refused as the common day of renewals", async ({
    page,
    client,
    assignedHost,
    signIn,
  }) => {
    await signIn(page, "/hosts?view=table", client);
    await openBatch(page, [assignedHost], "申请续费");
    await dialog(page).getByRole("radio", { name: "同一天" }).click();
    const sent = countCalls(page, "renewals.createBatch");

    await dialog(page).getByLabel("统一到期日").focus();
    await page.keyboard.type("12");
    await dialog(page).getByRole("button", { name: "提交 1 个申请" }).click();

    await expect(dialog(page).getByText("统一到期日不完整")).toBeVisible();
    expect(sent()).toBe(0);
  });
});

test.describe("a computer whose clock is wrong", () => {
  test("by a day ahead assigns a host for 365 days", async ({
    page,
    api,
    hosts,
    client: _,
    signIn,
  }) => {
    await setClockOff(page, DAY_SECONDS);
    await signIn(page, `/hosts?host=${hosts[0].id}`);
    await openAssignment(page);
    await expect(dialog(page)).toContainText(`将于 ${dateIn(365)}`);
    await dialog(page).getByRole("button", { name: "分配", exact: true }).click();

    await expect(toast(page, "分配成功", "有效期 365 天")).toBeVisible();
    const [user] = (await getHost(api, hosts[0])).users;
    expectNear(user?.assignedExpireTime, now() + 365 * DAY_SECONDS);
  });

  test("by three days ahead begins a period again at the server's now", async ({
    page,
    api,
    hosts,
    client,
    signIn,
  }) => {
    const period = { from: -50 * DAY_SECONDS, to: 40 * DAY_SECONDS };
    await assign({ root: api }, hosts[0].id, client.id, period);
    await setClockOff(page, 3 * DAY_SECONDS);
    await signIn(page, `/hosts?host=${hosts[0].id}`);
    await editAssignment(page);

    await dialog(page).getByRole("radio", { name: "90 天" }).click();
    await dialog(page).getByRole("button", { name: "从现在起算" }).click();
    await dialog(page).getByRole("button", { name: "保存" }).click();

    await expect(toast(page, "有效期已更新", "有效期 90 天")).toBeVisible();
    const [user] = (await getHost(api, hosts[0])).users;
    expectNear(user?.assignedAt, now());
  });

  test("by ten days ahead shows the days left by the server's clock", async ({
    page,
    client,
    assignedHost,
    signIn,
  }) => {
    await requestRenewal(client.api, assignedHost.id, 30);
    await setClockOff(page, 10 * DAY_SECONDS);

    await signIn(page, "/renewals");

    const request = page.getByRole("row").filter({ hasText: assignedHost.name });
    await expect(request.getByTitle("还有 30 天")).toBeVisible();
    await expect(request).toContainText("等待不到 1 小时");

    await goTo(page, `/hosts?host=${assignedHost.id}`);

    await expect(page.getByText("刚刚").first()).toBeVisible();
    await expect(page.getByRole("article").getByTitle("还有 30 天").first()).toBeVisible();
  });
});

test.describe("in another time zone", () => {
  test("super admin and client read the same last day, and which zone is meant", async ({
    page,
    api,
    hosts,
    client,
    signIn,
    openWindow,
  }) => {
    // Half an hour after midnight in Shanghai, when it is still the day before in New York.
    const firstDay = dateIn(-10);
    const lastDay = dateIn(80);
    const at = (day: string) => Date.parse(`${day}T00:30:00+08:00`) / 1000;
    const period = { from: at(firstDay) - now(), to: at(lastDay) - now() };
    await assign({ root: api }, hosts[0].id, client.id, period);
    const abroad = await openWindow(NEW_YORK);

    await signIn(page, `/hosts?host=${hosts[0].id}`);
    await signIn(abroad, `/hosts?host=${hosts[0].id}`, client);

    await expect(page.getByText(`${firstDay} 至 ${lastDay}`)).toBeVisible();
    await expect(page.getByText(ZONE_NOTE)).toHaveCount(0);
    await expect(abroad.getByText(`${firstDay} 00:30`)).toBeVisible();
    await expect(abroad.getByText(`${lastDay} 00:30`)).toBeVisible();
    await expect(abroad.getByText(ZONE_NOTE)).toBeVisible();
    await expectAccessible(abroad);

    await abroad.emulateMedia({ media: "print" });
    await expect(abroad.getByText(ZONE_NOTE)).toBeVisible();
  });

  test("a typed start is a time of Shanghai", async ({
    api,
    hosts,
    client: _,
    signIn,
    openWindow,
  }) => {
    const abroad = await openWindow(NEW_YORK);
    await signIn(abroad, `/hosts?host=${hosts[0].id}`);
    await openAssignment(abroad);

    await dialog(abroad).getByLabel("开始时间（北京时间）").fill("2026-03-01T07:30");
    await expect(dialog(abroad)).toContainText("自 2026-03-01 07:30 起共 365 天");
    await dialog(abroad).getByRole("button", { name: "分配", exact: true }).click();

    await expect(toast(abroad, "分配成功")).toBeVisible();
    const [user] = (await getHost(api, hosts[0])).users;
    expect(user?.assignedAt).toBe(Date.parse("2026-03-01T07:30:00+08:00") / 1000);
  });

  test("a common last day of renewals is one of Shanghai", async ({
    client,
    assignedHost,
    signIn,
    openWindow,
  }) => {
    const abroad = await openWindow(NEW_YORK);
    await signIn(abroad, "/hosts?view=table", client);
    await openBatch(abroad, [assignedHost], "申请续费");
    await dialog(abroad).getByRole("radio", { name: "同一天" }).click();
    const day = dateIn(100);
    const request = abroad.waitForRequest(/renewals\.createBatch/);

    await dialog(abroad).getByLabel("统一到期日（北京时间）").fill(day);
    await dialog(abroad).getByRole("button", { name: "提交 1 个申请" }).click();

    const untilDate = Date.parse(`${day}T23:59:59+08:00`) / 1000;
    expect((await request).postData()).toContain(`"untilDate":${untilDate}`);
  });
});

test("names the hosts whose assignments a batch would shorten, and asks first", async ({
  page,
  api,
  hosts,
  client,
  signIn,
}) => {
  const [renewed, other] = hosts;
  await assignHost(api, renewed, client, 35);
  const request = await requestRenewal(client.api, renewed.id, 300);
  await assertOk(decide({ root: api }, request, "completed"));
  const endOfRenewed = async () => (await getHost(api, renewed)).users[0]?.assignedExpireTime ?? 0;
  const end = await endOfRenewed();
  await signIn(page, "/hosts?view=table");
  await openBatch(page, [renewed, other], "分配");
  await pickUser(page, "张客户");
  await dialog(page).getByRole("radio", { name: "90 天" }).click();

  await expect(dialog(page)).toContainText("其中 1 台主机现有的有效期更长，将保持不变");
  const later = dialog(page).getByRole("list", { name: "现有有效期更长的主机" });
  await expect(later).toContainText(`${renewed.name} ${renewed.ucloudId}：到 ${dateText(end)}`);
  await expectAccessible(page);

  await dialog(page).getByRole("button", { name: "分配 2 台" }).click();
  const results = dialog(page).getByRole("list", { name: "每台主机的结果" }).getByRole("listitem");
  await expect(results.first()).toContainText(`该用户现有的有效期到 ${dateText(end)}`);
  expect(await endOfRenewed()).toBe(end);

  await dialog(page).getByRole("button", { name: "完成" }).click();
  await expect(batchBar(page)).toContainText("已选 1 台主机");
  await batchBar(page).getByRole("button", { name: "分配", exact: true }).click();
  await pickUser(page, "张客户");
  await dialog(page).getByRole("radio", { name: "90 天" }).click();
  await dialog(page).getByRole("checkbox", { name: "也缩短现有有效期更长的主机" }).click();
  await expect(dialog(page)).toContainText("将缩短到这次的到期时间");
  await submit(page, "分配 1 台", "分配完成", "1 台主机");

  expect(dateText(await endOfRenewed())).toBe(dateIn(90));
});
