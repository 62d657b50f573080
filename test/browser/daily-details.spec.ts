import { dialog, toast } from "./actions.ts";
import { assignHost, createAccount, importHosts, signInToApi } from "./api.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

test("names a filter of the address that is not known and clears it alone", async ({ page }) => {
  await signIn(page);
  for (const path of ["/hosts", "/users", "/renewals"]) {
    const name = path === "/users" ? "role" : "status";
    await page.goto(`${path}?${name}=Foo&search=web`);
    const notice = page.getByText(`地址中的筛选条件 ${name}=Foo 无法识别，没有生效。`);
    await expect(notice).toBeVisible();
    await notice.getByRole("button", { name: "清除这个条件" }).click();
    await expect(page).toHaveURL((url) => url.pathname === path && url.search === "?search=web");
    await expect(notice).toBeHidden();
  }
});

test("removes notifications when a sheet opens under them", async ({ page, provider, server }) => {
  const api = await signInToApi(server.url);
  const [host] = await importHosts(api, provider);
  if (host === undefined) throw new Error("a host is needed");
  const client = await createAccount(api, { username: "zhang_kehu", name: "张客户", role: "client" });
  await assignHost(api, host, client, 20);
  await (await signInToApi(server.url, client))("POST", "/api/renewals", { hostId: host.id, requestedDuration: 30 });
  await signIn(page);
  await page.goto("/renewals?status=all");
  await page.getByRole("button", { name: "处理", exact: true }).click();
  await dialog(page).getByRole("button", { name: "批准申请" }).click();
  await expect(toast(page, "处理成功")).toBeVisible();
  await page.getByRole("button", { name: /详情$/ }).click();
  await expect(toast(page, "处理成功")).toBeHidden();
  await expectAccessible(page);
});

test("prints the list without navigation, filters and buttons", async ({ page, provider, server }) => {
  await importHosts(await signInToApi(server.url), provider);
  await signIn(page);
  await page.goto("/hosts?view=table");
  await expect(page.getByRole("cell").first()).toBeVisible();
  await page.emulateMedia({ media: "print" });
  for (const hidden of [
    page.getByRole("navigation").first(),
    page.getByRole("searchbox"),
    page.getByRole("button", { name: "同步主机" }),
  ]) {
    await expect(hidden).toBeHidden();
  }
  await expect(page.getByRole("row").nth(1)).toBeVisible();
});

test.describe("a host that is not there", () => {
  test.use({ expectedComplaints: [/404/] });

  test("leads back to the list, and the API document is not offered to a client", async ({ page, server }) => {
    const api = await signInToApi(server.url);
    const client = await createAccount(api, { username: "zhang_kehu", name: "张客户", role: "client" });
    await signIn(page, client);
    await expect(page.getByRole("link", { name: "帮助" })).toBeVisible();
    await expect(page.getByRole("link", { name: "API 文档" })).toHaveCount(0);
    await page.goto("/hosts?host=0198a000-0000-7000-8000-000000000000");
    await page.getByRole("link", { name: "返回主机列表" }).click();
    await expect(page).toHaveURL(/\/hosts$/);
  });
});
