import { assertOk } from "../harness/rest.ts";
import { configure, syncAll } from "../harness/server-fixture.ts";
import { boxOf, definition, dialog, expectLive, PHONE, submit } from "./actions.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";

test("shows what an account has left, and names the alert that it is below", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  const id = await configure(api, provider, { balanceAlert: 5000 });
  provider.control.setBalance({ available: 12_345.67, amount: 13_000.5 });
  await syncAll(api);
  await signIn(page, "/configs");
  await expectLive(page);
  const balance = definition(page, "余额");
  await expect(balance).toHaveText("¥12,345.67账户余额 ¥13,000.50读取于 刚刚");
  expect((await boxOf(page.getByRole("group", { name: "生产账号" }))).height).toBeLessThan(360);

  provider.control.setBalance({ available: 4_999.99, amount: 4_999.99 });
  await syncAll(api);
  await expect(balance).toHaveText("¥4,999.99低于预警 ¥5,000.00读取于 刚刚");
  await expectAccessible(page);

  await assertOk(api.put(`/api/hosts/configs/${id}`, { balanceAlert: null }));
  provider.control.setBalance({ available: -0.1, amount: -0.1 });
  await syncAll(api);
  await expect(balance).toHaveText("-¥0.10已欠费读取于 刚刚");
});

test("says that the balance of a key without the right to it is unknown", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  const fault = { kind: "retCode", retCode: 299 } as const;
  provider.control.addFaults({ action: "GetBalance", fault });
  await configure(api, provider);
  await syncAll(api);

  await signIn(page, "/configs");

  await expect(definition(page, "余额")).toHaveText("未知密钥可能无权读取余额");
  await expect(page.getByText("已完成")).toBeVisible();
});

test("sets, corrects and switches off the alert of a balance", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  await configure(api, provider);
  await signIn(page, "/configs");
  const field = dialog(page).getByLabel("余额预警");
  const save = dialog(page).getByRole("button", { name: "保存" });
  const open = () => page.getByRole("button", { name: "编辑 生产账号" }).click();
  await page.getByText("详细信息").click();

  await open();
  for (const [typed, error] of [
    ["许多", "请输入金额，例如 1000 或 99.50"],
    ["-1", "请输入 0 到 1,000,000,000 元之间的金额"],
    ["1000000000.01", "请输入 0 到 1,000,000,000 元之间的金额"],
    ["1.005", "最多两位小数，例如 99.50"],
  ] as const) {
    await field.fill(typed);
    await save.click();
    await expect(dialog(page).getByText(error)).toBeVisible();
    await expect(field).toHaveAttribute("aria-invalid", "true");
  }
  await expectAccessible(page);
  await field.fill("1,999.5");
  await submit(page, "保存", "更新成功");
  await expect(definition(page, "余额预警")).toHaveText("¥1,999.50");

  await open();
  await expect(field).toHaveValue("1999.50");
  await field.fill("");
  await submit(page, "保存", "更新成功");
  await expect(definition(page, "余额预警")).toHaveText("未开启");
});

test("folds what is seldom asked of a configuration, also on a phone", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  await page.setViewportSize(PHONE.viewport);
  await configure(api, provider, { remark: "备注", balanceAlert: 20_000 });
  await syncAll(api);
  await signIn(page, "/configs");
  const card = page.getByRole("group", { name: "生产账号" });
  await expect(definition(page, "余额")).toContainText("低于预警");
  expect((await boxOf(card)).height).toBeLessThan(400);
  await expect(definition(page, "API 地址")).toHaveCount(0);

  await card.getByText("详细信息").click();

  await expect(definition(page, "API 地址")).toContainText(provider.url);
  await expect(definition(page, "默认地域")).toContainText("cn-bj2");
  await expect(card.getByRole("button", { name: "测试连接" })).toBeVisible();
  await expectAccessible(page);
});
