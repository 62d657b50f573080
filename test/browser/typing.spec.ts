import type { Locator } from "@playwright/test";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { dialog, fillConfig, fillUser, recordCalls, submit } from "./actions.ts";
import { expect, test } from "./fixtures.ts";

/** Inserts the text all at once, as from the clipboard. */
async function paste(field: Locator, text: string): Promise<void> {
  await field.focus();
  await field.page().keyboard.insertText(text);
}

test("keeps the caret where a blank was typed into a phone number", async ({ page, signIn }) => {
  await signIn(page, "/users");
  await fillUser(page);
  const phone = dialog(page).getByLabel("手机号");
  await phone.fill("13800138000");
  // Before the last four digits.
  for (const _ of "8000") await phone.press("ArrowLeft");

  await phone.pressSequentially(" 9");

  await expect(phone).toHaveValue("138001398000");
});

test("says that a pasted text is too long instead of cutting it", async ({ page, signIn }) => {
  await signIn(page, "/users");
  await fillUser(page);
  const form = dialog(page);
  const long = { 用户名: "u".repeat(60), 姓名: "名".repeat(120), 手机号: "138001380001" };
  for (const [label, text] of Object.entries(long)) {
    await form.getByLabel(label).fill("");
    await paste(form.getByLabel(label), text);
    await expect(form.getByLabel(label)).toHaveValue(text);
  }
  await form.getByLabel("密码", { exact: true }).fill("");
  await paste(form.getByLabel("密码", { exact: true }), `Aa1${"x".repeat(140)}`);

  await form.getByRole("button", { name: "创建" }).click();

  await expect(form.getByText("用户名最多 50 个字符")).toBeVisible();
  await expect(form.getByText("密码长度必须为 8-128 个字符")).toBeVisible();
  await expect(form.getByText("姓名最多 100 个字符")).toBeVisible();
  await expect(form.getByText("手机号格式不正确")).toBeVisible();
});

test("keeps a search that is too long, says so, and sends nothing", async ({
  page,
  client,
  signIn,
}) => {
  await signIn(page, "/users");
  await expect(page.getByText(client.name)).toBeVisible();
  const box = page.getByRole("searchbox", { name: "搜索用户" });
  const calls = recordCalls(page);
  const long = "长".repeat(101);

  await paste(box, long);
  await box.press("Enter");

  await expect(page.getByRole("alert")).toHaveText("搜索内容最多 100 个字符");
  await expect(box).toHaveValue(long);
  await expect(page.getByText(client.name)).toBeVisible();

  await box.fill(client.username);
  await expect(page.getByRole("alert")).toBeHidden();
  await expect.poll(() => calls.some((call) => call.includes(client.username))).toBe(true);
  expect(calls.filter((call) => call.includes(long))).toEqual([]);
});

test("writes full-width digits of a period half-width", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  await signIn(page, `/hosts?host=${assignedHost.id}`, client);
  await page.getByRole("button", { name: "申请续费" }).first().click();
  await dialog(page).getByRole("radio", { name: "自定义" }).click();

  await paste(dialog(page).getByLabel("自定义天数"), "４５");

  await expect(dialog(page).getByLabel("自定义天数")).toHaveValue("45");
  await submit(page, "提交申请", "续费申请已提交", "45 天");
});

test("finds a host by a search in full-width letters and digits", async ({
  page,
  hosts,
  signIn,
}) => {
  await signIn(page, "/hosts?view=table");
  const box = page.getByRole("searchbox", { name: "搜索主机" });
  const wide = hosts[0].ucloudId.replace(/[!-~]/g, (sign) =>
    String.fromCharCode(sign.charCodeAt(0) + 0xfee0),
  );

  await paste(box, wide);

  await expect(box).toHaveValue(hosts[0].ucloudId);
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("row").last()).toContainText(hosts[0].name);
});

test("writes username, e-mail and phone number of a user half-width", async ({
  page,
  api,
  signIn,
}) => {
  await signIn(page, "/users");
  await fillUser(page);
  const form = dialog(page);
  await form.getByLabel("用户名").fill("");

  await paste(form.getByLabel("用户名"), "ｚｈａｎｇ＿１");
  await paste(form.getByLabel("邮箱"), "ｚ＠ｅｘａｍｐｌｅ．ｃｏｍ");
  await paste(form.getByLabel("手机号"), "（+86）１３８ ００１３ ８０００");
  await submit(page, "创建", "创建成功");

  const { data } = await api.get("/api/users?search=zhang_1");
  expect(data.users[0]).toMatchObject({
    username: "zhang_1",
    email: "z@example.com",
    phone: "13800138000",
  });
});

test("writes address, keys and project ids of a configuration half-width", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  await signIn(page, "/configs");
  await fillConfig(page, provider.url);
  const form = dialog(page);
  const [host = "", port = ""] = provider.url.replace("http://", "").split(":");
  const key = MAIN_KEYS.publicKey;

  await form.getByLabel("公钥").fill("");
  await paste(form.getByLabel("公钥"), `\u200b${key.slice(0, 4)}\u200b${key.slice(4)}`);
  await form.getByLabel("API 地址").fill("");
  await paste(form.getByLabel("API 地址"), `ｈｔｔｐ：／／${host}：${port}`);
  await paste(form.getByLabel("项目 ID"), "ｏｒｇ－１，org-\u200b2");
  await submit(page, "创建", "创建成功");

  const { data } = await api.get("/api/hosts/configs/list");
  expect(data[0]).toMatchObject({ apiUrl: provider.url, projectIds: ["org-1", "org-2"] });
  expect(data[0].publicKey).toBe(`${key.slice(0, 4)}****${key.slice(-4)}`);
});

test("signs in with a username in full-width letters before a blank", async ({ page, client }) => {
  await page.goto("/login");

  await paste(page.getByLabel("用户名"), "ｚｈａｎｇ＿ｋｅｈｕ ");
  await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "登录", exact: true }).click();

  await expect(page.getByRole("banner").getByText(client.name)).toBeVisible();
});
