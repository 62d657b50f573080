import { dialog, toast } from "./actions.ts";
import { applyForRenewal, assignHost, createUser, signInToApi } from "./api.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";

test("shows an admin the own clients' hosts and requests, read-only", async ({ page, api, hosts, server, signIn }) => {
  const [first, second] = hosts;
  const admin = await createUser(api, { username: "li_guanli", name: "李管理", role: "admin" });
  const own = await createUser(api, { username: "zhang_kehu", name: "张客户", role: "client", adminId: admin.id });
  const other = await createUser(api, { username: "wang_kehu", name: "王客户", role: "client" });
  await assignHost(api, first, own, 5);
  await assignHost(api, first, other, 30);
  await assignHost(api, second, other, 30);
  await applyForRenewal(await signInToApi(server.url, other), first, 30);

  await signIn(page, "/dashboard", admin);
  const navigation = page.getByRole("navigation", { name: "主导航" }).getByRole("link");
  await expect(navigation).toHaveText(["仪表盘", "主机管理", "续费申请"]);
  await page.getByRole("link", { name: "主机管理", exact: true }).click();
  await expect(page.getByText("1 台", { exact: true })).toBeVisible();
  await expect(page.getByRole("tab")).toHaveCount(1);
  const host = page.getByRole("article");
  await expect(host).toContainText("张客户");
  await expect(host).toContainText("即将到期 5 天");
  await expect(host).not.toContainText("王客户");
  await expect(host.getByText(first.ipSet[0]?.IP ?? "", { exact: true })).toBeVisible();
  for (const action of [/分配/, /同步/, /申请续费/, /的操作$/]) {
    await expect(page.getByRole("button", { name: action })).toHaveCount(0);
  }
  await page.getByRole("radio", { name: "表格" }).click();
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await expectAccessible(page);

  await page.getByRole("link", { name: "续费申请" }).click();
  await expect(page.getByText("没有待处理的申请")).toBeVisible();
  await applyForRenewal(await signInToApi(server.url, own), first, 90);
  await expect(toast(page, "新的续费申请", "张客户")).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("button", { name: /^张客户 的 .* 续费申请详情$/ }).click();
  await expect(page).toHaveURL(/\/admin\/renewals\?renewal=/);
  await expect(dialog(page)).toContainText("90 天");
  await expect(page.getByRole("button", { name: /处理|标记完成|批准|取消申请/ })).toHaveCount(0);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();

  for (const path of ["/users", "/configs", "/system-config", "/renewals", "/super-admin/users", "/client/renewals"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/unauthorized$/);
    await expect(page.getByRole("heading", { name: "没有访问权限" })).toBeVisible();
    await expect(navigation).toHaveCount(3);
  }
  await expectAccessible(page);
  await page.goto("/hosts");
  await page.goto("/configs");
  await page.getByRole("button", { name: "返回上一页" }).click();
  await expect(page).toHaveURL(/\/hosts/);
  await expect(page.getByText("1 台", { exact: true })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(dialog(page).getByRole("combobox")).toBeFocused();
  await page.keyboard.type("管理");
  await expect(page.getByRole("option", { name: /主机管理/ })).toBeVisible();
  await expect(page.getByRole("option", { name: /用户管理|配置管理|同步/ })).toHaveCount(0);
});
