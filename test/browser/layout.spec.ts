import type { Locator, Page } from "@playwright/test";
import { z } from "zod";
import { dialog, PHONE, toast } from "./actions.ts";
import { applyForRenewal, importHosts, shareHost, signInToApi } from "./api.ts";
import { expect, expectStill, signIn, test } from "./fixtures.ts";

const SLOW_MS = 300;
/** What moves without anybody having touched the page, as browsers count it: 0.1 is called good. */
const WATCH_SHIFTS = `
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifts += value;
  }).observe({ type: "layout-shift", buffered: true });
`;
const BOUND = 0.01;

for (const [size, viewport] of Object.entries({ desktop: { width: 1440, height: 900 }, phone: PHONE.viewport })) {
  test.describe(size, () => {
    test.use({ viewport });

    test("shifts no layout while the pages of a super admin load", async ({ page, provider, server }) => {
      await importHosts(await signInToApi(server.url), provider);
      await signIn(page);
      await page.addInitScript(WATCH_SHIFTS);
      await page.route(/\/trpc\//, async (route) => {
        await new Promise((passed) => setTimeout(passed, SLOW_MS));
        await route.continue();
      });
      for (const path of ["/dashboard", "/hosts", "/hosts?view=table", "/configs", "/users", "/renewals", "/account"]) {
        await page.goto(path);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(page.locator("[data-slot='skeleton']")).toHaveCount(0);
        await expectStill(page);
        const shifts = z.number().parse(await page.evaluate("shifts"));
        expect(shifts, `${path} moves while it loads`).toBeLessThan(BOUND);
      }
    });
  });
}

test.describe("a toast", () => {
  // The name that is taken.
  test.use({ expectedComplaints: [/409/] });

  test("covers no open dialog or sheet", async ({ page, provider, server, openWindow }) => {
    const { host, client } = await shareHost(server.url, provider);
    const asClient = await signInToApi(server.url, client);
    const { id } = await applyForRenewal(asClient, host, 30);

    const phone = await openWindow(PHONE);
    await signIn(phone);
    await phone.goto("/users");
    await phone.getByRole("button", { name: "创建用户" }).click();
    await dialog(phone).getByLabel("用户名").fill("zhang_kehu");
    await dialog(phone).getByLabel("密码", { exact: true }).fill("Correct1Horse");
    await dialog(phone).getByLabel("姓名").fill("张客户");
    await dialog(phone).getByRole("button", { name: "创建" }).click();
    await expectApart(phone, toast(phone, "创建失败"), dialog(phone));
    await toast(phone, "创建失败").getByRole("button", { name: "关闭通知" }).click();
    await expect(toast(phone, "创建失败")).toBeHidden();
    await expect(dialog(phone).getByLabel("用户名")).toHaveValue("zhang_kehu");

    for (const window of [phone, page]) {
      if (window === page) await signIn(page);
      await window.goto(`/renewals?renewal=${id}`);
      await expect(dialog(window).getByRole("button", { name: "处理" })).toBeVisible();
    }
    await asClient("DELETE", `/api/renewals/${id}`);
    // At once, for they do not stay long.
    await Promise.all(
      [phone, page].map((window) => expectApart(window, toast(window, "续费申请已取消"), dialog(window))),
    );
    await toast(page, "续费申请已取消").getByRole("button", { name: "关闭通知" }).click();
    await expect(toast(page, "续费申请已取消")).toBeHidden();
    await expect(dialog(page)).toBeVisible();
  });
});

async function expectApart(page: Page, one: Locator, other: Locator): Promise<void> {
  await expect(one).toBeVisible();
  await expectStill(page);
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  if (a === null || b === null) throw new Error("both must be in sight");
  const isApart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
  expect(isApart, `${JSON.stringify(a)} covers ${JSON.stringify(b)}`).toBe(true);
}

test.describe("at 1280×800", () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test("shows a super admin the host filters in one line and the whole table, compact", async ({
    page,
    provider,
    server,
  }) => {
    await importHosts(await signInToApi(server.url), provider);
    await signIn(page);
    await page.goto("/hosts?status=Running");
    await expect(page.getByRole("tab").first()).toBeVisible();
    const search = await page.getByRole("searchbox", { name: "搜索主机" }).boundingBox();
    for (const name of ["状态", "地域", "配置", "云端到期", "分配与用户到期", "云端情况"]) {
      const filter = await page.getByRole("combobox", { name, exact: true }).boundingBox();
      expect(filter?.y, `${name} is not in line`).toBe(search?.y);
    }
    const order = await page.getByRole("combobox", { name: "排序" }).boundingBox();
    const view = await page.getByRole("radiogroup", { name: "视图" }).boundingBox();
    expect(order?.y, "the order is not in line").toBe(view?.y);

    await page.getByRole("radio", { name: "表格" }).click();
    const box = page.getByRole("group", { name: "主机列表" });
    await expect(page.getByRole("columnheader", { name: "分配用户" })).toBeInViewport({ ratio: 1 });
    await expect.poll(() => shadeOf(box)).toBe(0);
    await expect(page.getByRole("radio", { name: "紧凑" })).toBeChecked();
    await page.setViewportSize({ width: 1024, height: 768 });
    await expect(page.getByRole("radio", { name: "宽松" })).toBeChecked();
    await expect.poll(() => shadeOf(box)).toBe(1);
    await box.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
    await expect.poll(() => shadeOf(box)).toBe(0);
  });
});

/** 1440 and 1280 px at a zoom of 125 %. */
for (const width of [1152, 1024]) {
  test(`at ${width} px no filter of the host list is left over for a line of its own`, async ({ page }) => {
    await page.setViewportSize({ width, height: 720 });
    await signIn(page);
    await page.goto("/hosts?status=Running");
    await expect(page.getByRole("combobox", { name: "云端情况" })).toBeVisible();
    const lines = await Promise.all(
      ["状态", "地域", "配置", "云端到期", "分配与用户到期", "云端情况"].map(
        async (name) => (await page.getByRole("combobox", { name, exact: true }).boundingBox())?.y,
      ),
    );
    const clear = await page.getByRole("button", { name: "清除筛选" }).first().boundingBox();
    expect(new Set([...lines, clear?.y]).size).toBe(1);
  });
}

test("keeps all columns of the host table with the longest names", async ({ page, provider, server }) => {
  const [host] = await importHosts(await signInToApi(server.url), provider);
  await provider.control("updateHosts", { ids: [String(host?.ucloudId)] }, { Name: "核".repeat(60) });
  await (await signInToApi(server.url))("POST", "/api/hosts/sync?wait=25");
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page);
  await page.goto("/hosts?view=table&search=核核");
  await expect(page.getByRole("button", { name: "核".repeat(60) })).toBeVisible();
  const box = page.getByRole("group", { name: "主机列表" });
  await expect.poll(() => box.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
});

test("reserves the space of the checkboxes while the host table loads", async ({ page }) => {
  await signIn(page);
  await page.route(/\/trpc\/.*hosts\.list/, () => new Promise(() => {}));
  await page.goto("/hosts?view=table");
  const checkbox = await page.getByRole("checkbox", { name: "选择本页全部" }).boundingBox();
  const placeholder = await page.getByRole("cell").first().locator("[data-slot='skeleton']").boundingBox();
  expect(placeholder?.width).toBe(checkbox?.width);
  expect(placeholder?.x).toBe(checkbox?.x);
});

test("folds many addresses of a host behind a button", async ({ page, provider, server }) => {
  const api = await signInToApi(server.url);
  const [host] = await importHosts(api, provider);
  const IPSet = Array.from({ length: 20 }, (_, index) => ({ Type: "Bgp", IP: `106.75.0.${index + 1}` }));
  await provider.control("updateHosts", { ids: [String(host?.ucloudId)] }, { IPSet });
  await api("POST", "/api/hosts/sync?wait=25");
  await signIn(page);
  await page.goto(`/hosts?host=${host?.id}`);
  const addresses = page.getByRole("article").getByText(/^106\.75\.0\.\d+$/);
  await expect(addresses).toHaveCount(4);
  await page.getByRole("button", { name: "显示全部 20 个 IP" }).press("Enter");
  await expect(addresses).toHaveCount(20);
  await page.getByRole("button", { name: "收起", exact: true }).press("Enter");
  await expect(addresses).toHaveCount(4);
});

test("aligns the last column of a table with its head", async ({ page, provider, server }) => {
  const { host, client } = await shareHost(server.url, provider);
  await applyForRenewal(await signInToApi(server.url, client), host, 30);
  await signIn(page);
  for (const [path, last] of [
    ["/renewals?status=all", page.getByRole("button", { name: /详情$/ })],
    ["/users", page.getByRole("button", { name: "删除 张客户" }).locator("svg")],
  ] as const) {
    await page.goto(path);
    await expect(last).toBeVisible();
    const right = await last.evaluate((element) => {
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(element);
      const box = element.tagName === "svg" ? element : range;
      return box.getBoundingClientRect().right;
    });
    const head = await page.getByRole("columnheader", { name: "操作" }).evaluate((element) => {
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().right;
    });
    expect(Math.abs(right - head), path).toBeLessThanOrEqual(1);
  }
});

/** How much of the shade is seen that says that a box has more to show at its right edge. */
async function shadeOf(box: Locator): Promise<number> {
  const opacity = await box.evaluate((element) => {
    const view = element.ownerDocument.defaultView;
    return view === null ? "" : view.getComputedStyle(element, "::after").opacity;
  });
  return Number(opacity);
}

test.describe("at 1024×768", () => {
  test.use({ viewport: { width: 1024, height: 768 } });

  test("shows pagination and the status of every request", async ({ page, provider, server }) => {
    const { host, client } = await shareHost(server.url, provider);
    await applyForRenewal(await signInToApi(server.url, client), host, 30);
    await signIn(page);
    await page.goto("/hosts");
    await expect(page.getByRole("button", { name: "下一页" })).toBeInViewport({ ratio: 1 });
    await page.getByRole("button", { name: "下一页" }).click();
    await expect(page).toHaveURL(/page=2/);

    await page.goto("/renewals?status=all");
    const state = page.getByRole("cell", { name: "待处理" });
    const actions = page.getByRole("row").nth(1).getByRole("button", { name: "处理", exact: true });
    await expect(state).toBeInViewport({ ratio: 1 });
    await expectApart(page, state, actions);
    await page.setViewportSize({ width: 768, height: 1024 });
    await expect(page.getByRole("list", { name: "续费申请列表" }).getByText("待处理")).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "展开侧边栏" })).toBeVisible();
  });
});
