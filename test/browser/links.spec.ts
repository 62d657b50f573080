import type { Locator, Page } from "@playwright/test";
import { shortZoneName } from "../../src/shared/regions.ts";
import { requestRenewal } from "../harness/data.ts";
import { boxOf, dialog, PHONE, row } from "./actions.ts";
import { expect, expectStill, test } from "./fixtures.ts";

/** What opens a link in a new tab. */
const CTRL_CLICK = { modifiers: ["Control" as const] };
const MIDDLE_CLICK = { button: "middle" as const };

test("marks text of a host row without opening it, which a click does", async ({
  page,
  hosts: [host],
  signIn,
}) => {
  await signIn(page, "/hosts?view=table");
  const zone = row(page, host.ucloudId).getByTitle(host.zoneName);

  await mark(page, zone);
  await expect.poll(() => markedText(page)).toContain(shortZoneName(host.zone).slice(1, 2));
  await expectNothingOpened(page);

  // The text is still marked.
  await zone.click();
  await expect(dialog(page)).toContainText(host.ucloudId);
});

test("marks the dates of a renewal row without opening it", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  await requestRenewal(client.api, assignedHost.id, 30);
  await signIn(page, "/renewals");

  await mark(page, cellsWithTime(page).locator("div").first());

  await expect.poll(() => markedText(page)).toMatch(/\d/);
  await expectNothingOpened(page);
});

test("drags over a host tab without choosing it", async ({ page, hosts: [, host], signIn }) => {
  await signIn(page, "/hosts");
  const tab = page.getByRole("tab").filter({ hasText: host.name });

  await mark(page, tab.getByText(host.zoneName));

  await expect(tab).toHaveAttribute("aria-selected", "false");
});

test("marks the result of a sync without unfolding it", async ({ page, hosts: _, signIn }) => {
  await signIn(page, "/hosts?panel=sync");
  const run = dialog(page).getByRole("list", { name: "同步记录" }).getByRole("listitem").first();
  await expect(run).toBeVisible();

  await mark(page, run.locator("summary > span").nth(2));

  await expect.poll(() => markedText(page)).not.toBe("");
  await expect(run.locator("details")).not.toHaveAttribute("open");
});

test.describe("on a phone with a mouse", () => {
  test.use({ viewport: PHONE.viewport });

  test("drags over a host in the list without opening it", async ({
    page,
    hosts: [host],
    signIn,
  }) => {
    await signIn(page, "/hosts");
    const item = page
      .getByRole("list", { name: "主机" })
      .getByRole("listitem")
      .filter({ hasText: host.name });

    await mark(page, item.getByText(host.zoneName));

    await expectNothingOpened(page);
  });
});

test("opens a host of the table in a new tab", async ({ page, hosts: [host], signIn }) => {
  const search = `view=table&search=${encodeURIComponent(host.name)}`;
  await signIn(page, `/hosts?${search}`);
  const name = row(page, host.ucloudId).getByRole("link", { name: host.name });
  const zone = row(page, host.ucloudId).getByTitle(host.zoneName);

  for (const [target, click] of [
    [name, CTRL_CLICK],
    [zone, CTRL_CLICK],
    [zone, MIDDLE_CLICK],
  ] as const) {
    const opened = await openInNewTab(page, target, click);

    await expect(opened).toHaveURL(new RegExp(`view=table&search=.*&host=${host.id}$`));
    await opened.close();
    await expectNothingOpened(page);
  }

  await name.click();
  await expect(dialog(page)).toContainText(host.ucloudId);
});

test("opens a host of the tabs in a new tab", async ({ page, hosts: [first, host], signIn }) => {
  await signIn(page, "/hosts");
  const tab = page.getByRole("tab").filter({ hasText: host.name });

  const opened = await openInNewTab(page, tab, MIDDLE_CLICK);

  await expect(opened.getByRole("article")).toContainText(host.ucloudId);
  await expect(opened.getByRole("tab", { selected: true })).toContainText(host.name);
  await expect(page.getByRole("article")).toContainText(first.ucloudId);
});

test("opens a client's own request in a new tab", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  const id = await requestRenewal(client.api, assignedHost.id, 30);
  await signIn(page, "/dashboard", client);

  for (const click of [CTRL_CLICK, MIDDLE_CLICK]) {
    const opened = await openInNewTab(page, page.getByRole("button", { name: "查看申请" }), click);
    await expect(opened).toHaveURL(new RegExp(`/client/renewals\\?renewal=${id}`));
    await opened.close();
    await expect(page).toHaveURL(/dashboard$/);
  }
});

test("opens a result of the palette in a new tab", async ({ page, hosts: [host], signIn }) => {
  await signIn(page, "/configs");
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("查找页面、主机、IP 或用户").fill(host.ucloudId);
  const result = page.getByRole("option", { name: new RegExp(host.ucloudId) });

  for (const click of [CTRL_CLICK, MIDDLE_CLICK]) {
    const opened = await openInNewTab(page, result, click);
    await expect(opened).toHaveURL(new RegExp(`host=${host.id}`));
    await opened.close();
    await expect(page).toHaveURL(/\/configs$/);
  }

  await result.click();
  await expect(page).toHaveURL(new RegExp(`host=${host.id}`));
});

/** The cells of the first request that show date and time. */
function cellsWithTime(page: Page): Locator {
  return page
    .getByRole("row")
    .nth(1)
    .getByRole("cell")
    .filter({ hasText: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}/ });
}

/** Drags the mouse over the first line of the text, from its first character on. */
async function mark(page: Page, text: Locator): Promise<void> {
  await expect(text).toBeVisible();
  await expectStill(page);

  const box = await boxOf(text);
  const y = box.y + Math.min(box.height / 2, 10);
  await page.mouse.move(box.x + 3, y);
  await page.mouse.down();
  await page.mouse.move(box.x + Math.min(box.width - 2, 60), y, { steps: 5 });
  await page.mouse.up();
}

function markedText(page: Page): Promise<unknown> {
  return page.evaluate("getSelection().toString()");
}

async function expectNothingOpened(page: Page): Promise<void> {
  await expectStill(page);
  expect(new URL(page.url()).search).not.toMatch(/host=|renewal=/);
}

async function openInNewTab(
  page: Page,
  target: Locator,
  click: typeof CTRL_CLICK | typeof MIDDLE_CLICK,
): Promise<Page> {
  await expect(target).toBeVisible();
  const [opened] = await Promise.all([page.context().waitForEvent("page"), target.click(click)]);
  await expect(opened).not.toHaveURL("about:blank");
  return opened;
}
