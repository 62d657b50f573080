import { devices } from "@playwright/test";
import { dialog } from "./actions.ts";
import { assignHost, createAccount, importHosts, signInToApi } from "./api.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";

test("leads from a user to the hosts, the requests and everything ever assigned, and back", async ({
  page,
  provider,
  server,
}) => {
  const api = await signInToApi(server.url);
  const [first, second, taken] = await importHosts(api, provider);
  if (first === undefined || second === undefined || taken === undefined) throw new Error("too few hosts");
  const client = await createAccount(api, { username: "zhang_kehu", name: "张客户", role: "client" });
  for (const host of [first, second, taken]) await assignHost(api, host, client, 20);
  await api("POST", "/api/hosts/unassign", { hostId: taken.id, userId: client.id });
  const own = await signInToApi(server.url, client);
  await own("POST", "/api/renewals", { hostId: first.id, requestedDuration: 30 });

  await signIn(page);
  await page.goto("/users");
  await page.getByRole("link", { name: "张客户 的 2 台主机" }).click();
  await expect(page.getByText("2 台", { exact: true })).toBeVisible();
  await expect(page.getByText("用户：张客户")).toBeVisible();
  await page.getByRole("button", { name: "不再按用户筛选" }).click();
  await expect(page.getByText("60 台", { exact: true })).toBeVisible();

  await page.goto(`/hosts?view=table&userId=${client.id}`);
  await page.getByRole("link", { name: "张客户" }).first().click();
  await expect(page.getByText("2 台", { exact: true })).toBeVisible();

  await page.goto("/users");
  await page.getByRole("link", { name: "张客户", exact: true }).click();
  await expect(page.getByRole("heading", { name: "张客户" })).toBeVisible();
  const rows = (section: string) => page.getByRole("region", { name: section }).getByRole("row");
  await expect(rows("主机")).toHaveCount(3);
  await expect(rows("续费申请")).toHaveCount(2);
  await expect(rows("分配记录")).toHaveCount(4);
  await expectAccessible(page);
  await page.getByRole("button", { name: "删除 张客户" }).click();
  await dialog(page).getByRole("button", { name: "删除用户" }).click();
  await expect(page).toHaveURL(/\/users$/);
});

test.describe("a user who is not known", () => {
  test.use({ expectedComplaints: [/404/] });

  test("is named in the filter, which can be cleared", async ({ page }) => {
    await signIn(page);
    await page.goto("/hosts?userId=0198a000-0000-7000-8000-000000000000");
    await expect(page.getByText("用户：不存在，或不由您负责")).toBeVisible();
    await page.getByRole("button", { name: "不再按用户筛选" }).click();
    await expect(page).toHaveURL(/\/hosts$/);
  });
});

test("finds an address in the palette and names the holder", async ({ page, provider, server }) => {
  const api = await signInToApi(server.url);
  const hosts = await importHosts(api, provider);
  const host = hosts.find(({ ipSet }) => ipSet.length > 0);
  const address = host?.ipSet[0]?.IP;
  if (host === undefined || address === undefined) throw new Error("no host has an address");
  const client = await createAccount(api, { username: "zhang_kehu", name: "张客户", role: "client" });
  await assignHost(api, host, client, 20);
  await signIn(page);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").last().fill(address);
  await expect(page.getByRole("option", { name: new RegExp(`${host.ucloudId}.*张客户`) })).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: devices["Pixel 7"].viewport });

  test("takes a client two actions from the first page to a request for more time", async ({
    page,
    provider,
    server,
  }) => {
    const api = await signInToApi(server.url);
    const hosts = await importHosts(api, provider);
    const client = await createAccount(api, { username: "zhang_kehu", name: "张客户", role: "client" });
    for (const host of hosts.slice(0, 2)) await assignHost(api, host, client, 5);
    await signIn(page, client);
    await page.getByRole("button", { name: "申请续费" }).first().click();
    await dialog(page).getByRole("button", { name: "提交申请" }).click();
    await expect(page.getByText("续费申请已提交")).toBeVisible();
    await expect(page.getByRole("button", { name: "查看申请" })).toBeVisible();

    await page.goto(`/hosts?host=${hosts[1]?.id}`);
    const renew = page.getByRole("button", { name: /申请续费|查看申请/ });
    await expect(renew).toHaveCount(1);
    await expect(renew).toBeInViewport({ ratio: 1 });
    await expect(page.getByText(/我的到期时间：.*还有 5 天/)).toBeVisible();
  });
});
