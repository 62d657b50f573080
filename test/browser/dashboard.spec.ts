import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { expect, expectAccessible, signIn, test } from "./fixtures.ts";
import { addConfiguration, chooseAllConfigurations } from "./journeys.ts";

const isOfCharts = (url: string) => /\/(BarChart|expiry-bars|region-bars)-/.test(url);

test("the charts are drawn of the synced hosts, tell their numbers, and lead to the lists", async ({
  page,
  provider,
}) => {
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  await page.goto("/login");
  await page.waitForLoadState("networkidle");
  expect(loaded.filter(isOfCharts)).toEqual([]);
  await signIn(page);
  await expect(page.getByText("没有即将到期的主机")).toBeVisible();
  await page.goto("/configs");
  await addConfiguration(page, { url: provider.url, ...MAIN_KEYS });
  await page.goto("/hosts");
  await chooseAllConfigurations(page);
  await expect(page.getByText("60 台", { exact: true })).toBeVisible();

  await page.getByRole("link", { name: "仪表盘" }).click();
  await expect(
    page
      .getByRole("img", { name: /未来12个月/ })
      .locator(".recharts-bar-rectangle")
      .first(),
  ).toBeVisible();
  await expect(page.getByRole("table", { name: "未来12个月每月到期的主机数" }).getByRole("row")).toHaveCount(13);
  const regions = page.getByRole("table", { name: "各地域各状态的主机数" });
  const totals = await regions.getByRole("row").locator("td:last-child").allTextContents();
  expect(totals.reduce((sum, text) => sum + Number(text), 0)).toBe(60);
  expect(loaded.some(isOfCharts)).toBe(true);
  await page
    .getByRole("img", { name: /各地域/ })
    .locator(".recharts-bar-rectangle")
    .first()
    .hover();
  await expect(page.locator(".recharts-tooltip-wrapper").last()).toContainText("运行中");
  await expectAccessible(page);
  await page.getByRole("link", { name: "华北（北京2）" }).click();
  await expect(page).toHaveURL(/\/hosts\?region=cn-bj2/);
});
