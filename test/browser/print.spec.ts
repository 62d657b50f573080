import type { Page } from "@playwright/test";
import { requestRenewal } from "../harness/data.ts";
import { dateIn, row, SIZES } from "./actions.ts";
import { expect, expectContrast, test } from "./fixtures.ts";

/** With margins of 1 cm. */
const A4 = { width: 718, height: 1047 };

test("prints a table light, without navigation, filters and buttons", async ({
  page,
  signIn,
  hosts: [host],
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await signIn(page, "/hosts?view=table");
  await expect(page.getByRole("cell").first()).toBeVisible();
  await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");

  await page.emulateMedia({ colorScheme: "dark", media: "print" });

  await expect(page.locator("html")).toHaveCSS("color-scheme", "light");
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(255, 255, 255)");
  for (const hidden of [
    page.getByRole("banner"),
    page.getByRole("navigation", { name: "主导航" }),
    page.getByRole("searchbox"),
    page.getByRole("button", { name: "复制资源 ID" }).first(),
    page.getByRole("combobox"),
    page.getByRole("checkbox").first(),
  ]) {
    await expect(hidden).toBeHidden();
  }
  await expect(page.getByRole("columnheader", { name: "主机" })).toBeVisible();
  await expect(page.getByRole("row").nth(1).getByText(host.name)).toBeVisible();
  await expectContrast(page);
});

test("prints the whole sheet of a host without the page behind it", async ({
  page,
  signIn,
  hosts: [host],
}) => {
  await signIn(page, "/hosts?view=table");
  await page.emulateMedia({ media: "print" });

  await page.getByRole("row").nth(1).getByText(host.name).click();

  const sheet = page.getByRole("dialog", { name: "主机详情" });
  await expect(sheet.getByText("计费信息")).toBeVisible();
  await expect(page.getByRole("main", { includeHidden: true })).toBeHidden();
  await expect(sheet.getByRole("button")).toHaveCount(0);
  const body = sheet.locator("[data-dialog-body]");
  expect(await body.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
});

test("prints the host tabs as a list without the open host", async ({
  page,
  signIn,
  hosts: [host],
}) => {
  await signIn(page, "/hosts?view=tabs");
  await expect(page.getByRole("article")).toBeVisible();

  await page.emulateMedia({ media: "print" });

  await expect(page.getByRole("tablist", { name: "主机" }).getByText(host.name)).toBeVisible();
  await expect(page.getByRole("article")).toBeHidden();
});

test("prints every column of a table on A4 and clips nothing", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  await requestRenewal(client.api, assignedHost.id, 30);
  await signIn(page);

  for (const { path, label, last } of [
    { path: "/hosts?view=table", label: "主机列表", last: "分配用户" },
    { path: "/renewals?status=all", label: "续费申请列表", last: "提交时间" },
    { path: "/users", label: "用户列表", last: "创建时间" },
  ]) {
    await page.emulateMedia({ media: "screen" });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(path);
    await expect(page.getByRole("columnheader", { name: last })).toBeVisible();

    await page.emulateMedia({ media: "print" });
    await page.setViewportSize(A4);

    await expect(page.getByRole("columnheader", { name: last })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("columnheader", { name: "操作" })).toBeHidden();

    const box = page.getByRole("group", { name: label });
    await expect(box).toHaveCSS("overflow", "visible");
    await expect(box.locator("..")).toHaveCSS("overflow", "visible");
  }
});

for (const view of ["table", "tabs"]) {
  test(`prints every host of the ${view} on A4, upright and across`, async ({
    page,
    hosts: _,
    signIn,
  }) => {
    // They fill several sheets.
    const length = 50;
    await signIn(page);

    for (const viewport of SIZES) {
      await page.setViewportSize(viewport);
      await page.goto(`/hosts?view=${view}&limit=${length}`);
      const links = page.getByRole("main").locator("a[href*='host=']");
      await expect(links).toHaveCount(length);

      for (const landscape of [false, true]) {
        const printed = await printedLinks(page, /[?&]host=[^&]+/, landscape);
        const message = `at ${viewport.width} px, landscape: ${landscape}`;
        expect(printed, message).toHaveLength(length);
      }
    }
  });
}

test("prints whose hosts and which of them a table shows, and as of when", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  const { name } = assignedHost;
  await signIn(page, `/hosts?view=table&userId=${client.id}&assigned=true&search=${name}`);
  await expect(page.getByRole("rowheader")).toHaveCount(1);

  await beginPrint(page);

  const filters = `用户：张客户 · 已分配 · 搜索：${name}`;
  const title = `${filters} · 第 1–1 台，共 1 台 · ${dateIn(0)}`;
  await expect(page.getByText(title)).toBeVisible();
});

test("prints the ticked hosts alone, of every page, without a ground", async ({
  page,
  hosts,
  signIn,
}) => {
  await signIn(page, "/hosts?view=table");
  await row(page, hosts[0].ucloudId).getByRole("checkbox").click();
  await page.getByRole("button", { name: "下一页" }).click();
  const other = hosts[25];
  if (other === undefined) throw new Error("there are too few hosts");
  await row(page, other.ucloudId).getByRole("checkbox").click();

  const printed = await printedLinks(page, /[?&]host=[^&]+/, false);
  await beginPrint(page);

  expect(printed.map((link) => link.slice("?host=".length))).toEqual([hosts[0].id, other.id]);
  await expect(page.getByText("所选 2 台")).toBeVisible();
  await expect(row(page, other.ucloudId)).toHaveCSS("background-color", "rgb(255, 255, 255)");
});

/** Lays the page out as for paper, and leaves it so. */
async function beginPrint(page: Page): Promise<void> {
  await page.emulateMedia({ media: "print" });
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
}

/**
 * What the links of this kind lead to on the sheets that the browser prints: a row that is lost has
 * none.
 */
async function printedLinks(page: Page, kind: RegExp, landscape: boolean): Promise<string[]> {
  const sheets = await page.pdf({ format: "A4", landscape });
  const links = sheets.toString("latin1").matchAll(/\/URI \(([^)]*)\)/g);
  const targets = [...links].flatMap(([, target = ""]) => kind.exec(target)?.[0] ?? []);
  return [...new Set(targets)];
}
