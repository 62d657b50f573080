import { now } from "../harness/data.ts";
import { enableSecondFactor } from "../harness/second-factor.ts";
import { dateIn, goTo, submitSignIn } from "./actions.ts";
import { allowErrors, expect, expectAccessibleScreen, test } from "./fixtures.ts";

test("lists who did what by day, and opens an entry to what it changed", async ({
  page,
  assignedHost,
  client,
  signIn,
}) => {
  await signIn(page, "/dashboard");
  await page.getByRole("link", { name: "审计日志" }).click();
  await expect(page).toHaveURL(/\/audit$/);
  const line = page.getByRole("listitem").filter({ hasText: "分配主机" });
  await expect(line).toContainText("系统管理员");
  await expect(line).toContainText(assignedHost.name);
  await expect(line.getByText(/^\d{2}:\d{2}:\d{2}$/)).toBeVisible();

  await line.getByRole("button", { name: "展开详情：分配主机" }).click();

  await expect(line).toContainText(client.name);
  await expect(line.getByText(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)).toBeVisible();
  await expect(line).toContainText(`用户到期${dateIn(30)}`);
  await expect(line.getByText("hosts.assign")).toBeVisible();
  await expect(line.getByRole("button", { name: "复制请求编号" })).toBeVisible();
  await expectAccessibleScreen(page);
  await line.getByRole("link", { name: assignedHost.name }).click();
  await expect(page).toHaveURL(new RegExp(`/hosts\\?host=${assignedHost.id}`));
});

test("filters by action, result, actor and search in the address, undone by back", async ({
  page,
  admin,
  client,
  signIn,
}) => {
  await signIn(page, "/audit");
  const lines = page.getByRole("main").getByRole("listitem");
  await page.getByLabel("操作", { exact: true }).selectOption("users.create");
  await expect(page).toHaveURL(/action=users\.create/);
  await expect(lines).toHaveCount(2);
  await expect(lines.first()).toContainText(client.name);

  await page.getByLabel("结果").selectOption("denied");
  await expect(page.getByText("没有符合条件的操作记录")).toBeVisible();
  await page.goBack();
  await expect(lines).toHaveCount(2);
  await page.getByRole("button", { name: "清除筛选" }).first().click();
  await page.getByRole("combobox", { name: "操作者" }).click();
  await page.getByRole("option", { name: /李管理/ }).click();
  await expect(page).toHaveURL(new RegExp(`actorId=${admin.id}`));
  await expect(page.getByText("没有符合条件的操作记录")).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: "清除筛选" }).first().click();
  await page.getByRole("searchbox", { name: "搜索操作记录" }).fill("李管理");
  await expect(lines).toHaveCount(1);
});

test("is reached from a user with what was done to this user, and what this user did", async ({
  page,
  client,
  otherClient,
  signIn,
}) => {
  await signIn(page, `/users/${client.id}`);
  await page.getByRole("link", { name: "对此用户的操作" }).click();

  await expect(page).toHaveURL(new RegExp(`subjectId=${client.id}`));
  const main = page.getByRole("main");
  await expect(main.getByText(`用户：${client.name}`)).toBeVisible();
  await expect(main.getByRole("listitem").getByText("创建用户")).toBeVisible();
  await expect(main.getByText(otherClient.name)).toHaveCount(0);
  await page.getByRole("button", { name: /^移除筛选/ }).click();
  await expect(main.getByText(otherClient.name).first()).toBeVisible();

  await goTo(page, `/users/${client.id}`);
  await page.getByRole("link", { name: "此用户的操作", exact: true }).click();

  await expect(page).toHaveURL(new RegExp(`actorId=${client.id}`));
  const lines = main.getByRole("listitem");
  await expect(lines).toHaveCount(1);
  await expect(lines).toContainText(`${client.name}登录`);
});

test("shows everybody their own sign-ins in 个人设置, failed ones too", async ({
  page,
  client,
}) => {
  allowErrors(/401/);
  await page.goto("/login");
  await submitSignIn(page, { username: client.username, password: "Wrong1Horse" });
  await expect(page.getByText("登录失败")).toBeVisible();
  await submitSignIn(page, client);
  await expect(page).toHaveURL(/\/dashboard/);

  await page.goto("/account");

  const list = page.getByRole("list", { name: "近期登录与安全记录" });
  const failed = list.getByRole("listitem").filter({ hasText: "失败" });
  await expect(failed).toContainText("127.0.0.1");
  await expect(failed).toContainText("Chrome");
  await expect(list.getByRole("listitem").first()).toContainText("成功");
});

test("tells a sign-in from a password that waits for a code, in both lists", async ({
  page,
  client,
  signIn,
  openWindow,
}) => {
  const { recoveryCodes } = await enableSecondFactor(client.api, now());
  await page.goto("/login");
  await submitSignIn(page, client);
  await page.getByText("丢失设备？").click();
  await page.getByRole("button", { name: "使用恢复码" }).click();
  await page.getByLabel("恢复码", { exact: true }).fill(recoveryCodes[0] ?? "");
  await page.getByRole("button", { name: "验证并登录" }).click();
  await expect(page).toHaveURL(/\/dashboard/);

  await page.goto("/account");
  const admins = await openWindow();
  await signIn(admins, `/audit?action=auth&subjectId=${client.id}`);

  const own = page.getByRole("list", { name: "近期登录与安全记录" }).getByRole("listitem");
  for (const lines of [own, admins.getByRole("main").getByRole("listitem")]) {
    await expect(lines.first()).toContainText("使用恢复码，剩 9 个");
    await expect(lines.nth(1)).toContainText("密码正确，等待验证码");
  }
});
