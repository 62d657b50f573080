import type { Locator, Page } from "@playwright/test";
import { z } from "zod";
import { requestRenewal } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { configure, syncAll } from "../harness/server-fixture.ts";
import { dialog, fillUser, PHONE, SIZES, toast } from "./actions.ts";
import { createUser } from "./api.ts";
import { allowErrors, expect, expectAccessible, expectStill, test } from "./fixtures.ts";

const SLOW_MS = 150;
/** The first path of each is loaded with the frame of the console, the others from the page before. */
const TOURS = [
  ["/hosts?view=table", "/dashboard", "/configs", "/users", "/renewals", "/account"],
  ["/hosts"],
];
/** What moves without anybody having touched the page, as browsers count it: 0.1 is called good. */
const WATCH_SHIFTS = `
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifts += value;
  }).observe({ type: "layout-shift", buffered: true });
`;
const BOUND = 0.01;
const NAME = "N".repeat(100);
const PERSON = {
  username: "u".repeat(50),
  name: NAME,
  email: `${"e".repeat(64)}@${"d".repeat(60)}.example.com`,
};

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
    for (const [start = "", ...others] of TOURS) {
      for (const path of [start, ...others]) {
        if (path === start) await signIn(page, path);
        // A click would excuse what moves after it.
        else await page.evaluate(`shifts = 0; history.pushState(null, "", "${path}")`);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(page.locator("[data-slot='skeleton']")).toHaveCount(0);
        await expectStill(page);
        const shifts = z.number().parse(await page.evaluate("shifts"));
        expect(shifts, `${path} moves while it loads at ${viewport.width} px`).toBeLessThan(BOUND);
      }
    }
  };
  await Promise.all(SIZES.map(visit));
});

test("covers no open dialog or sheet with a toast", async ({
  page,
  client,
  signIn,
  assignedHost,
}) => {
  // The name that is taken.
  allowErrors(/409/);
  await page.setViewportSize(PHONE.viewport);
  await signIn(page, "/users");
  await fillUser(page);
  await dialog(page).getByRole("button", { name: "创建" }).click();
  await expectApart(page, toast(page, "创建失败"), dialog(page));
  await toast(page, "创建失败").getByRole("button", { name: "关闭通知" }).click();
  await expect(toast(page, "创建失败")).toBeHidden();
  await expect(dialog(page).getByLabel("用户名")).toHaveValue("zhang_kehu");
  await dialog(page).getByRole("button", { name: "取消" }).click();

  for (const viewport of SIZES) {
    const id = await requestRenewal(client.api, assignedHost.id, 30);
    await page.setViewportSize(viewport);
    await page.goto(`/renewals?renewal=${id}`);
    await expect(dialog(page).getByRole("button", { name: "处理" })).toBeVisible();
    await assertOk(client.api.delete(`/api/renewals/${id}`));
    await expectApart(page, toast(page, "续费申请已取消"), dialog(page));
    await toast(page, "续费申请已取消").getByRole("button", { name: "关闭通知" }).click();
    await expect(toast(page, "续费申请已取消")).toBeHidden();
    await expect(dialog(page)).toBeVisible();
  }
});

async function expectApart(page: Page, one: Locator, other: Locator): Promise<void> {
  await expect(one).toBeVisible();
  await expectStill(page);
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  if (a === null || b === null) throw new Error("both must be in sight");
  const isApart =
    a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
  expect(isApart, `${JSON.stringify(a)} covers ${JSON.stringify(b)}`).toBe(true);
}

test("fits long names, many addresses, and states", async ({
  page,
  api,
  client,
  provider,
  assignedHost,
  signIn,
}) => {
  const name = "核".repeat(60);
  const IPSet = Array.from({ length: 20 }, (_, index) => ({
    Type: "Bgp",
    IP: `106.75.0.${index + 1}`,
  }));
  provider.control.updateHosts({ ids: [assignedHost.ucloudId] }, { Name: name, IPSet });
  await syncAll(api);
  await assertOk(api.put(`/api/users/${client.id}`, { name: "张".repeat(20) }));
  await requestRenewal(client.api, assignedHost.id, 30);
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, "/hosts?view=table&search=核核");
  await expect(page.getByRole("link", { name })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "分配用户" })).toBeInViewport({ ratio: 1 });
  await expectNoSidewaysScroll(page.getByRole("group", { name: "主机列表" }));
  await expect(page.getByRole("radio", { name: "紧凑" })).toBeChecked();
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect(page.getByRole("radio", { name: "宽松" })).toBeChecked();
  await page.getByRole("columnheader", { name: "分配用户" }).scrollIntoViewIfNeeded();
  await expect(page.getByRole("link", { name })).toBeInViewport({ ratio: 1 });

  await page.goto(`/hosts?host=${assignedHost.id}`);
  const addresses = page.getByRole("article").getByText(/^106\.75\.0\.\d+$/);
  await expect(addresses).toHaveCount(20);
  await expect(addresses.last()).not.toBeInViewport();
  const copies = page.getByRole("button", { name: /^复制.*106\.75\.0\./ });
  await copies.last().focus();
  await expect(addresses.last()).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);

  await expect(page.getByRole("button", { name: "下一页" })).toBeInViewport({ ratio: 1 });
  await page.goto("/renewals?status=all");
  const state = page.getByRole("cell", { name: "待处理" });
  const actions = page.getByRole("row").nth(1).getByRole("button", { name: "处理", exact: true });
  await expect(state).toBeInViewport({ ratio: 1 });
  await expectApart(page, state, actions);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/renewals");
  await expect(page.getByRole("checkbox").first()).toBeVisible();
  await expectNoSidewaysScroll(page.getByRole("group", { name: "续费申请列表" }));
  await page.setViewportSize({ width: 768, height: 1024 });
  await expect(page.getByRole("list", { name: "续费申请列表" }).getByText("待处理")).toBeInViewport(
    { ratio: 1 },
  );
  await expect(page.getByRole("button", { name: "展开侧边栏" })).toBeVisible();

  await page.setViewportSize(PHONE.viewport);
  await signIn(page, "/hosts", client);
  await expect(page.getByRole("list", { name: "主机" }).getByRole("link", { name })).toBeVisible();
  await expectNoSidewaysScroll(page.locator("html"));
});

test("keeps the longest values inside their cards on a phone", async ({
  page,
  api,
  provider,
  signIn,
}) => {
  const person = await createUser(api, { ...PERSON, role: "admin" });
  await configure(api, provider, { name: NAME, privateKey: "wrong" });
  await syncAll(api);
  await page.setViewportSize(PHONE.viewport);
  const whole = page.locator("html");
  await signIn(page, "/account", person);
  await expect(page.getByText(PERSON.email)).toBeVisible();
  await expectNoSidewaysScroll(whole);

  await signIn(page, "/users");
  await expect(page.getByText(PERSON.email)).toBeVisible();
  await expectNoSidewaysScroll(whole);

  await page.goto("/configs");
  await expect(page.getByText(/签名校验失败/)).toBeVisible();
  // A finger has no tooltip: the reason of a failure is there to be read.
  await expectNoSidewaysScroll(page.getByText(/签名校验失败/));
  await expectNoSidewaysScroll(whole);

  await page.goto("/hosts?panel=sync");
  const panel = page.getByRole("dialog");
  const body = panel.locator("[data-dialog-body]");
  await expect(panel.getByText(/签名校验失败/).first()).toBeVisible();
  await expectNoSidewaysScroll(body);
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
    await assertOk(api.put(`/api/users/${client.id}`, { ...names, adminId: admin.id }));
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
    const id = await requestRenewal(client.api, assignedHost.id);
    await assertOk(
      api.put(`/api/renewals/${id}/process`, { status: "approved", adminRemark: UNBROKEN }),
    );
    await page.setViewportSize(PHONE.viewport);
    const account = { super_admin: undefined, admin, client }[role];

    await signIn(page, "/dashboard", account);

    for (const path of PATHS_OF[role](client.id, assignedHost.id, id)) {
      await page.goto(path);
      await expect(page.locator("[data-slot='skeleton']")).toHaveCount(0);
      await expect(
        page.locator("main, [role='dialog']").getByText(UNBROKEN).first(),
      ).toBeAttached();
      await expectStill(page);
      for (const box of [
        page.locator("html"),
        ...(await page.locator("[data-dialog-body]").all()),
      ]) {
        const width = await box.evaluate((element) => element.scrollWidth - element.clientWidth);
        expect(width, `${path} at 390 px`).toBe(0);
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
  const acts = [
    [`/users/${client.id}`, new RegExp(`^编辑 ${UNBROKEN}`)],
    [`/users/${client.id}`, new RegExp(`^重置密码 ${UNBROKEN}`)],
    [`/users/${client.id}`, new RegExp(`^删除 ${UNBROKEN}`)],
    ["/configs", new RegExp(`^编辑 ${UNBROKEN}`)],
    ["/configs", new RegExp(`^删除 ${UNBROKEN}`)],
    [`/hosts?host=${assignedHost.id}`, "分配用户"],
    [`/renewals?renewal=${id}`, "处理"],
    ["/dashboard", "查找…"],
  ] as const;
  await signIn(page, "/dashboard");

  for (const [path, button] of acts) {
    await page.goto(path);
    await page.getByRole("button", { name: button }).first().click();
    await expect(dialog(page).last()).toBeVisible();
    if (path === "/dashboard") {
      await page.getByPlaceholder("查找页面").fill(UNBROKEN);
      await expect(page.getByRole("option", { name: UNBROKEN }).first()).toBeVisible();
    }
    await expectStill(page);
    for (const box of [page.locator("html"), ...(await dialog(page).all())]) {
      const width = await box.evaluate((element) => element.scrollWidth - element.clientWidth);
      expect(width, `${path}: ${button}`).toBe(0);
    }
  }
});

const PATHS_OF = {
  super_admin: (userId: string, hostId: string, renewalId: string) => [
    "/dashboard",
    `/hosts?search=${UNBROKEN}`,
    `/hosts?host=${hostId}`,
    `/hosts?userId=${userId}`,
    `/hosts?search=${UNBROKEN}&panel=sync`,
    "/users",
    `/users/${userId}`,
    "/configs",
    "/renewals?status=all",
    `/renewals?status=all&renewal=${renewalId}`,
  ],
  admin: (userId: string, hostId: string, renewalId: string) => [
    "/dashboard?ends=30",
    "/account",
    `/hosts?host=${hostId}`,
    `/users/${userId}`,
    `/admin/renewals?status=all&renewal=${renewalId}`,
  ],
  client: (_userId: string, hostId: string, renewalId: string) => [
    "/dashboard",
    "/account",
    "/hosts",
    `/hosts?host=${hostId}`,
    "/client/renewals",
    `/client/renewals?renewal=${renewalId}`,
  ],
} as const;

async function expectNoSidewaysScroll(box: Locator): Promise<void> {
  await expect
    .poll(() => box.evaluate((element) => element.scrollWidth - element.clientWidth))
    .toBe(0);
}
