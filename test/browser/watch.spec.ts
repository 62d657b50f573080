import type { Locator, Page } from "@playwright/test";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { insertRun, now } from "../harness/data.ts";
import type { TestDatabase } from "../harness/database.ts";
import { assertOk } from "../harness/rest.ts";
import { configure, syncAll } from "../harness/server-fixture.ts";
import { boxOf, definition, dialog, expectLive, goTo, row, submit, toast } from "./actions.ts";
import { assignHost } from "./api.ts";
import { allowErrors, expect, expectAccessible, pressEscape, test } from "./fixtures.ts";

const HOUR = 3_600;
const HISTORY = /\/trpc\/.*hosts\.history/;
const CHANGES = /\/trpc\/.*hosts\.syncRunChanges/;
/** The answer of a server that is overloaded. */
const BUSY = { status: 503, json: { message: "服务暂时不可用，请稍后重试" } };

/** Moves the stored runs, and what they read, so many seconds into the past. */
async function ageRuns(database: TestDatabase, seconds: number): Promise<void> {
  await database.query(
    `update sync_runs
     set queued_at = queued_at - $1, started_at = started_at - $1, finished_at = finished_at - $1`,
    [seconds],
  );
  await database.query("update hosts set changed_at = changed_at - $1", [seconds]);
  await database.query("update sync_partitions set read_at = read_at - $1", [seconds]);
}

/** Inserts five scheduled runs that the provider refused: after so many the schedule is paused. */
async function insertRefusals(database: TestDatabase, configId: string): Promise<void> {
  const message = "密钥未通过云服务商校验";
  const errors = [{ region: null, projectId: null, code: "unauthorized", message }];

  for (let run = 1; run <= 5; run++) {
    const at = now() + run;
    await insertRun({ database }, configId, {
      config_name: "生产账号",
      trigger: "schedule",
      status: "failed",
      queued_at: at,
      started_at: at,
      finished_at: at,
      errors,
    });
  }
}

/** Inserts changes of the name of a host, one an hour until now, from 名称-1 on. */
async function insertNameChanges(
  database: TestDatabase,
  hostId: string,
  count: number,
): Promise<void> {
  await database.query(
    `insert into host_changes (id, host_id, kind, at, changes)
     select gen_random_uuid(), $1, 'changed', extract(epoch from now())::bigint - 3600 * ($2 - n),
       jsonb_build_array(jsonb_build_object('field', 'name', 'from', '旧名', 'to', '名称-' || n))
     from generate_series(1, $2::int) n`,
    [hostId, count],
  );
}

/** The failed read is announced in the container, and made again when a person says so. */
async function expectRetry(page: Page, container: Locator, procedure: RegExp): Promise<void> {
  const alert = container.getByRole("alert");
  await expect(alert).toContainText("加载失败服务暂时不可用，请稍后重试");

  await page.unroute(procedure);
  await alert.getByRole("button", { name: "重试" }).click();
  await expect(alert).toHaveCount(0);
}

/** On the card of the configuration: the minutes, and what is said below them. */
async function expectInterval(page: Page, minutes: string, note: string): Promise<void> {
  await expect(intervalOf(page)).toHaveValue(minutes);
  await expect(definition(page, "自动同步")).toContainText(note);
}

function intervalOf(page: Page): Locator {
  return page.getByRole("combobox", { name: "自动同步 生产账号" });
}

test("chooses the interval of a configuration, hourly for a new one", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  await configure(api, provider);
  await signIn(page, "/configs");
  await expectInterval(page, "60", "下次 1 小时后");
  await page.getByText("详细信息").click();
  await expect(definition(page, "下次同步")).toHaveText(/^1 小时后 · \d{4}-\d\d-\d\d \d\d:\d\d$/);

  await page.getByRole("button", { name: "新增配置" }).click();
  await expect(dialog(page).getByLabel("自动同步")).toHaveValue("60");
  await dialog(page).getByRole("button", { name: "取消" }).click();

  await page.getByRole("button", { name: "编辑 生产账号" }).click();
  await dialog(page).getByLabel("自动同步").selectOption("每天");
  await submit(page, "保存", "更新成功");

  await expectInterval(page, "1440", "下次 1 天后");
  await expect(definition(page, "下次同步")).toHaveText(/^1 天后/);
});

test("saves an interval that is chosen on the card, and keeps the old one on a failure", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  allowErrors(/503/);
  const id = await configure(api, provider);
  await signIn(page, "/configs");

  await intervalOf(page).selectOption("每天");
  await expect(toast(page, "更新成功", "配置“生产账号”已更新")).toBeVisible();
  await expectInterval(page, "1440", "下次 1 天后");
  const [config] = (await api.get("/api/hosts/configs/list")).data;
  expect(config).toMatchObject({ id, syncIntervalMinutes: 1440 });

  await page.route(/\/trpc\/.*configs\.update/, (route) => route.fulfill(BUSY));
  await intervalOf(page).selectOption("每 15 分钟");
  await expect(toast(page, "更新失败", "服务暂时不可用，请稍后重试")).toBeVisible();
  await expectInterval(page, "1440", "下次 1 天后");
});

test("switches on the schedule of a configuration without one in one click", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  const id = await configure(api, provider, { syncIntervalMinutes: null });
  await signIn(page, "/configs");
  await expectLive(page);

  await page.getByRole("button", { name: "开启自动同步" }).click();

  await expect(toast(page, "已开启自动同步", "“生产账号”每小时同步一次")).toBeVisible();
  await expectInterval(page, "60", "下次 1 小时后");

  await assertOk(api.put(`/api/hosts/configs/${id}`, { syncIntervalMinutes: null }));
  await expect(page.getByRole("button", { name: "开启自动同步" })).toBeVisible();
});

test("says on card and dashboard why a schedule is paused, and the way on", async ({
  page,
  api,
  database,
  provider,
  signIn,
}) => {
  const id = await configure(api, provider);
  await insertRefusals(database, id);
  await signIn(page);
  const line = page.getByRole("listitem").filter({ hasText: "“生产账号”的自动同步已暂停" });

  await line.getByRole("link", { name: "更新密钥" }).click();

  await expect(dialog(page).getByLabel("公钥")).toBeFocused();
  await pressEscape(page);
  await expect(page).toHaveURL(`/configs?config=${id}`);
  await expect(page.getByText("连续 5 次定时同步被拒绝")).toBeVisible();
  await expect(page.getByText("密钥未通过云服务商校验")).toHaveCount(1);
  await expectInterval(page, "60", "已暂停");
  expect((await boxOf(page.getByRole("group", { name: "生产账号" }))).height).toBeLessThan(360);
  await expectAccessible(page);

  await page.getByRole("button", { name: "更新密钥" }).click();
  await expect(dialog(page).getByLabel("公钥")).toBeFocused();
  await expect(dialog(page).getByRole("textbox")).toHaveCount(2);
});

test("leads from a failed sync to what mends it, by its cause", async ({
  page,
  api,
  database,
  provider,
  signIn,
}) => {
  const id = await configure(api, provider);
  const fail = async (code: string, minutes: number) =>
    await insertRun({ database }, id, {
      config_name: "生产账号",
      status: "failed",
      queued_at: now() + minutes * 60,
      started_at: now() + minutes * 60,
      finished_at: now() + minutes * 60,
      errors: [{ region: null, projectId: null, code, message: "失败" }],
    });
  const line = page.getByRole("listitem").filter({ hasText: "“生产账号”同步失败" });

  await fail("network", -3);
  await signIn(page);
  await expect(line.getByRole("button", { name: "同步" })).toBeVisible();

  await fail("unauthorized", -2);
  await page.reload();
  await expect(line.getByRole("link", { name: "更新密钥" })).toBeVisible();

  await fail("forbidden", -1);
  await page.reload();
  await line.getByRole("link", { name: "编辑配置" }).click();
  await expect(dialog(page).getByLabel("配置名称")).toHaveValue("生产账号");
});

test("tries new keys when they are saved, and keeps the pause until they work", async ({
  page,
  api,
  database,
  provider,
  signIn,
}) => {
  const id = await configure(api, provider);
  await insertRefusals(database, id);
  await signIn(page, "/configs");
  const pause = page.getByText("自动同步已暂停");
  const saveKeys = async (privateKey: string) => {
    await dialog(page).getByLabel("公钥").fill(MAIN_KEYS.publicKey);
    await dialog(page).getByRole("textbox", { name: "私钥" }).fill(privateKey);
    await dialog(page).getByRole("button", { name: "保存并测试" }).click();
  };

  await page.getByRole("button", { name: "更新密钥" }).click();
  await saveKeys("0".repeat(40));
  await expect(dialog(page).getByText("连接未通过，自动同步在连接通过之前保持暂停")).toBeVisible();
  await expect(dialog(page).getByRole("listitem")).toHaveText([
    /^密钥有效.*签名校验失败/,
    /^项目可见/,
    /^云主机读权限/,
  ]);
  await expectAccessible(page);
  await expect(pause).toBeVisible();

  await dialog(page).getByRole("button", { name: "重新填写" }).click();
  await saveKeys(MAIN_KEYS.privateKey);
  await expect(dialog(page).getByText("连接正常，已开始同步")).toBeVisible();
  await dialog(page).getByRole("button", { name: "完成" }).click();
  await expect(pause).toHaveCount(0);
  await page.getByText("详细信息").click();
  await expect(definition(page, "最近成功")).toContainText("刚刚");
});

test("says 数据可能已过时 wherever a stale configuration or its host is shown", async ({
  page,
  database,
  client,
  assignedHost,
  signIn,
}) => {
  await ageRuns(database, 4 * HOUR);
  await signIn(page);

  const line = page.getByRole("listitem").filter({ hasText: "“生产账号”的数据可能已过时" });
  await expect(line).toContainText(/最近成功 4 小时前 · 下次自动同步 1 小时后/);

  await goTo(page, "/configs");
  await expect(page.getByText("最近一次成功同步于 4 小时前")).toBeVisible();
  expect((await boxOf(page.getByRole("group", { name: "生产账号" }))).height).toBeLessThan(360);

  await goTo(page, `/hosts?view=table&host=${assignedHost.id}`);
  await expect(page.getByRole("article").getByText("数据可能已过时")).toBeVisible();
  await expect(row(page, assignedHost.ucloudId).getByTitle("数据可能已过时")).toBeVisible();

  await signIn(page, `/hosts?host=${assignedHost.id}`, client);
  await expect(page.getByRole("article").getByText("数据可能已过时")).toBeVisible();
});

test("shows the history of a host: its changes and the acts of people", async ({
  page,
  api,
  client,
  provider,
  assignedHost,
  requestFor,
  signIn,
}) => {
  await requestFor(assignedHost);
  const newName = "改名后的主机";
  const memory = assignedHost.memory + 1_024;
  provider.control.updateHosts({ ids: [assignedHost.ucloudId] }, { Name: newName, Memory: memory });
  await syncAll(api);
  await signIn(page, `/hosts?host=${assignedHost.id}`);

  await page.getByRole("radio", { name: "历史" }).click();

  const entries = page.getByRole("article").getByRole("listitem");
  const change = entries.filter({ hasText: "变更" });
  await expect(change).toContainText(`名称${assignedHost.name}${newName}`);
  await expect(change).toContainText(`内存${assignedHost.memory / 1_024} GB${memory / 1_024} GB`);
  await expect(entries.filter({ hasText: "申请续费" })).toContainText("30 天");
  await expect(entries.filter({ hasText: "操作人：" }).first()).toContainText(client.name);

  await page.getByLabel("种类").selectOption("变更");
  await expect(entries).toHaveCount(1);
  await page.getByLabel("种类").selectOption("消失");
  await expect(page.getByText("没有这一种历史")).toBeVisible();
  await page.getByRole("button", { name: "查看全部种类" }).click();
  await expect(entries.filter({ hasText: "新增" })).toBeVisible();

  await entries.getByRole("link", { name: "查看这次同步" }).first().click();
  await expect(dialog(page).getByRole("heading", { name: "主机同步" })).toBeVisible();
});

test("shows a client the history of a host from its assignment on, and names no admin", async ({
  page,
  api,
  client,
  database,
  hosts,
  provider,
  signIn,
}) => {
  // Long before this client had the host.
  await database.query("update host_changes set at = at - 86400");
  await assignHost(api, hosts[0], client, 30);
  provider.control.updateHosts({ ids: [hosts[0].ucloudId] }, { Name: "客户看到的新名" });
  await syncAll(api);

  await signIn(page, `/hosts?host=${hosts[0].id}&tab=history`, client);

  const entries = page.getByRole("article").getByRole("listitem");
  await expect(entries.filter({ hasText: "客户看到的新名" })).toBeVisible();
  await expect(entries.filter({ hasText: "分配" })).toBeVisible();
  await expect(entries).toHaveCount(2);
  await expect(page.getByText("操作人")).toHaveText(["操作人：管理员"]);
});

test("leads from the counts of a run to the hosts that it changed", async ({
  page,
  api,
  hosts,
  provider,
  signIn,
}) => {
  const [first, second] = hosts;
  for (const { ucloudId } of [first, second]) {
    provider.control.updateHosts({ ids: [ucloudId] }, { Name: `改名 ${ucloudId}` });
  }
  const run = await syncAll(api);
  await signIn(page, `/dashboard?panel=sync&run=${run.id}`);

  await page.getByRole("button", { name: "2 台，查看变更的主机" }).click();

  const changes = page.getByRole("dialog", { name: "同步的变化" });
  const list = changes.getByRole("list", { name: "主机的变化" });
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expect(page.getByRole("dialog", { includeHidden: true })).toHaveCount(1);

  await changes.getByRole("button", { name: "返回同步记录" }).click();
  await page.getByRole("button", { name: "2 台，查看变更的主机" }).click();

  await changes.getByRole("searchbox").fill(second.ucloudId);
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect(list).toContainText(`名称${second.name}改名 ${second.ucloudId}`);

  await changes.getByLabel("变化的种类").selectOption("消失");
  await expect(changes.getByText("没有匹配的主机")).toBeVisible();
  await changes.getByRole("searchbox").fill("");
  await expect(changes.getByText("没有变化")).toBeVisible();

  await changes.getByLabel("变化的种类").selectOption("全部变化");
  await list.getByRole("link", { name: `改名 ${second.ucloudId}` }).click();
  await expect(page).toHaveURL(new RegExp(`host=${second.id}&tab=history`));
  await expect(changes).toBeHidden();
  await expect(page.getByRole("radio", { name: "历史" })).toBeChecked();
});

test("says when the history of a host cannot be read, and tries again", async ({
  page,
  hosts,
  signIn,
}) => {
  allowErrors(/503/);
  await page.route(HISTORY, (route) => route.fulfill(BUSY));
  await signIn(page, `/hosts?host=${hosts[0].id}&tab=history`);
  const article = page.getByRole("article");

  await expectRetry(page, article, HISTORY);

  await expect(article.getByRole("listitem").filter({ hasText: "新增" })).toBeVisible();
});

test("shows a long history of a host page by page", async ({ page, database, hosts, signIn }) => {
  await insertNameChanges(database, hosts[0].id, 45);
  await signIn(page, `/hosts?host=${hosts[0].id}&tab=history`);
  const article = page.getByRole("article");
  const pages = article.getByRole("navigation", { name: "历史分页" });
  const entries = article.getByRole("region").getByRole("listitem");
  await expect(pages).toContainText("共 46 条 · 第 1 / 3 页");
  await expect(entries).toHaveCount(20);

  await pages.getByRole("button", { name: "第 3 页" }).click();

  await expect(pages).toContainText("第 3 / 3 页");
  await expect(entries).toHaveCount(6);
  await expect(entries.last()).toContainText("名称-1");

  await article.getByLabel("种类").selectOption("变更");
  await expect(pages).toContainText("共 45 条 · 第 1 / 3 页");
  await expect(entries.first()).toContainText("名称-45");
});

test("says when the changes of a run cannot be read, and tries again", async ({
  page,
  api,
  hosts,
  provider,
  signIn,
}) => {
  allowErrors(/503/);
  provider.control.updateHosts({ ids: [hosts[0].ucloudId] }, { Name: "改名后的主机" });
  const run = await syncAll(api);
  await page.route(CHANGES, (route) => route.fulfill(BUSY));
  await signIn(page, `/dashboard?panel=sync&run=${run.id}`);
  await page.getByRole("button", { name: "1 台，查看变更的主机" }).click();
  const changes = page.getByRole("dialog", { name: "同步的变化" });

  await expectRetry(page, changes, CHANGES);

  await expect(changes.getByRole("list", { name: "主机的变化" })).toContainText("改名后的主机");
});

test("shows the changes of a run by pages, and finds those of every page", async ({
  page,
  api,
  hosts,
  provider,
  signIn,
}) => {
  const ids = hosts.map(({ ucloudId }) => ucloudId);
  provider.control.updateHosts({ ids }, { CPU: 32 });
  const run = await syncAll(api);
  await signIn(page, `/dashboard?panel=sync&run=${run.id}`);
  await page.getByRole("button", { name: "60 台，查看变更的主机" }).click();
  const changes = page.getByRole("dialog", { name: "同步的变化" });
  const list = changes.getByRole("list", { name: "主机的变化" }).getByRole("listitem");
  const pages = changes.getByRole("navigation", { name: "变化分页" });
  await expect(pages).toContainText("共 60 台 · 第 1 / 2 页");
  await expect(list).toHaveCount(50);
  const first = await list
    .first()
    .getByText(/^uhost-/)
    .textContent();

  await pages.getByRole("button", { name: "下一页" }).click();

  await expect(list).toHaveCount(10);
  await expect(list.first()).not.toContainText(first ?? "");

  await changes.getByRole("searchbox").fill(first ?? "");
  await expect(list).toHaveCount(1);
  await expect(list).toContainText(first ?? "");
});
