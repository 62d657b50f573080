import type { Locator, Page } from "@playwright/test";
import type { Host } from "../../src/shared/hosts.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import type { Simulator } from "../../src/simulator/server.ts";
import { now } from "../harness/data.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";
import { syncAll } from "../harness/server-fixture.ts";
import { batchBar, dateIn, dateText, dialog, openBatch, row, selectPage } from "./actions.ts";
import { assignHost, findHost, Hosts } from "./api.ts";
import { expect, expectAccessible, expectContrast, test } from "./fixtures.ts";

interface Terms {
  readonly host: Host;
  /** From now to the provider's end, and some minutes more. */
  readonly days: number;
  readonly autoRenew?: "Yes" | "No";
}

/** Makes the hosts prepaid ones that end so; answers with their ends in Unix seconds. */
async function setTerms(
  { provider, api }: { provider: Simulator; api: RestClient },
  terms: readonly Terms[],
): Promise<number[]> {
  const ends = terms.map(({ host, days, autoRenew = "No" }) => {
    const end = now() + days * DAY_SECONDS + 300;
    const patch = { ChargeType: "Month", ExpireTime: end, AutoRenew: autoRenew };
    provider.control.updateHosts({ ids: [host.ucloudId] }, patch);
    return end;
  });

  await syncAll(api);
  return ends;
}

/** A fact of the host's cards. */
function fact(page: Page, label: string): Locator {
  const term = page.locator("dt").filter({ hasText: label });
  return page.getByRole("article").locator("dl > div").filter({ has: term }).locator("dd");
}

test("names the end of a host that counts, and by how many days it is early", async ({
  page,
  api,
  provider,
  hosts: [host],
  client,
  signIn,
}) => {
  const [end = 0] = await setTerms({ provider, api }, [{ host, days: 40 }]);
  await assignHost(api, host, client, 64);

  await signIn(page, `/hosts?view=tabs&search=${host.ucloudId}`);

  const article = page.getByRole("article");
  await expect(article).toContainText(`云端到期 ${dateText(end)} · 还有 41 天，比用户到期早 24 天`);
  await expect(page.getByRole("tab").first()).toContainText("云端早 24 天");
  await expect(fact(page, "剩余时间")).toHaveText("还有 41 天早 24 天");
  await expect(fact(page, "自动续费")).toHaveText("未开启");
  await expect(page.getByText("正常", { exact: true })).toHaveCount(0);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectContrast(page);
});

test("says of a host of several users how much the last of them misses", async ({
  page,
  api,
  provider,
  hosts: [host],
  client,
  otherClient,
  signIn,
}) => {
  await setTerms({ provider, api }, [{ host, days: 40 }]);
  await assignHost(api, host, client, 20);
  await assignHost(api, host, otherClient, 64);
  const line = row(page, host.ucloudId);

  await signIn(page, "/hosts?view=table&providerEndsFirst=true");
  await expect(line).toContainText("早 24 天");

  await page.goto(`/hosts?view=table&userId=${client.id}`);
  await expect(line).toContainText(dateText(now() + 20 * DAY_SECONDS));
  await expect(line).not.toContainText("早");

  await page.goto(`/hosts?view=table&userId=${otherClient.id}`);
  await expect(line).toContainText("早 24 天");
});

test("marks a host in the list of one user by that user's end alone", async ({
  page,
  api,
  provider,
  hosts: [host],
  client,
  otherClient,
  signIn,
}) => {
  await setTerms({ provider, api }, [{ host, days: 90 }]);
  await assignHost(api, host, client, 3);
  await assignHost(api, host, otherClient, 64);
  const tab = page.getByRole("tab").first();
  const card = page.getByRole("list", { name: "主机列表" }).getByRole("listitem");

  await signIn(page, `/hosts?view=tabs&userId=${client.id}`);
  await expect(tab).toContainText("即将到期 3 天");
  await page.goto(`/hosts?view=tabs&userId=${otherClient.id}`);
  await expect(tab).toContainText("用户 至");
  await expect(tab).not.toContainText("即将到期");

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/hosts?view=table&userId=${client.id}`);
  await expect(card).toContainText("即将到期 3 天");
  await page.goto(`/hosts?view=table&userId=${otherClient.id}`);
  await expect(card).toContainText("用户 至");
  await expect(card).not.toContainText("即将到期");
});

test("raises no alarm for a host that the provider renews by itself", async ({
  page,
  api,
  provider,
  hosts: [host],
  client,
  signIn,
}) => {
  const [end = 0] = await setTerms({ provider, api }, [{ host, days: 3, autoRenew: "Yes" }]);
  const assignedEnd = await assignHost(api, host, client, 64);

  await signIn(page, `/hosts?view=tabs&search=${host.ucloudId}`);

  await expect(page.getByRole("article")).toContainText(
    `用户到期 ${dateText(assignedEnd)} · 还有 64 天 · 正常，云端 ${dateText(end)} 自动续费`,
  );
  await expect(page.getByRole("tab").first().locator("[data-slot='badge']")).toHaveCount(0);
  await expect(fact(page, "自动续费")).toHaveText("已开启");

  await page.getByRole("button", { name: "分配用户" }).click();
  await expect(dialog(page)).toContainText("将于");
  await expect(dialog(page)).not.toContainText("云端");
});

test("says how long a period is over, and loudest where its renewal failed", async ({
  page,
  api,
  provider,
  hosts: [failed, over],
  client,
  signIn,
}) => {
  const [failedEnd = 0, overEnd = 0] = await setTerms({ provider, api }, [
    { host: failed, days: -3, autoRenew: "Yes" },
    { host: over, days: -3 },
  ]);
  for (const host of [failed, over]) await assignHost(api, host, client, 64);
  const article = page.getByRole("article");

  await signIn(page, `/hosts?view=tabs&userId=${client.id}&host=${failed.id}`);
  const alert = article.locator("[data-slot='alert']").first();
  await expect(alert).toContainText("自动续费未成功");
  await expect(alert).toContainText(`云端已于 ${dateText(failedEnd)} 过期`);
  const tab = page.getByRole("tab").filter({ hasText: failed.name });
  await expect(tab).toContainText("自动续费未成功");

  await page.getByRole("tab").filter({ hasText: over.name }).click();
  await expect(article).toContainText(`云端到期 ${dateText(overEnd)} · 已过期 2 天`);
  await expect(article).not.toContainText("比用户到期早");
});

test("shows first who has a host, with a way to call that person", async ({
  page,
  api,
  hosts: [host],
  client,
  signIn,
}) => {
  await assertOk(api.put(`/api/users/${client.id}`, { phone: "13936935382" }));
  await assignHost(api, host, client, 64);

  await signIn(page, `/hosts?view=tabs&search=${host.ucloudId}`);

  const article = page.getByRole("article");
  const call = article.getByRole("link", { name: "拨打 13936935382" });
  await expect(call).toHaveAttribute("href", "tel:13936935382");
  await expect(call).toBeInViewport();
  await expect(article.getByRole("button", { name: "复制手机号" })).toBeVisible();
  await expect(article.getByRole("heading", { level: 3 }).first()).toHaveText("分配用户");
});

test("tells a client the own end alone", async ({
  page,
  api,
  provider,
  hosts: [host],
  client,
  admin,
  signIn,
}) => {
  await assertOk(api.put(`/api/users/${client.id}`, { adminId: admin.id }));
  await setTerms({ provider, api }, [{ host, days: -3, autoRenew: "Yes" }]);
  await assignHost(api, host, client, 64);

  await signIn(page, `/hosts?view=tabs&search=${host.ucloudId}`, client);

  const article = page.getByRole("article");
  await expect(article).toContainText(/我的到期时间：.* · 还有 64 天 · 正常负责管理员 李管理/);
  await expect(article).not.toContainText(/云端|自动续费/);
});

test("names the gap before ends are changed or hosts are transferred", async ({
  page,
  api,
  provider,
  hosts: [early, over, renewed],
  client,
  otherClient: _,
  signIn,
}) => {
  const [end = 0, past = 0] = await setTerms({ provider, api }, [
    { host: early, days: 40 },
    { host: over, days: -3 },
    { host: renewed, days: 3, autoRenew: "Yes" },
  ]);
  for (const host of [early, over, renewed]) await assignHost(api, host, client, 64);
  await signIn(page, `/hosts?view=table&userId=${client.id}`);
  const pastWarning = `其中 1 台主机的云端已过期（如 ${over.name}：云端已于 ${dateText(past)} 过期）`;
  const early24 = `其中 1 台主机的云端到期早于用户到期（如 ${early.name}：云端 ${dateText(end)} 早 24 天）`;

  await openBatch(page, [early, over, renewed], "转移");
  await expect(dialog(page)).toContainText(pastWarning);
  await expect(dialog(page)).toContainText(early24);
  await dialog(page).getByRole("button", { name: "取消" }).click();

  await batchBar(page).getByRole("button", { name: "修改到期日" }).click();
  await dialog(page)
    .getByLabel(/^到期日/)
    .fill(dateText(now() + 64 * DAY_SECONDS));
  await expect(dialog(page)).toContainText(pastWarning);
  await expect(dialog(page)).toContainText(/其中 1 台主机的云端到期早于用户到期/);
});

test("shows days, ends and the provider's end before several requests are approved", async ({
  page,
  api,
  provider,
  hosts,
  requestFor,
  signIn,
}) => {
  const byTheHour = findHost(hosts, ({ chargeType }) => chargeType === "Dynamic");
  const [over, renewed, early] = Hosts.parse(hosts.filter((host) => host !== byTheHour));
  const [past = 0, , end = 0] = await setTerms({ provider, api }, [
    { host: over, days: -3 },
    { host: renewed, days: 3, autoRenew: "Yes" },
    { host: early, days: 40 },
  ]);
  for (const host of [over, renewed, early, byTheHour]) await requestFor(host);
  await signIn(page, "/renewals");

  await selectPage(page);
  await batchBar(page).getByRole("button", { name: "批准" }).click();

  const rowOf = ({ name }: Host) => dialog(page).getByRole("row").filter({ hasText: name });
  await expect(rowOf(over)).toContainText(`云端已于 ${dateText(past)} 过期`);
  await expect(rowOf(over).getByText(/^云端已于/)).toHaveClass(/danger/);
  await expect(rowOf(early)).toContainText(`云端 ${dateText(end)} 早 10 天`);
  await expect(rowOf(renewed)).not.toContainText("云端");
  await expect(rowOf(byTheHour)).not.toContainText("云端");
  await expect(rowOf(byTheHour)).toContainText("30 天");
  await expect(rowOf(byTheHour)).toContainText(`${dateIn(20)}${dateIn(50)}`);
  await expectAccessible(page);

  // The head stays above the rows. Both in one frame: the dialog moves while it opens.
  const overlap = await page.evaluate(`(() => {
    const [head, row] = document.querySelectorAll("[role='dialog'] tr");
    const headCell = head.querySelector("th");
    return headCell.getBoundingClientRect().bottom - row.getBoundingClientRect().top;
  })()`);
  expect(overlap).toBeLessThanOrEqual(1);
});

test("compares the provider's end with the end to come in the details of a request", async ({
  page,
  api,
  provider,
  hosts: [host],
  requestFor,
  signIn,
}) => {
  const [end = 0] = await setTerms({ provider, api }, [{ host, days: 40 }]);
  await requestFor(host);
  await signIn(page, "/renewals");

  await row(page, host.name).getByRole("link", { name: /详情$/ }).click();

  await expect(dialog(page)).toContainText(`云端到期时间${dateText(end)}早 10 天`);
});
