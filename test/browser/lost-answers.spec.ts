import type { Page, Request } from "@playwright/test";
import { assertOk } from "../harness/rest.ts";
import { syncAll } from "../harness/server-fixture.ts";
import {
  batchBar,
  batchStatus,
  countCalls,
  dialog,
  fillUser,
  holdAnswers,
  openBatch,
  pickUser,
  row,
  selectPage,
  submitSignIn,
  toast,
} from "./actions.ts";
import { assignHost, getHost, type Hosts } from "./api.ts";
import { allowErrors, expect, expectAccessible, test } from "./fixtures.ts";

const BATCH = /\/trpc\/.*hosts\.batch/;
const UNREACHABLE = /\/trpc\/.*hosts\.(batch|get)/;

test.beforeEach(() => allowErrors(/ERR_CONNECTION_RESET|ERR_FAILED/));

test("reads hosts again whose assignment has no answer, and says that it was done", async ({
  page,
  api,
  hosts: [first, second],
  client,
  signIn,
}) => {
  await signIn(page, "/hosts?view=table");
  await openBatch(page, [first, second], "分配");
  await pickUser(page, client.name);
  await loseAnswers(page, BATCH);
  const check = await holdAnswers(page, /\/trpc\/.*hosts\.get/);

  await dialog(page).getByRole("button", { name: "分配 2 台" }).click();
  await check.answered;
  await expect(batchStatus(page)).toContainText("结果未知 2");
  await expect(dialog(page)).not.toContainText("失败");
  await expectAccessible(page);
  check.release();

  await expect(batchStatus(page)).toContainText("分配完成 2 / 2 台成功 2");
  await expect(dialog(page).getByRole("listitem").first()).toContainText("重新读取确认已完成");
  for (const host of [first, second]) {
    expect((await getHost(api, host)).users.map(({ id }) => id)).toEqual([client.id]);
  }
});

test("does not call failed what was not done by the time it is read again", async ({
  page,
  api,
  hosts: [host],
  client,
  signIn,
}) => {
  await assignHost(api, host, client, 30);
  await page.clock.install();
  await signIn(page, "/hosts?view=table");
  await openBatch(page, [host], "取消分配");
  // The call never arrives.
  await page.route(BATCH, (route) => route.abort("connectionreset"));

  await dialog(page).getByRole("button", { name: "取消分配 1 台" }).click();
  await passQuestions(page);

  await expect(batchStatus(page)).toContainText("结果未知 1");
  await expect(dialog(page).getByRole("listitem")).toContainText("还没有生效");
  await dialog(page).getByRole("button", { name: "完成" }).click();
  await expect(batchBar(page)).toContainText("已选 1 台主机");
});

test("sends a sync again whose answer was lost", async ({ page, hosts: [host], signIn }) => {
  await signIn(page, "/hosts?view=table");
  await openBatch(page, [host], "同步");
  await loseAnswers(page, BATCH, 1);
  const calls = countCalls(page, "hosts.batch");

  await dialog(page).getByRole("button", { name: "同步 1 台" }).click();

  await expect(toast(page, "同步完成", "1 台主机")).toBeVisible();
  expect(calls()).toBe(2);
});

test("ends a batch when the server is not to be reached", async ({ page, hosts: _, signIn }) => {
  await page.clock.install();
  await signIn(page, "/hosts?view=table");
  await chooseForty(page);
  await batchBar(page).getByRole("button", { name: "同步" }).click();
  await page.route(UNREACHABLE, (route) => route.abort("connectionreset"));

  await dialog(page).getByRole("button", { name: "同步 40 台" }).click();
  await passQuestions(page);

  await expect(batchStatus(page)).toContainText("已停止：完成 20 / 40 台，其余 20 台未执行");
  await expect(batchStatus(page)).toContainText("结果未知 20");
  await dialog(page).getByRole("button", { name: "完成" }).click();
  await expect(batchBar(page)).toContainText("已选 40 台主机");
});

test("asks before a running batch is left, and says what is left, until it is dismissed", async ({
  page,
  hosts: _,
  signIn,
}) => {
  await signIn(page, "/hosts?view=table");
  await chooseForty(page);
  await batchBar(page).getByRole("button", { name: "同步" }).click();
  const question = page.waitForEvent("dialog");
  let calls = 0;
  await page.route(BATCH, async (route) => {
    calls += 1;
    // The second call of twenty hosts is still under way when the page is left.
    if (calls === 1) await route.fallback();
  });
  await dialog(page).getByRole("button", { name: "同步 40 台" }).click();
  await expect(batchStatus(page)).toContainText("正在同步 20 / 40 台");

  const reload = page.reload();
  const asked = await question;
  expect(asked.type()).toBe("beforeunload");
  await asked.accept();
  await reload;

  const notice = page.getByRole("status").filter({ hasText: "批量同步没有执行完" });
  await expect(notice).toContainText("共 40 台，其中 20 台没有成功，或没有得到结果");
  await expectAccessible(page);
  await notice.getByRole("button", { name: "不再提示" }).click();
  await expect(notice).toBeHidden();

  await page.reload();
  await expect(row(page, "uhost-").first()).toBeVisible();
  await expect(notice).toBeHidden();
});

test.describe("a batch that breaks off leaves exactly the hosts that it was not done to", () => {
  test("when a person stops it", async ({ page, hosts, signIn }) => {
    await signIn(page, "/hosts?view=table");
    await chooseForty(page);
    await batchBar(page).getByRole("button", { name: "同步" }).click();
    const done = await collectIds(page, async () => {
      await dialog(page).getByRole("button", { name: "停止后续主机" }).click();
    });

    await dialog(page).getByRole("button", { name: "同步 40 台" }).click();
    await expect(batchStatus(page)).toContainText("其余 20 台未执行");
    await dialog(page).getByRole("button", { name: "完成" }).click();

    await expectLeft(page, hosts, done);
  });

  test("when the session ends", async ({ page, api, hosts, signIn }) => {
    allowErrors(/401/);
    await signIn(page, "/hosts?view=table");
    await chooseForty(page);
    await batchBar(page).getByRole("button", { name: "同步" }).click();
    const done = await collectIds(page, async (call) => {
      if (call === 2) await assertOk(api.delete("/api/auth/sessions"));
    });

    await dialog(page).getByRole("button", { name: "同步 40 台" }).click();
    await expect(page.getByRole("button", { name: "登录", exact: true })).toBeVisible();
    await submitSignIn(page);
    const notice = page.getByRole("status").filter({ hasText: "批量同步没有执行完" });
    await notice.getByRole("button", { name: "选择这 20 台" }).click();
    await expect(notice).toBeHidden();

    await expectLeft(page, hosts, done);
  });
});

test("says which hosts of a client that leaves were taken back without an answer", async ({
  page,
  api,
  client,
  assignedHost,
  signIn,
}) => {
  await signIn(page, `/users/${client.id}`);
  await page.getByRole("button", { name: "离场" }).click();
  await loseAnswers(page, BATCH);

  await dialog(page).getByRole("button", { name: "确认离场" }).click();

  await expect(toast(page, "离场完成", "收回 1 台主机")).toBeVisible();
  expect((await getHost(api, assignedHost)).users).toEqual([]);
});

test("decides requests whose answer was lost, and says so", async ({
  page,
  hosts,
  requestFor,
  signIn,
}) => {
  for (const host of hosts.slice(0, 2)) await requestFor(host);
  await signIn(page, "/renewals");
  await expect(page.getByRole("button", { name: "处理", exact: true })).toHaveCount(2);
  await selectPage(page);
  await batchBar(page).getByRole("button", { name: "批准" }).click();
  await loseAnswers(page, /\/trpc\/.*renewals\.processBatch/);

  await dialog(page).getByRole("button", { name: "批准 2 个申请" }).click();

  await expect(toast(page, "2 个申请已批准，待付款")).toBeVisible();
});

test("does not say that an act failed whose answer was lost", async ({ page, signIn }) => {
  await signIn(page, "/users");
  await fillUser(page);
  await loseAnswers(page, /\/trpc\/.*users\.create/);

  await dialog(page).getByRole("button", { name: "创建", exact: true }).click();

  await expect(toast(page, "操作结果未知", "没有得到“创建”的结果")).toBeVisible();
  await expect(page.getByText("创建失败")).toHaveCount(0);
  await expect(row(page, "zhang_kehu")).toBeVisible();
});

test("tells hosts stored while the database was lost from those never tried", async ({
  page,
  api,
  hosts: [stored, untried],
  client,
  signIn,
}) => {
  await page.clock.install();
  await signIn(page, "/hosts?view=table");
  await openBatch(page, [stored, untried], "分配");
  await pickUser(page, client.name);
  // The database was lost at the first one's commit.
  await page.route(BATCH, async (route) => {
    await assignHost(api, stored, client, 365);
    const results = [
      { hostId: stored.id, ok: false, code: "UNAVAILABLE", message: "结果未知：服务暂时不可用" },
      { hostId: untried.id, ok: false, code: "UNAVAILABLE", message: "没有执行：服务暂时不可用" },
    ];
    await route.fulfill({ json: [{ result: { data: { results } } }] });
  });

  await dialog(page).getByRole("button", { name: "分配 2 台" }).click();
  await passQuestions(page);

  await expect(batchStatus(page)).toContainText("成功 1");
  await expect(batchStatus(page)).toContainText("结果未知 1");
  await expect(dialog(page)).not.toContainText("失败");
  await expect(dialog(page).getByRole("listitem").filter({ hasText: "没有执行" })).toHaveCount(1);
});

test("reads hosts again when a whole call is answered as unavailable", async ({
  page,
  hosts: [host],
  client,
  signIn,
}) => {
  allowErrors(/503/);
  await signIn(page, "/hosts?view=table");
  await openBatch(page, [host], "分配");
  await pickUser(page, client.name);
  await answerUnavailable(page, BATCH);

  await dialog(page).getByRole("button", { name: "分配 1 台" }).click();

  await expect(batchStatus(page)).toContainText("分配完成 1 / 1 台成功 1");
});

test.describe("held hosts", () => {
  test.use({ simulation: { hosts: 20, regions: 1, projects: 1 } });

  test("says which were decided without an answer", async ({
    page,
    api,
    hosts,
    provider,
    signIn,
  }) => {
    const missing = hosts.slice(0, 10).map(({ ucloudId }) => ucloudId);
    provider.control.removeHosts({ ids: missing });
    await syncAll(api);
    await signIn(page, "/hosts/held");
    await selectPage(page);
    await batchBar(page).getByRole("button", { name: "确认已消失" }).click();
    await loseAnswers(page, /\/trpc\/.*hosts\.confirmRemovals/);

    await dialog(page).getByRole("button", { name: "确认已消失 10 台" }).click();

    await expect(batchStatus(page)).toHaveText("确认已消失完成 10 / 10 台成功 10");
  });
});

/** The server does what such calls ask for, and its answers are lost: of all, or of the first ones. */
async function loseAnswers(page: Page, calls: RegExp, times?: number): Promise<void> {
  await page.route(
    calls,
    async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    },
    times === undefined ? {} : { times },
  );
}

/** The server does what such calls ask for, and loses the database before it knows. */
async function answerUnavailable(page: Page, calls: RegExp): Promise<void> {
  const message = "服务暂时不可用，请稍后重试";
  const data = { code: "UNAVAILABLE", httpStatus: 503 };
  await page.route(calls, async (route) => {
    await route.fetch();
    await route.fulfill({ status: 503, json: [{ error: { message, code: -32603, data } }] });
  });
}

/** As long as hosts are asked for whose answer was lost. */
async function passQuestions(page: Page): Promise<void> {
  await expect(batchStatus(page)).toContainText("结果未知");
  for (let step = 0; step < 5; step++) {
    await page.clock.runFor(8_000);
    // A question is answered, or not, in between.
    await page.evaluate("fetch('/healthz')");
  }
}

/** Collects the ids of the hosts that calls were done to, each after `before` it. */
async function collectIds(
  page: Page,
  before: (call: number) => Promise<void>,
): Promise<ReadonlySet<string>> {
  const done = new Set<string>();
  let calls = 0;
  await page.route(BATCH, async (route) => {
    calls += 1;
    await before(calls);
    const answer = await route.fetch();
    for (const id of answer.ok() ? idsIn(route.request()) : []) done.add(id);
    await route.fulfill({ response: answer });
  });
  return done;
}

/** Those that are chosen now are those that were and that nothing was done to. */
async function expectLeft(page: Page, hosts: Hosts, done: ReadonlySet<string>): Promise<void> {
  await page.unrouteAll({ behavior: "wait" });
  const call = page.waitForRequest(BATCH);
  await expect(batchBar(page)).toContainText("已选 20 台主机");

  await batchBar(page).getByRole("button", { name: "同步" }).click();
  await dialog(page).getByRole("button", { name: "同步 20 台" }).click();

  const chosen = hosts.slice(0, 40).map(({ id }) => id);
  const left = idsIn(await call);
  expect(done.size).toBe(20);
  expect(left.toSorted()).toEqual(chosen.filter((id) => !done.has(id)).toSorted());
}

/** Of the hosts of a call. */
function idsIn(request: Request): string[] {
  const text = request.postData() ?? "";
  return text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
}

/** Those that the list shows first: two calls of a sync, which takes twenty hosts at a time. */
async function chooseForty(page: Page): Promise<void> {
  const form = page.getByRole("form", { name: "选择前几台主机" });
  await form.getByRole("textbox").fill("40");
  await form.getByRole("button", { name: "确定" }).click();
  await expect(batchBar(page)).toContainText("已选 40 台主机");
}
