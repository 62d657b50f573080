import type { Locator } from "@playwright/test";
import { requestRenewal } from "../harness/data.ts";
import { dialog, openSyncPanel, row, syncAllConfigs } from "./actions.ts";
import { expect, expectAccessible, expectStill, test } from "./fixtures.ts";

test.use({ contextOptions: { forcedColors: "active" } });

test("shows the chosen view, page, tab and area under forced colours", async ({
  page,
  hosts: _,
  signIn,
}) => {
  await signIn(page, "/hosts");
  await expect(page.getByRole("tab").first()).toBeVisible();

  await expectDistinct(
    page.getByRole("tab", { selected: true }),
    page.getByRole("tab", { selected: false }).nth(1),
  );
  await expectDistinct(
    page.getByRole("radio", { name: "标签页" }),
    page.getByRole("radio", { name: "表格" }),
  );
  await expectDistinct(
    page.getByRole("button", { name: "第 1 页" }),
    page.getByRole("button", { name: "第 2 页" }),
  );
  const areas = page.getByRole("navigation", { name: "主导航" });
  await expectDistinct(
    areas.getByRole("link", { name: "主机管理" }),
    areas.getByRole("link", { name: "仪表盘" }),
  );
  await expectAccessible(page);
});

test("shows the state of a switch and the chosen option of a form under forced colours", async ({
  page,
  signIn,
}) => {
  await signIn(page, "/system-config");
  const control = page.getByRole("switch").first();
  const thumb = control.locator("span").first();
  await expect(control).toBeVisible();
  const whenOff = await appearance(control);
  expect(await contrastsWith(thumb, control)).toBe(true);

  await control.click();

  await expect.poll(() => appearance(control)).not.toBe(whenOff);
  await expectStill(page);
  expect(await contrastsWith(thumb, control)).toBe(true);

  await page.getByRole("link", { name: "用户管理" }).click();
  await page.getByRole("button", { name: "创建用户" }).first().click();
  const options = dialog(page).getByRole("radio");
  await options.first().click();
  await expectDistinct(options.first(), options.nth(1));
  expect(await contrastsWith(options.first().locator("span"), options.first())).toBe(true);
});

test("tells status dots and the series of a chart apart under forced colours", async ({
  page,
  hosts: _,
  signIn,
}) => {
  await signIn(page, "/dashboard");
  const statuses = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("link", { name: /^(运行中|已停止|启动中|未知)/ }) });
  await expect(statuses).toHaveCount(4);
  const region = page.getByRole("table", { name: "各地域各状态的主机数" }).getByRole("row").nth(1);
  await expect(region).toBeVisible();

  const dots = await appearances(statuses.locator("[data-slot='status-dot']"));
  const cells = await appearances(region.getByRole("cell"));

  expect(new Set(dots).size).toBe(4);
  expect(new Set(cells.slice(0, 3)).size).toBe(3);
});

test("shows chosen rows and highlighted entries under forced colours", async ({
  page,
  hosts: [chosen, other],
  signIn,
}) => {
  await signIn(page, "/hosts?view=table");

  await row(page, chosen.ucloudId).getByRole("checkbox").click();
  await expectDistinct(row(page, chosen.ucloudId), row(page, other.ucloudId));
  await expect(
    row(page, chosen.ucloudId).getByRole("checkbox").locator("svg").first(),
  ).toBeVisible();

  await page.getByRole("button", { name: "列", exact: true }).press("Enter");
  const items = page.getByRole("menuitemcheckbox");
  await expect(items.first()).toBeFocused();
  await expectDistinct(items.first(), items.nth(1));

  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  const options = page.getByRole("option");
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await expectDistinct(options.first(), options.nth(1));
});

test("draws badges and the chosen filter under forced colours", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  await requestRenewal(client.api, assignedHost.id, 30);
  await signIn(page, "/renewals");
  const filters = page.getByRole("group", { name: "按状态筛选" });

  await expectDistinct(
    filters.getByRole("button", { pressed: true }),
    filters.getByRole("button").first(),
  );

  await filters.getByRole("button", { name: /^全部/ }).click();

  const badge = page.getByRole("row").nth(1).locator("[data-slot='badge']").first();
  await expect(badge).toHaveCSS("outline-style", "solid");
});

test("draws the progress of a sync under forced colours", async ({
  page,
  hosts: _,
  provider,
  signIn,
}) => {
  await provider.control.hold();
  await signIn(page, "/hosts");
  await syncAllConfigs(page);

  const bar = (await openSyncPanel(page)).getByRole("progressbar").first();
  await expect(bar).toBeVisible();
  expect(await contrastsWith(bar.locator("div"), page.locator("body"))).toBe(true);

  await provider.control.release();
});

/**
 * What the browser still draws of an element and its `::before` where it replaces the colours: as
 * one text, to compare. A background in the colour of the page counts as none.
 */
function appearance(element: Locator): Promise<string> {
  return element.evaluate((node) => {
    const window = node.ownerDocument.defaultView;
    const page = window.getComputedStyle(node.ownerDocument.body).backgroundColor;
    const drawn = [
      "background-color",
      "background-image",
      "border-style",
      "border-width",
      "clip-path",
      "outline-style",
      "text-decoration-line",
    ];

    return ["", "::before"]
      .map((part) => window.getComputedStyle(node, part))
      .flatMap((style) => drawn.map((name) => style.getPropertyValue(name)))
      .map((value) => (value === page || /^rgba\(.*, 0\)$/.test(value) ? "none" : value))
      .join("; ");
  });
}

async function appearances(elements: Locator): Promise<string[]> {
  return await Promise.all((await elements.all()).map(appearance));
}

async function expectDistinct(chosen: Locator, other: Locator): Promise<void> {
  await expect(chosen).toBeVisible();
  await expectStill(chosen.page());

  expect(await appearance(chosen)).not.toBe(await appearance(other));
}

async function contrastsWith(element: Locator, ground: Locator): Promise<boolean> {
  return (await backgroundOf(element)) !== (await backgroundOf(ground));
}

function backgroundOf(element: Locator): Promise<string> {
  return element.evaluate(
    (node) => node.ownerDocument.defaultView.getComputedStyle(node).backgroundColor,
  );
}
