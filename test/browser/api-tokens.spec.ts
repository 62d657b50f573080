import { makeToken } from "../harness/api-tokens.ts";
import { assertOk, restClient } from "../harness/rest.ts";
import { signIn as signInToApi } from "../harness/server-fixture.ts";
import { dateIn, dialog, toast } from "./actions.ts";
import { expect, expectAccessible, pressEscape, test } from "./fixtures.ts";

test("makes a token until a day, shows it once with an example, and revokes it", async ({
  page,
  server,
  signIn,
}) => {
  await signIn(page, "/account");
  await page.getByRole("button", { name: "新建令牌" }).click();
  await dialog(page).getByRole("button", { name: "创建令牌" }).click();
  await expect(dialog(page).getByText("名称不能为空")).toBeVisible();
  await dialog(page).getByLabel("名称").fill("月度报表");
  await dialog(page).getByRole("radio", { name: "30 天" }).click();
  await expect(dialog(page).getByText(`到期 ${dateIn(30)}`)).toBeVisible();
  await dialog(page).getByRole("radio", { name: "到期日" }).click();
  await dialog(page)
    .getByLabel(/^到期日/)
    .last()
    .fill(dateIn(7));
  await dialog(page).getByLabel("允许的地址").fill("127.0.0.1，不是地址");
  await dialog(page).getByRole("button", { name: "创建令牌" }).click();
  await expect(dialog(page).getByText(/请填写 IP 地址或网段/)).toBeVisible();
  await dialog(page).getByLabel("允许的地址").fill("127.0.0.1，10.0.0.0/8");
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "创建令牌" }).click();

  const created = page.getByRole("dialog", { name: "新的 API 令牌" });
  const token = await created.getByText(/^hct_/).textContent();
  await expect(created).toContainText(`curl -H "Authorization: Bearer ${token}"`);
  await pressEscape(page);
  await expect(created.getByRole("alert")).toContainText("请先保存，再勾选“我已保存”");
  await expectAccessible(page);
  const program = restClient(server.url, token ?? "");
  await assertOk(program.get("/api/hosts"));
  await expect(created.getByRole("button", { name: "完成" })).toBeDisabled();
  await created.getByRole("checkbox", { name: "我已保存" }).click();
  await created.getByRole("button", { name: "完成" }).click();

  const list = page.getByRole("list", { name: "API 令牌" });
  await expect(list).toContainText("只能从 127.0.0.1、10.0.0.0/8 使用");
  await expect(list).toContainText("只读");
  await expect(list).toContainText(`到期 ${dateIn(7)}`);
  await page.getByRole("button", { name: /^撤销令牌 月度报表/ }).click();
  await dialog(page).getByRole("button", { name: "撤销令牌" }).click();
  await expect(toast(page, "API 令牌已撤销")).toBeVisible();
  await expect(page.getByText("没有 API 令牌")).toBeVisible();
  expect((await program.get("/api/hosts")).status).toBe(401);
});

test("says beside the password that tokens stay, and revokes them all", async ({
  page,
  server,
  api,
  signIn,
}) => {
  const { client: program } = await makeToken(server.url, api);
  await makeToken(server.url, api, { name: "第二个" });
  await signIn(page, "/account");
  await expect(page.getByText("修改密码后，2 个有效的 API 令牌仍可使用")).toBeVisible();

  await page.getByRole("button", { name: "撤销全部令牌" }).click();
  await dialog(page).getByRole("button", { name: "撤销全部令牌" }).click();

  await expect(toast(page, "API 令牌已全部撤销")).toBeVisible();
  await expect(page.getByText("没有 API 令牌")).toBeVisible();
  expect((await program.get("/api/auth/me")).status).toBe(401);
});

test("lets a super admin see and revoke the tokens of a user", async ({
  page,
  server,
  admin,
  signIn,
}) => {
  const { client: program } = await makeToken(server.url, await signInToApi(server.url, admin));
  await signIn(page, `/users/${admin.id}`);

  await page.getByRole("button", { name: /^撤销令牌 月度报表/ }).click();
  await dialog(page).getByRole("button", { name: "撤销令牌" }).click();

  await expect(page.getByText("没有 API 令牌")).toBeVisible();
  expect((await program.get("/api/auth/me")).status).toBe(401);
});
