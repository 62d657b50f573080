import type { Locator, Page } from "@playwright/test";
import { z } from "zod";
import { MAX_TAG_LENGTH } from "../../src/shared/annotations.ts";
import type { Host } from "../../src/shared/hosts.ts";
import type { User } from "../../src/shared/users.ts";
import type { Simulator } from "../../src/simulator/server.ts";
import { requestRenewal } from "../harness/data.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";
import { configure, syncAll } from "../harness/server-fixture.ts";
import {
  actOnUser,
  boxOf,
  dialog,
  fillUser,
  goTo,
  PHONE,
  SIZES,
  submit,
  toast,
} from "./actions.ts";
import {
  allowErrors,
  expect,
  expectAccessible,
  expectApart,
  expectStill,
  test,
} from "./fixtures.ts";

/** How much later every answer comes, so that the page is drawn without it first. */
const SLOW_MS = 150;
/**
 * Paths with their headings. The first path of each tour is loaded with the frame of the console,
 * the others from the page before.
 */
const TOURS = [
  {
    "/hosts?view=table": "主机管理",
    "/dashboard": "仪表盘",
    "/configs": "配置管理",
    "/notice-settings": "通知设置",
    "/users": "用户管理",
    "/users/import": "导入用户",
    "/renewals": "续费管理",
    "/notices": "通知",
    "/account": "个人设置",
  },
  { "/hosts": "主机管理" },
];
/** Adds up what moves without the user having touched the page, as browsers count it. */
const WATCH_SHIFTS = `
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) {
      if (!hadRecentInput) window.shifts += value;
    }
  }).observe({ type: "layout-shift", buffered: true });
`;
/** The sum that a page must stay below; browsers call up to 0.1 good. */
const MOST_SHIFTS = 0.01;
const NAME = "N".repeat(100);

test("shifts no layout while the pages of a super admin load", async ({
  hosts: _,
  openWindow,
  signIn,
}) => {
  const visit = async (viewport: (typeof SIZES)[number]) => {
    const page = await openWindow({ viewport });
    await page.addInitScript(WATCH_SHIFTS);
    await page.route(/\/trpc\//, async (route) => {
      await new Promise((passed) => setTimeout(passed, SLOW_MS));
      await route.continue();
    });

    for (const tour of TOURS) {
      for (const [index, [path, name]] of Object.entries(tour).entries()) {
        if (index === 0) await signIn(page, path);
        // A click would excuse what moves after it.
        else await page.evaluate(`shifts = 0; history.pushState(null, "", "${path}")`);

        // By its name: the heading of the page before is still there.
        await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
        await expect(page.locator("[data-slot='skeleton']")).toHaveCount(0);
        await expectStill(page);

        const shifts = z.number().parse(await page.evaluate("shifts"));
        const message = `${path} moves while it loads at ${viewport.width} px`;
        expect(shifts, message).toBeLessThan(MOST_SHIFTS);
      }
    }
  };

  await Promise.all(SIZES.map(visit));
});

test("covers no open dialog with a toast on a phone", async ({ page, client: _, signIn }) => {
  // The username that is taken.
  allowErrors(/409/);
  await page.setViewportSize(PHONE.viewport);
  await signIn(page, "/users");
  await fillUser(page);

  await dialog(page).getByRole("button", { name: "创建" }).click();

  await expectApart(page, toast(page, "创建失败"), dialog(page));
  await toast(page, "创建失败").getByRole("button", { name: "关闭提示" }).click();
  await expect(toast(page, "创建失败")).toBeHidden();
  await expect(dialog(page).getByLabel("用户名")).toHaveValue("zhang_kehu");
});

test("keeps the bar of a selection at the foot of the window", async ({ page, hosts, signIn }) => {
  await signIn(page, "/dashboard");

  for (const query of ["", `&search=${hosts[0].ucloudId}`]) {
    await page.goto(`/hosts?view=table${query}`);
    await page
      .getByRole("checkbox", { name: `选择 ${hosts[0].name}` })
      .first()
      .click();

    for (const viewport of SIZES) {
      await page.setViewportSize(viewport);
      const bar = page.getByRole("region", { name: "批量操作" });
      await expect
        .poll(async () => {
          const { y, height } = await boxOf(bar);
          return Math.round(y + height);
        })
        .toBe(viewport.height);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }
});

test("covers no head of the next dialog with a toast", async ({
  page,
  hosts,
  requestFor,
  signIn,
}) => {
  for (const host of hosts.slice(0, 2)) await requestFor(host);
  await page.setViewportSize({ width: 1280, height: 720 });
  await signIn(page, "/renewals");
  await page.getByRole("button", { name: "处理", exact: true }).first().click();

  await submit(page, "批准并处理下一个", "处理成功");

  await expect(dialog(page)).toContainText(`“${hosts[1].name}”`);
  await expectApart(page, toast(page, "处理成功"), dialog(page));
});

test("covers no open sheet with a toast", async ({ page, client, assignedHost, signIn }) => {
  await signIn(page);

  for (const viewport of SIZES) {
    const id = await requestRenewal(client.api, assignedHost.id, 30);
    await page.setViewportSize(viewport);
    await page.goto(`/renewals?renewal=${id}`);
    await expect(dialog(page).getByRole("button", { name: "处理" })).toBeVisible();

    await assertOk(client.api.delete(`/api/renewals/${id}`));

    await expectApart(page, toast(page, "续费申请已取消"), dialog(page));
    await toast(page, "续费申请已取消").getByRole("button", { name: "关闭提示" }).click();
    await expect(toast(page, "续费申请已取消")).toBeHidden();
    await expect(dialog(page)).toBeVisible();
  }
});

/** A window of 1,280 × 1,024 px at 400 %. */
const ZOOMED = { width: 320, height: 256 };

test("gives the whole window to a form at 400 % zoom", async ({ page, signIn }) => {
  await page.setViewportSize(ZOOMED);
  await signIn(page, "/users");
  await page.getByRole("button", { name: "创建用户" }).first().click();
  const title = dialog(page).getByRole("heading", { name: "创建用户" });
  const phone = dialog(page).getByLabel("手机号");
  await expect(title).toBeInViewport();

  await phone.focus();

  await expect(phone).toBeInViewport({ ratio: 1 });
  await expect(title).not.toBeInViewport();
  await dialog(page).getByRole("button", { name: "创建" }).scrollIntoViewIfNeeded();
  await expect(dialog(page).getByRole("button", { name: "创建" })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
});

test("scrolls a confirmation at 400 % zoom to its buttons", async ({ page, client, signIn }) => {
  await page.setViewportSize(ZOOMED);
  await signIn(page, `/users/${client.id}`);
  await actOnUser(page, client.name, "删除");
  await expect(dialog(page)).toContainText("无法撤销");

  await dialog(page).hover();
  await page.mouse.wheel(0, 1_000);

  await expect(dialog(page).getByRole("button", { name: "删除" })).toBeInViewport({ ratio: 1 });
});

const LONG_NAME = "核".repeat(60);

/** Gives the assigned host a long name and 20 addresses, and its client a long name. */
async function lengthen({ api, provider, client, assignedHost }: ToLengthen): Promise<void> {
  const IPSet = Array.from({ length: 20 }, (_, index) => ({
    Type: "Bgp",
    IP: `106.75.0.${index + 1}`,
  }));
  provider.control.updateHosts({ ids: [assignedHost.ucloudId] }, { Name: LONG_NAME, IPSet });
  await syncAll(api);
  await assertOk(api.put(`/api/users/${client.id}`, { name: "张".repeat(20) }));
}

interface ToLengthen {
  readonly api: RestClient;
  readonly provider: Simulator;
  readonly client: User;
  readonly assignedHost: Host;
}

test("fits the table of hosts with long names into 1,280 and 1,024 px", async ({
  page,
  api,
  client,
  provider,
  assignedHost,
  signIn,
}) => {
  await lengthen({ api, provider, client, assignedHost });
  const link = page.getByRole("link", { name: LONG_NAME });
  const users = page.getByRole("columnheader", { name: "分配用户" });

  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, "/hosts?view=table&search=核核");
  await expect(link).toBeVisible();
  await expect(users).toBeInViewport({ ratio: 1 });
  await expectNoSidewaysScroll(page.getByRole("group", { name: "主机列表" }));
  await expect(page.getByRole("radio", { name: "紧凑" })).toBeChecked();

  await page.setViewportSize({ width: 1024, height: 768 });
  await expect(page.getByRole("radio", { name: "宽松" })).toBeChecked();
  await users.scrollIntoViewIfNeeded();
  await expect(link).toBeInViewport({ ratio: 1 });
});

test("scrolls many addresses of a host to the one that has the focus", async ({
  page,
  api,
  client,
  provider,
  assignedHost,
  signIn,
}) => {
  await lengthen({ api, provider, client, assignedHost });
  await page.setViewportSize({ width: 1024, height: 768 });
  await signIn(page, `/hosts?host=${assignedHost.id}`);
  const addresses = page.getByRole("article").getByText(/^106\.75\.0\.\d+$/);
  await expect(addresses).toHaveCount(20);
  await expect(addresses.last()).not.toBeInViewport();

  await page
    .getByRole("button", { name: /^复制.*106\.75\.0\./ })
    .last()
    .focus();

  await expect(addresses.last()).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("button", { name: "下一页" })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
});

test("shows the state of a request beside its buttons down to 768 px", async ({
  page,
  api,
  client,
  provider,
  assignedHost,
  signIn,
}) => {
  await lengthen({ api, provider, client, assignedHost });
  await requestRenewal(client.api, assignedHost.id, 30);

  await page.setViewportSize({ width: 1024, height: 768 });
  await signIn(page, "/renewals?status=all");
  const state = page.getByRole("cell", { name: "待处理" });
  const actions = page.getByRole("row").nth(1).getByRole("button", { name: "处理", exact: true });
  await expect(state).toBeInViewport({ ratio: 1 });
  await expectApart(page, state, actions);

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/renewals");
  await expect(page.getByRole("checkbox").first()).toBeVisible();
  await expectNoSidewaysScroll(page.getByRole("group", { name: "续费申请列表" }));

  await page.setViewportSize({ width: 768, height: 1024 });
  const cards = page.getByRole("list", { name: "续费申请列表" });
  await expect(cards.getByText("待处理")).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("button", { name: "展开侧边栏" })).toBeVisible();
});

test("shows the whole reason of a failed sync on a phone", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  await configure(api, provider, { name: NAME, privateKey: "wrong" });
  await syncAll(api);
  await page.setViewportSize(PHONE.viewport);

  await signIn(page, "/configs");
  await expect(page.getByText(/签名校验失败/)).toBeVisible();
  // A finger has no tooltip: the reason of a failure is there to be read.
  await expectNoSidewaysScroll(page.getByText(/签名校验失败/));
  await expectNoSidewaysScroll(page.locator("html"));

  await goTo(page, "/hosts?panel=sync");
  const panel = page.getByRole("dialog");
  await expect(panel.getByText(/签名校验失败/).first()).toBeVisible();
  await expectNoSidewaysScroll(panel.locator("[data-dialog-body]"));
});

/** Names without a place to break, as they come from machines. */
const UNBROKEN = "n".repeat(42);
const LONG_EMAIL = `${"e".repeat(42)}@${"d".repeat(42)}.example.com`;

for (const role of ["super_admin", "admin", "client"] as const) {
  test(`scrolls no page of a ${role} sideways for long names on a phone`, async ({
    page,
    api,
    client,
    admin,
    provider,
    assignedHost,
    signIn,
  }) => {
    const names = { name: UNBROKEN, email: LONG_EMAIL };
    await assertOk(api.put(`/api/users/${admin.id}`, names));
    await assertOk(
      api.put(`/api/users/${client.id}`, { ...names, adminId: admin.id, note: UNBROKEN }),
    );
    await configure(api, provider, {
      name: UNBROKEN,
      remark: UNBROKEN,
      projectIds: [`org-${UNBROKEN}`],
    });
    provider.control.updateHosts(
      { ids: [assignedHost.ucloudId] },
      { Name: UNBROKEN, OsName: UNBROKEN },
    );
    await syncAll(api);
    await assertOk(
      api.put(`/api/hosts/${assignedHost.id}/annotations`, {
        tags: [UNBROKEN.slice(0, MAX_TAG_LENGTH)],
        note: UNBROKEN,
      }),
    );
    const id = await requestRenewal(client.api, assignedHost.id);
    await assertOk(
      api.put(`/api/renewals/${id}/process`, { status: "approved", adminRemark: UNBROKEN }),
    );
    await page.setViewportSize(PHONE.viewport);
    const account = { super_admin: undefined, admin, client }[role];

    await signIn(page, "/notices", account);

    for (const path of PATHS_OF[role](client.id, assignedHost.id, id)) {
      await goTo(page, path);
      await expect(
        page.locator("main, [role='dialog']").getByText(UNBROKEN).first(),
      ).toBeAttached();
      await expect(page.locator("[data-slot='skeleton']")).toHaveCount(0);
      await expectStill(page);

      const bodies = await page.locator("[data-dialog-body]").all();
      for (const box of [page.locator("html"), ...bodies]) {
        expect(await overflowOf(box), `${path} at 390 px`).toBe(0);
      }
    }
  });
}

test("keeps long names inside every dialog on a phone", async ({
  page,
  api,
  client,
  provider,
  assignedHost,
  signIn,
}) => {
  await assertOk(api.put(`/api/users/${client.id}`, { name: UNBROKEN, email: LONG_EMAIL }));
  await configure(api, provider, { name: UNBROKEN });
  provider.control.updateHosts({ ids: [assignedHost.ucloudId] }, { Name: UNBROKEN });
  await syncAll(api);
  const id = await requestRenewal(client.api, assignedHost.id);
  await page.setViewportSize(PHONE.viewport);
  const buttons = [
    [`/users/${client.id}`, new RegExp(`^编辑 ${UNBROKEN}`)],
    ["/configs", new RegExp(`^编辑 ${UNBROKEN}`)],
    [`/users/${client.id}`, "离场"],
    ["/configs", new RegExp(`^删除 ${UNBROKEN}`)],
    [`/hosts?host=${assignedHost.id}`, "分配用户"],
    [`/renewals?renewal=${id}`, "处理"],
    [`/hosts?host=${assignedHost.id}`, "添加内部备注"],
  ] as const;
  await signIn(page, "/dashboard");

  for (const [path, button] of buttons) {
    await goTo(page, path);
    // Details are loaded after their page.
    const place = path.includes("?") ? page.getByRole("dialog") : page;
    await place.getByRole("button", { name: button }).first().click();
    await expectDialogsFit(page, `${path}: ${button}`);
  }
  for (const act of ["重置密码", "删除"]) {
    await goTo(page, `/users/${client.id}`);
    await actOnUser(page, UNBROKEN, act);
    await expectDialogsFit(page, act);
  }

  await goTo(page, "/dashboard");
  await page.getByRole("button", { name: "查找…" }).first().click();
  await page.getByPlaceholder("查找页面").fill(UNBROKEN);
  await expect(page.getByRole("option", { name: UNBROKEN }).first()).toBeVisible();
  await expectDialogsFit(page, "the palette");
});

async function expectDialogsFit(page: Page, what: string): Promise<void> {
  await expect(dialog(page).last()).toBeVisible();
  await expectStill(page);

  for (const box of [page.locator("html"), ...(await dialog(page).all())]) {
    expect(await overflowOf(box), what).toBe(0);
  }
}

const PATHS_OF = {
  super_admin: (userId: string, hostId: string, renewalId: string) => [
    // One page never follows itself: see `goTo`.
    `/hosts?search=${UNBROKEN}`,
    "/dashboard",
    `/hosts?host=${hostId}`,
    "/users",
    `/hosts?userId=${userId}`,
    `/users/${userId}`,
    `/hosts?search=${UNBROKEN}&panel=sync`,
    "/configs",
    "/renewals?status=all",
    `/renewals?status=all&renewal=${renewalId}`,
  ],
  admin: (userId: string, hostId: string, renewalId: string) => [
    "/dashboard?ends=30",
    "/account",
    `/hosts?host=${hostId}`,
    "/my-clients",
    `/users/${userId}`,
    `/admin/renewals?status=all&renewal=${renewalId}`,
  ],
  client: (_userId: string, hostId: string, renewalId: string) => [
    "/hosts",
    "/dashboard",
    `/hosts?host=${hostId}`,
    "/account",
    "/notices",
    "/client/renewals",
    `/client/renewals?renewal=${renewalId}`,
  ],
} as const;

async function expectNoSidewaysScroll(box: Locator): Promise<void> {
  await expect.poll(() => overflowOf(box)).toBe(0);
}

/** By how many pixels its content is wider than the element. */
function overflowOf(box: Locator): Promise<number> {
  return box.evaluate((element) => element.scrollWidth - element.clientWidth);
}
