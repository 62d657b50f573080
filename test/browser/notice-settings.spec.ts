import type { Page } from "@playwright/test";
import { v7 } from "uuid";
import type { CreateChannelInput } from "../../src/shared/notice-channels.ts";
import { NoticeType } from "../../src/shared/notices.ts";
import { now } from "../harness/data.ts";
import { insertRows, type TestDatabase } from "../harness/database.ts";
import { answering, type Receiver, startReceiver } from "../harness/receiver.ts";
import { buildReminderSettings } from "../harness/reminders.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";
import { dialog, expectLive, PHONE, submit, toast } from "./actions.ts";
import type { Hosts } from "./api.ts";
import { test as base, expect, expectAccessible } from "./fixtures.ts";

const SETTINGS = "/api/reminder-settings";
const CHANNELS = "/api/notice-channels";
const WEBHOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** The server may call the receiver, which is the other side of channels. */
const test = base.extend<{ readonly receiver: Receiver }>({
  receiver: async ({ site }, use) => {
    await using receiver = await startReceiver({ port: site.ports.receiver });
    await use(receiver);
  },
});

/** A webhook that leads to the receiver. */
function buildChannel({ origin }: Receiver, name = "工单系统"): CreateChannelInput {
  const config = { url: `${origin}/hooks/hosts`, secret: WEBHOOK_SECRET };
  return { name, type: "webhook", config, types: ["assignment.expiring"] };
}

async function addChannel(api: RestClient, channel: CreateChannelInput): Promise<string> {
  return String((await assertOk(api.post(CHANNELS, channel))).data.id);
}

/** A channel in the list. */
const card = (page: Page, name: string) => page.getByRole("group", { name, exact: true });

/** The lines of the ledger; each may hold lists of its own. */
const reminders = (page: Page) => page.getByRole("main").locator("section > ul > li");

/** Opens the dialog for a new channel of this type. */
async function openNewChannel(page: Page, type: string): Promise<void> {
  await page.getByRole("button", { name: "新增渠道" }).click();
  await page.getByRole("menuitem", { name: type }).click();
}

test.describe("通知设置: the rules of reminders", () => {
  test("are typed and removed as chips, and say what they mean", async ({ page, api, signIn }) => {
    await assertOk(api.put(SETTINGS, buildReminderSettings()));
    await signIn(page);
    await page.getByRole("link", { name: "通知设置" }).click();
    await expect(
      page.getByText("到期前 30、7、3、1 天和当天 09:00 提醒客户、其负责人和超级管理员"),
    ).toBeVisible();

    const marks = page.getByRole("list", { name: "分配到期提醒的天数" });
    await page.getByLabel("分配到期提醒", { exact: true }).fill("14");
    await page.keyboard.press("Enter");
    await expect(marks.getByRole("listitem")).toHaveText([
      "30 天",
      "14 天",
      "7 天",
      "3 天",
      "1 天",
      "到期当天",
    ]);
    await page.keyboard.press("Backspace");
    await marks.getByRole("button", { name: "移除 30 天" }).press("Enter");
    await page.getByLabel("发送时间").fill("08:30");
    await page.getByLabel("负责管理员").click();
    await expect(
      page.getByText("到期前 14、7、3、1 天的 08:30 提醒客户和超级管理员"),
    ).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "保存", exact: true }).click();

    await expect(toast(page, "提醒规则已保存")).toBeVisible();
    expect((await api.get(SETTINGS)).data).toEqual(
      buildReminderSettings({
        assignmentMarks: [14, 7, 3, 1],
        sendAt: "08:30",
        recipients: { client: true, admin: false, superAdmin: true },
      }),
    );
    await expect(page.getByRole("button", { name: "保存", exact: true })).toBeDisabled();
  });

  test("refuse what the server would refuse, under the field", async ({ page, signIn }) => {
    await signIn(page, "/notice-settings");
    const marks = page.getByLabel("分配到期提醒", { exact: true });

    await marks.fill("91");
    await marks.press("Enter");
    await expect(page.getByText("提醒天数最多为90天")).toBeVisible();
    await marks.fill("7");
    await marks.press("Enter");
    await expect(page.getByText("分配到期提醒不能重复")).toBeVisible();
    await expect(marks).toHaveAttribute("aria-invalid", "true");

    await marks.fill("");
    await page.getByLabel("发送时间").fill("");
    await page.getByRole("button", { name: "保存", exact: true }).click();
    await expect(page.getByText("发送时间格式应为 HH:mm")).toBeVisible();

    await page.getByRole("button", { name: "恢复默认" }).click();
    await expect(page.getByLabel("发送时间")).toHaveValue("09:00");
    await expect(page.getByRole("button", { name: "保存", exact: true })).toBeDisabled();
  });

  test("keep what is not saved, and follow what somebody else saves", async ({
    page,
    api,
    signIn,
  }) => {
    await assertOk(api.put(SETTINGS, buildReminderSettings()));
    await signIn(page, "/notice-settings");
    await page.getByLabel("发送时间").fill("10:15");
    await page.getByLabel("C端用户").click();
    await page.getByRole("link", { name: "配置管理" }).click();
    await page.getByRole("link", { name: "通知设置" }).click();
    await expect(page.getByLabel("发送时间")).toHaveValue("10:15");
    await expectLive(page);

    const others = { client: true, admin: false, superAdmin: true };
    await assertOk(
      api.put(SETTINGS, buildReminderSettings({ hostMarks: [5], recipients: others })),
    );

    await expect(page.getByRole("status").filter({ hasText: "刚刚被其他人修改" })).toBeVisible();
    await expect(page.getByRole("list", { name: "云端到期提醒的天数" })).toHaveText("5 天");
    await page.getByRole("button", { name: "保存", exact: true }).click();
    await expect(toast(page, "提醒规则已保存")).toBeVisible();
    expect((await api.get(SETTINGS)).data).toEqual(
      buildReminderSettings({
        hostMarks: [5],
        sendAt: "10:15",
        recipients: { client: false, admin: false, superAdmin: true },
      }),
    );
  });
});

test.describe("通知设置: channels", () => {
  test("are added with a generated secret and tested at once", async ({
    page,
    receiver,
    signIn,
  }) => {
    await signIn(page, "/notice-settings?tab=channels");
    await expect(page.getByText("还没有渠道")).toBeVisible();
    await openNewChannel(page, "Webhook");
    await expectAccessible(page);

    await dialog(page).getByLabel("渠道名称").fill("工单系统");
    await dialog(page).getByLabel("地址", { exact: true }).fill(`${receiver.origin}/hooks`);
    await dialog(page).getByRole("button", { name: "生成" }).click();
    await expect(dialog(page).getByLabel("密钥", { exact: true })).toHaveValue(/^whsec_.{44}$/);
    await submit(page, "新增并测试", "新增成功", "工单系统");

    await expect(card(page, "工单系统")).toContainText("测试成功");
    expect(receiver.calls).toHaveLength(1);
    expect(receiver.calls[0]?.headers).toHaveProperty("webhook-signature");
    await expect(card(page, "工单系统")).toContainText(`${receiver.origin}/••••`);
    await expect(card(page, "工单系统")).toContainText("还没有发送过");
  });

  test("come into view with the result of their test, however many there are", async ({
    page,
    api,
    receiver,
    signIn,
  }) => {
    for (let number = 1; number <= 12; number += 1) {
      await addChannel(api, buildChannel(receiver, `渠道 ${number}`));
    }
    await signIn(page, "/notice-settings?tab=channels");
    await openNewChannel(page, "Webhook");
    await dialog(page).getByLabel("渠道名称").fill("最后一个");
    await dialog(page).getByLabel("地址", { exact: true }).fill(`${receiver.origin}/hooks`);
    await dialog(page).getByRole("button", { name: "生成" }).click();

    await submit(page, "新增并测试", "新增成功", "最后一个");

    await expect(card(page, "最后一个").getByText("测试成功")).toBeInViewport();
  });

  test("say that messages wait while a channel is paused", async ({
    page,
    api,
    database,
    receiver,
    signIn,
  }) => {
    await addChannel(api, buildChannel(receiver));
    await database.query("update notice_channels set paused_until = $1", [now() + 3_000]);

    await signIn(page, "/notice-settings?tab=channels");

    await expect(card(page, "工单系统")).toContainText(/消息都在等待，\d{2}:\d{2} 再试/);
    await expectAccessible(page);
  });

  test("show what the other side answers to a test", async ({ page, api, receiver, signIn }) => {
    receiver.reset(answering(200, { errcode: 310_000, errmsg: "sign not match" }));
    const config = { url: `${receiver.origin}/robot`, secret: "SECexample" };
    await addChannel(api, { ...buildChannel(receiver, "运维群"), type: "dingtalk", config });
    await signIn(page, "/notice-settings?tab=channels");

    await card(page, "运维群").getByRole("button", { name: "测试" }).click();

    await expect(card(page, "运维群")).toContainText("测试未通过");
    await expect(card(page, "运维群")).toContainText("错误码 310000");
    await expectAccessible(page);
  });

  test("are edited without their secrets, switched off and deleted", async ({
    page,
    api,
    receiver,
    signIn,
  }) => {
    const id = await addChannel(api, buildChannel(receiver));
    await signIn(page, "/notice-settings?tab=channels");
    await page.getByRole("button", { name: "编辑 工单系统" }).click();
    await expect(dialog(page).getByLabel("密钥", { exact: true })).toHaveValue("");
    await dialog(page).getByLabel("渠道名称").fill("值班系统");
    await submit(page, "保存", "更新成功", "值班系统");
    await assertOk(api.post(`${CHANNELS}/${id}/test`));
    expect(receiver.calls.map(({ url }) => url.pathname)).toEqual(["/hooks/hosts"]);

    await page.getByRole("switch", { name: "启用 值班系统" }).click();
    await expect(toast(page, "渠道已停用", "值班系统")).toBeVisible();
    expect((await api.get(CHANNELS)).data).toMatchObject([{ name: "值班系统", isActive: false }]);

    await page.getByRole("button", { name: "删除 值班系统" }).click();
    await expect(dialog(page)).toContainText("确定删除渠道 值班系统");
    await submit(page, "删除渠道", "删除成功", "值班系统");
    await expect(page.getByText("还没有渠道")).toBeVisible();
  });

  test("choose their notices by groups, and the usual port of a mail server", async ({
    page,
    api,
    signIn,
  }) => {
    await signIn(page, "/notice-settings?tab=channels");
    await openNewChannel(page, "邮件");
    const form = dialog(page);
    await form.getByLabel("渠道名称").fill("公司邮箱");
    await form.getByLabel("服务器地址").fill("8.8.4.4");
    await form.getByLabel("发件人").fill("notice@example.com");
    await expect(form.getByLabel("端口")).toHaveValue("465");
    await form.getByLabel("加密方式").selectOption("STARTTLS");
    await expect(form.getByLabel("端口")).toHaveValue("587");

    await expect(form.getByLabel("全选")).toBeChecked();
    await form.getByLabel("全选").click();
    await form.getByLabel("续费", { exact: true }).click();
    await form.getByLabel("新的续费申请").click();
    await form.getByLabel("余额不足").click();
    await expect(form.getByLabel("续费", { exact: true })).toHaveAttribute("aria-checked", "mixed");
    await submit(page, "新增", "新增成功");

    await expect(card(page, "公司邮箱")).toContainText("续费（3/4）、同步与账号（1/4）");
    expect((await api.get(CHANNELS)).data).toMatchObject([
      {
        config: { port: 587, security: "starttls", user: null },
        types: NoticeType.options.filter(
          (type) => /^renewal\.(?!submitted)/.test(type) || type === "balance.low",
        ),
      },
    ]);
  });
});

test.describe("通知设置: the ledger", () => {
  test("shows a reminder and its delivery live, and is filtered in the address", async ({
    page,
    api,
    receiver,
    client,
    assignedHost,
    signIn,
  }) => {
    receiver.reset(answering(500));
    await addChannel(api, buildChannel(receiver));
    await signIn(page, "/notice-settings?tab=records");
    await expect(page.getByText("还没有发出提醒")).toBeVisible();
    await expectLive(page);

    await assertOk(api.post("/api/reminders/send", { hostIds: [assignedHost.id] }));

    const line = reminders(page);
    await expect(line).toContainText("张客户主机即将到期人工发送");
    await expect(line.getByRole("list", { name: "经渠道的发送" })).toContainText("未成功，将重试");
    await expect(line.getByRole("link", { name: assignedHost.name })).toHaveAttribute(
      "href",
      `/hosts?host=${assignedHost.id}`,
    );
    await expectAccessible(page);

    await page.getByLabel("发送状态").selectOption("已发送");
    await expect(page).toHaveURL(/tab=records&status=sent/);
    await expect(page.getByText("没有符合条件的提醒")).toBeVisible();
    await page.goto(`/notice-settings?tab=records&userId=${client.id}&hostId=${assignedHost.id}`);
    await expect(line).toHaveCount(1);
    await expect(page.getByRole("combobox", { name: "接收人" })).toContainText("张客户");
    await expect(page.getByRole("combobox", { name: "主机" })).toContainText(assignedHost.name);
  });

  test("names some hosts of a long reminder, and the others when asked, on a phone", async ({
    openWindow,
    database,
    client,
    hosts,
    signIn,
  }) => {
    await insertReminder(database, { recipient: client, hosts: hosts.slice(0, 9) });
    const phone = await openWindow(PHONE);
    await signIn(phone, "/notice-settings?tab=records");

    const line = reminders(phone);
    await expect(line).toContainText("提前 7 天");
    await expect(line).toContainText("只进入收件箱");
    await expect(line.getByRole("link", { name: hosts[8]?.name ?? "" })).toHaveCount(0);
    await line.getByRole("button", { name: "另有 5 台" }).click();
    await expect(line.getByRole("link", { name: hosts[8]?.name ?? "" })).toBeVisible();

    const overflow = "document.documentElement.scrollWidth - window.innerWidth";
    expect(Number(await phone.evaluate(overflow))).toBeLessThanOrEqual(0);
    await expectAccessible(phone);
  });
});

interface ReminderOptions {
  readonly recipient: { readonly id: string; readonly name: string };
  readonly hosts: readonly Hosts[number][];
}

/** A reminder of seven days that went to the inbox alone. */
async function insertReminder(
  database: TestDatabase,
  { recipient, hosts }: ReminderOptions,
): Promise<void> {
  const id = v7();
  const reminder = {
    id,
    type: "assignment.expiring",
    recipient_id: recipient.id,
    recipient_name: recipient.name,
    batch_id: v7(),
    notice_id: v7(),
    mark: 7,
    host_count: hosts.length,
    created_at: now(),
  };
  const reminderHosts = hosts.map((host) => ({
    id: v7(),
    reminder_id: id,
    recipient_id: recipient.id,
    host_id: host.id,
    host_name: host.name,
    assignment_id: v7(),
    expire_time: now() + 7 * 86_400,
    mark: 7,
    day: 0,
  }));

  await insertRows(database, "reminders", [reminder]);
  await insertRows(database, "reminder_hosts", reminderHosts);
}
