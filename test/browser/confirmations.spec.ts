import { buildConfig } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { actOnUser, dialog, row, toast } from "./actions.ts";
import { createUser } from "./api.ts";
import { allowErrors, expect, expectAccessible, test } from "./fixtures.ts";

test("a confirmation without an answer stays, says so, and is confirmed once more", async ({
  page,
  api,
  signIn,
}) => {
  allowErrors(/ERR_CONNECTION_REFUSED/);
  await createUser(api, { username: "zhang_kehu", name: "张客户", role: "client" });
  await signIn(page, "/users");
  await actOnUser(page, "张客户", "删除");
  const confirm = dialog(page).getByRole("button", { name: "删除用户" });
  const calls = /\/trpc\/.*users\.delete/;
  await page.route(calls, (route) => route.abort("connectionrefused"));

  await confirm.click();
  await expect(dialog(page).getByRole("alert")).toContainText("没有得到“删除”的结果");
  await expectAccessible(page);
  await expect(toast(page, "操作结果未知")).toHaveCount(0);

  await page.unroute(calls);
  await confirm.click();

  await expect(toast(page, "删除成功", "张客户 · @zhang_kehu")).toBeVisible();
  await expect(dialog(page)).toBeHidden();
  await expect(row(page, "zhang_kehu")).toHaveCount(0);
});

test("a confirmation says why it failed, also of what is not on the page any more", async ({
  page,
  api,
  signIn,
}) => {
  allowErrors(/404/);
  await assertOk(api.post("/api/hosts/configs", buildConfig({ name: "主账号", isActive: false })));
  const { data } = await assertOk(
    api.post("/api/hosts/configs", buildConfig({ name: "备用账号", isActive: false })),
  );
  await signIn(page, "/configs");
  await page.getByRole("button", { name: "删除 备用账号" }).click();
  await assertOk(api.delete(`/api/hosts/configs/${data.id}`));
  await expect(page.getByRole("group", { name: "备用账号", includeHidden: true })).toHaveCount(0);

  await dialog(page).getByRole("button", { name: "删除配置" }).click();

  const failure = dialog(page).getByRole("alert");
  await expect(failure).toContainText("删除失败");
  await expect(failure).toContainText("配置不存在或已被删除");
  await dialog(page).getByRole("button", { name: "取消" }).click();
  await expect(dialog(page)).toBeHidden();
});
