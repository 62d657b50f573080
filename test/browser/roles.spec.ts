import { requestRenewal } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { ROOT_USER } from "../harness/root-user.ts";
import { signIn as signInToApi } from "../harness/server-fixture.ts";
import { dialog, goTo, toast } from "./actions.ts";
import { addressOf, assignHost } from "./api.ts";
import { expect, expectAccessible, pressEscape, test } from "./fixtures.ts";

const REFUSED = "没有访问权限";
/** By role: a heading, and the paths that lead to it. */
const HEADINGS = {
  superAdmin: {
    仪表盘: ["/"],
    用户管理: ["/super-admin/users"],
    导入用户: ["/users/import"],
    导入分配: ["/hosts/import"],
    功能开发中: ["/super-admin/anything/else"],
    页面不存在: ["/nowhere"],
    [REFUSED]: ["/admin/anything", "/client/renewals", "/my-clients"],
  },
  admin: {
    功能开发中: ["/admin"],
    我的用户: ["/my-clients"],
    通知: ["/notices"],
    [REFUSED]: [
      "/users",
      "/configs",
      "/system-config",
      "/renewals",
      "/hosts/held",
      "/hosts/import",
      "/users/import",
      "/changes",
      "/notice-settings",
      "/audit",
      "/super-admin/any",
      "/client/any",
    ],
  },
  client: {
    我的续费: ["/client/renewals"],
    通知: ["/notices"],
    功能开发中: ["/client/anything"],
    [REFUSED]: [
      "/admin/renewals",
      "/users",
      "/users/import",
      "/hosts/import",
      "/my-clients",
      "/changes",
      "/notice-settings",
      "/audit",
    ],
  },
};

test("opens each role's pages and refuses the others", async ({ page, admin, client, signIn }) => {
  const navigation = page.getByRole("navigation", { name: "主导航" }).getByRole("link");
  await signIn(page, "/super-admin/hosts");
  await expect(page.getByRole("heading", { name: "主机管理", level: 1 })).toBeVisible();
  await expect(navigation.filter({ hasText: "主机管理" })).toHaveAttribute("aria-current", "page");

  for (const [account, headings] of [
    [ROOT_USER, HEADINGS.superAdmin],
    [admin, HEADINGS.admin],
    [client, HEADINGS.client],
  ] as const) {
    await signIn(page, "/account", account);
    for (const [name, paths] of Object.entries<readonly string[]>(headings)) {
      for (const path of paths) {
        await goTo(page, path);
        await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
        await expect(page.getByRole("banner")).toBeVisible();
      }
    }
  }

  await page.goto("/login?from=/users");
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(navigation).toHaveText(["仪表盘", "主机管理", "我的续费"]);

  await navigation.nth(1).click();
  await expect(page.getByText("还没有主机分配给您")).toBeVisible();
});

test("shows an admin only what their clients have, read-only", async ({
  page,
  api,
  admin,
  client,
  otherClient,
  hosts,
  server,
  signIn,
}) => {
  const [first, second] = hosts;
  await assertOk(api.put(`/api/users/${client.id}`, { adminId: admin.id }));
  await assignHost(api, first, client, 5);
  await assignHost(api, first, otherClient, 30);
  await assignHost(api, second, otherClient, 30);
  await requestRenewal(await signInToApi(server.url, otherClient), first.id, 30);

  await signIn(page, "/dashboard", admin);
  const navigation = page.getByRole("navigation", { name: "主导航" }).getByRole("link");
  await expect(navigation).toHaveText(["仪表盘", "主机管理", "续费申请", "我的用户"]);
  await expect(page.getByRole("heading", { name: "主机状态" })).toBeVisible();
  await expect(page.getByText("待确认消失")).toHaveCount(0);

  await page.getByRole("link", { name: "主机管理", exact: true }).click();
  await expect(page.getByText("1 台", { exact: true })).toBeVisible();
  await expect(page.getByRole("tab")).toHaveCount(1);
  const host = page.getByRole("article");
  await expect(host).toContainText("张客户");
  await expect(host.getByText("还有 5 天").first()).toBeVisible();
  await expect(host).not.toContainText("王客户");
  await expect(host.getByText(addressOf(first), { exact: true })).toBeVisible();
  for (const action of [/分配/, /同步/, /申请续费/, /的操作$/]) {
    await expect(page.getByRole("button", { name: action })).toHaveCount(0);
  }

  await page.getByRole("radio", { name: "表格" }).click();
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("checkbox")).toHaveCount(0);

  await page.getByRole("link", { name: "续费申请" }).click();
  await expect(page.getByText("暂无续费申请")).toBeVisible();
  await requestRenewal(client.api, first.id, 90);
  await expect(toast(page, "新的续费申请", "张客户")).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(2);

  await page.getByRole("link", { name: /^张客户 的 .* 续费申请详情$/ }).click();
  await expect(page).toHaveURL(/\/admin\/renewals\?renewal=/);
  await expect(dialog(page)).toContainText("90 天");
  await expect(dialog(page).getByRole("link", { name: "张客户" })).toHaveAttribute(
    "href",
    `/users/${client.id}`,
  );
  await expect(page.getByRole("button", { name: /处理|标记完成|批准|取消申请/ })).toHaveCount(0);
  await expectAccessible(page);
  await pressEscape(page);
  await expect(dialog(page)).toBeHidden();

  await page.goto("/configs");
  await page.getByRole("button", { name: "返回上一页" }).click();
  await expect(page).toHaveURL(/\/admin\/renewals/);
  await expect(page.getByRole("row")).toHaveCount(2);

  await page.keyboard.press("Control+k");
  await expect(dialog(page).getByRole("combobox")).toBeFocused();
  await page.keyboard.type("管理");
  await expect(page.getByRole("option", { name: /主机管理/ })).toBeVisible();
  await expect(page.getByRole("option", { name: /用户管理|配置管理|同步/ })).toHaveCount(0);
});
