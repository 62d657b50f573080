import type { Page } from "@playwright/test";
import { insertRun, now } from "../harness/data.ts";
import { configure, syncAll } from "../harness/server-fixture.ts";
import { expectLive, openSyncPanel, toast } from "./actions.ts";
import { allowErrors, expect, expectAccessible, test } from "./fixtures.ts";

const DAY = 86_400;
const CHANGES = /\/trpc\/.*hosts\.changes/;

const lines = (page: Page) => page.getByRole("main").getByRole("region").getByRole("listitem");

/** A day of Shanghai before today. */
function dayBefore(days: number): string {
  return new Date((now() - days * DAY + 8 * 3_600) * 1_000).toISOString().slice(0, 10);
}

test.describe("最近变更", () => {
  test("tells by day what changed, old and new, and leads to the host", async ({
    page,
    api,
    hosts,
    provider,
    signIn,
  }) => {
    const [{ id, name, ucloudId }] = hosts;
    // Changes of one second have no order among each other.
    const firstSynced = now();
    await expect.poll(now).toBeGreaterThan(firstSynced);
    provider.control.updateHosts({ ids: [ucloudId] }, { Name: "改名后的主机", State: "Stopped" });
    await syncAll(api);
    await signIn(page);
    await page.getByRole("link", { name: "最近变更" }).click();

    const today = page.getByRole("region", { name: `${dayBefore(0)} 今天` });
    await expect(today.getByRole("listitem").first()).toContainText(`名称${name}改名后的主机`);
    await expect(today.getByRole("listitem").first()).toContainText(/状态\S+已停止/);
    await expect(page.getByText("61 条", { exact: true })).toBeVisible();

    await today.getByRole("link", { name: "改名后的主机" }).first().click();
    await expect(page).toHaveURL(new RegExp(`/hosts\\?host=${id}&tab=history`));
  });

  test("is narrowed by account, kind, time and search, in the address", async ({
    page,
    api,
    hosts,
    provider,
    database,
    signIn,
  }) => {
    const other = await configure(api, provider, { name: "备用账号" });
    // A change of three days ago, of a host that the first account has.
    await database.query(
      `insert into host_changes (id, host_id, kind, at, changes)
       select (lpad(to_hex($2::bigint * 1000), 12, '0') || '70008000000000000000')::uuid,
         $1, 'changed', $2, '[{"field": "name", "from": "旧名", "to": "三天前的名字"}]'`,
      [hosts[0].id, now() - 3 * DAY],
    );
    await signIn(page, "/changes?kind=changed");
    await expect(page.getByText("没有符合条件的变化")).toBeVisible();

    await page.getByRole("radio", { name: "7 天" }).click();
    await expect(lines(page)).toHaveCount(1);
    await expect(page).toHaveURL(/period=week/);

    await page.reload();
    await expect(lines(page)).toContainText("旧名三天前的名字");
    await page.getByLabel("搜索变化").fill("三天前");
    await expect(page).toHaveURL(/search=/);
    await expect(lines(page)).toHaveCount(1);
    await page.getByLabel("云账号").selectOption("备用账号");
    await expect(page).toHaveURL(new RegExp(`configId=${other}`));
    await expect(page.getByText("没有符合条件的变化")).toBeVisible();

    await page.getByRole("button", { name: "清除筛选" }).first().click();
    await expect(page.getByText("61 条", { exact: true })).toBeVisible();
  });

  test("is bounded by two days, both included, which do not change places", async ({
    page,
    hosts: _,
    signIn,
  }) => {
    await signIn(page, "/changes");
    await page.getByRole("radio", { name: "日期" }).click();

    await page.getByLabel("从", { exact: true }).fill(dayBefore(2));
    await page.getByLabel("至", { exact: true }).fill(dayBefore(1));
    await expect(page.getByText("这段时间没有变化")).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`fromDate=${dayBefore(2)}&toDate=${dayBefore(1)}`));

    await page.getByLabel("至", { exact: true }).fill(dayBefore(0));
    await expect(page.getByText("60 条", { exact: true })).toBeVisible();
    await page.getByLabel("至", { exact: true }).fill(dayBefore(3));
    await expect(page.getByRole("alert")).toContainText("最后一天早于第一天");
    await expectAccessible(page);
  });

  test("shows a change that comes in while it is open", async ({
    page,
    api,
    hosts,
    provider,
    signIn,
  }) => {
    await signIn(page, "/changes?kind=changed");
    await expect(page.getByText("没有符合条件的变化")).toBeVisible();
    await expectLive(page);

    provider.control.updateHosts({ ids: [hosts[0].ucloudId] }, { Name: "刚刚改名" });
    await syncAll(api);

    await expect(lines(page)).toContainText("刚刚改名");
  });

  test("says when there is nothing, and leads to a longer time", async ({ page, signIn }) => {
    await signIn(page, "/changes");
    await expect(page.getByText("这段时间没有变化")).toBeVisible();

    await page.getByRole("button", { name: "查看 7 天" }).click();

    await expect(page).toHaveURL(/period=week/);
    await expect(page.getByRole("button", { name: "查看 7 天" })).toHaveCount(0);
  });

  test("says when it cannot be read, and tries again", async ({ page, hosts: _, signIn }) => {
    allowErrors(/503/);
    const busy = { status: 503, json: { message: "服务暂时不可用，请稍后重试" } };
    await page.route(CHANGES, (route) => route.fulfill(busy));
    await signIn(page, "/changes");
    const alert = page.getByRole("main").getByRole("alert");
    await expect(alert).toContainText("服务暂时不可用，请稍后重试");

    await page.unroute(CHANGES);
    await alert.getByRole("button", { name: "重试" }).click();

    await expect(lines(page)).toHaveCount(50);
  });
});

test.describe("the panel of syncs", () => {
  test("folds runs that say the same, filters by account, and leads to the changes", async ({
    page,
    api,
    provider,
    database,
    signIn,
  }) => {
    const main = await configure(api, provider, { name: "主账号" });
    const refused = await configure(api, provider, { name: "海外账号" });
    const errors = [{ region: null, projectId: null, code: "auth", message: "密钥无效" }];
    for (let minutes = 1; minutes <= 3; minutes++) {
      const at = now() - 60 * minutes;
      const ended = { queued_at: at, started_at: at, finished_at: at, trigger: "schedule" };
      const quiet = { ...ended, config_name: "主账号", status: "succeeded" };
      await insertRun({ database }, main, quiet);
      const failed = { ...ended, config_name: "海外账号", status: "failed", errors };
      await insertRun({ database }, refused, failed);
    }
    await signIn(page);
    const panel = await openSyncPanel(page);
    const runs = panel.getByRole("list", { name: "同步记录" });

    await expect(runs.getByText("3 次同步没有变化")).toBeVisible();
    // Runs of the other account lie between them.
    await expect(runs.getByText("3 次：密钥无效", { exact: true })).toBeVisible();
    await expect(runs.getByText("主账号")).toHaveCount(1);
    await expectAccessible(page);

    await runs.getByText("3 次同步没有变化").click();
    const folded = runs.getByRole("list", { name: "主账号的 3 次同步" }).getByRole("listitem");
    await expect(folded).toHaveCount(3);
    await expect(folded.first().getByText("自动", { exact: true })).toBeVisible();

    await panel.getByLabel("云账号").selectOption("海外账号");
    await expect(runs.getByText("主账号")).toHaveCount(0);
    await expect(runs.getByText("连续 3 次：密钥无效")).toBeVisible();

    await panel.getByRole("link", { name: "最近变更" }).click();
    await expect(page.getByRole("heading", { name: "最近变更", level: 1 })).toBeVisible();
    await expect(panel).toBeHidden();
  });
});

test("a host that reboots says that it is looked after, and that it still reboots", async ({
  page,
  api,
  hosts,
  provider,
  database,
  signIn,
}) => {
  const [{ id, name, ucloudId }] = hosts;
  provider.control.updateHosts({ ids: [ucloudId] }, { State: "Rebooting" });
  await syncAll(api);
  await signIn(page, `/hosts?host=${id}`);
  await expect(page.getByText("重启中：系统正在自动查询")).toBeVisible();
  await expect(page.getByRole("article").getByText("· 不到 1 分钟")).toBeVisible();

  await page.getByRole("button", { name: "同步此主机" }).click();
  await expect(toast(page, "同步完成", `“${name}”仍在重启中`)).toBeVisible();

  await database.query("update hosts set status_since = status_since - 540 where id = $1", [id]);
  await page.reload();
  await expect(page.getByText("重启中：下次同步时更新，也可以点“同步此主机”。")).toBeVisible();

  await database.query("update hosts set status_since = status_since - 420 where id = $1", [id]);
  await page.reload();
  await expect(page.getByText("重启中的时间过长")).toBeVisible();
  await expectAccessible(page);

  await expectLive(page);
  provider.control.updateHosts({ ids: [ucloudId] }, { State: "Running" });
  await syncAll(api);
  await expect(page.getByText("重启中的时间过长")).toHaveCount(0);
});
