import type { CDPSession, Page } from "@playwright/test";
import { dialog, recordCalls } from "./actions.ts";
import { expect, expectStill, test } from "./fixtures.ts";

/** The pinyin of 中, on its way. */
const PINYIN = "zhong";
/** Far longer than any pause after which the console searches for what was typed. */
const PAUSE_MS = 5_000;

/** An input method over the element that has the focus. */
async function openInputMethod(page: Page) {
  const devtools: CDPSession = await page.context().newCDPSession(page);
  const caret = PINYIN.length;
  return {
    compose: () =>
      devtools.send("Input.imeSetComposition", {
        text: PINYIN,
        selectionStart: caret,
        selectionEnd: caret,
      }),
    choose: (text: string) => devtools.send("Input.insertText", { text }),
  };
}

test("searches a list for a composed text only once it is complete", async ({
  page,
  hosts: _,
  signIn,
}) => {
  await page.clock.install();
  await signIn(page, "/hosts?view=table");
  const rows = page.getByRole("table", { name: "主机列表" }).getByRole("row");
  await expect(rows.nth(1)).toBeVisible();
  await expect(page.locator("[data-slot='skeleton']")).toHaveCount(0);
  const count = await rows.count();
  const calls = recordCalls(page);
  const box = page.getByRole("searchbox", { name: "搜索主机" });
  await box.focus();
  const inputMethod = await openInputMethod(page);

  await inputMethod.compose();
  await page.clock.runFor(PAUSE_MS);
  await expect(box).toHaveValue(PINYIN);
  await expect(rows).toHaveCount(count);

  await inputMethod.choose("中文名");
  await page.clock.runFor(PAUSE_MS);
  await expect.poll(() => calls.some((call) => call.includes("中文名"))).toBe(true);
  expect(calls.filter((call) => call.includes(PINYIN))).toEqual([]);
});

test("leaves the command palette and the keys in it to a composition", async ({
  page,
  hosts,
  signIn,
}) => {
  await page.clock.install();
  await signIn(page, "/dashboard");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "命令面板" });
  await palette.getByRole("combobox").pressSequentially(hosts[0].ucloudId);
  await page.clock.runFor(PAUSE_MS);
  await expect(palette.getByRole("option", { name: hosts[0].ucloudId })).toBeVisible();
  const calls = recordCalls(page);
  const inputMethod = await openInputMethod(page);

  await inputMethod.compose();
  await page.clock.runFor(PAUSE_MS);
  for (const key of ["ArrowDown", "Enter", "Escape"]) await page.keyboard.press(key);
  await expect(palette.getByRole("combobox")).toHaveValue(`${hosts[0].ucloudId}${PINYIN}`);
  await expect(palette.getByRole("option", { name: hosts[0].ucloudId })).toBeVisible();

  await inputMethod.choose("中");
  await page.clock.runFor(PAUSE_MS);
  await expect(palette.getByText("没有找到匹配的内容")).toBeVisible();
  expect(calls.filter((call) => call.includes(PINYIN))).toEqual([]);
});

test("leaves a picker and the keys in it to a composition", async ({ page, admin, signIn }) => {
  await page.clock.install();
  await signIn(page, "/users");
  await page.getByRole("button", { name: "创建用户" }).first().click();
  const picker = dialog(page).getByRole("combobox", { name: "负责管理员" });
  const search = page.getByRole("combobox", { name: "搜索姓名、用户名、手机号或邮箱" });
  await picker.click();
  const option = page.getByRole("option", { name: admin.name });
  await expect(option).toBeVisible();
  const calls = recordCalls(page);
  const inputMethod = await openInputMethod(page);

  await inputMethod.compose();
  await page.clock.runFor(PAUSE_MS);
  for (const key of ["ArrowDown", "Enter", "Escape"]) await page.keyboard.press(key);
  await expect(option).toBeVisible();

  await inputMethod.choose("没有这个人");
  await page.clock.runFor(PAUSE_MS);
  await expect(option).toBeHidden();
  await expect(search).toHaveValue("没有这个人");
  expect(calls.filter((call) => call.includes(PINYIN))).toEqual([]);

  await page.keyboard.press("Escape");
  await expect(search).toHaveCount(0);
  await expect(picker).toBeVisible();
});

test("leaves the regions of a filter as they are while a text is composed", async ({
  page,
  hosts: _,
  signIn,
}) => {
  await signIn(page, "/hosts");
  await page.getByRole("combobox", { name: "地域" }).click();
  const options = page.getByRole("listbox", { name: "选项" }).getByRole("option");
  await expect(options.first()).toBeVisible();
  const count = await options.count();
  const inputMethod = await openInputMethod(page);

  await inputMethod.compose();
  await expect(page.getByPlaceholder("搜索地域名称或代码")).toHaveValue(PINYIN);
  await expect(options).toHaveCount(count);

  await inputMethod.choose("北京");
  await expect(options.first()).toContainText("北京");
  expect(await options.count()).toBeLessThan(count);
});

test("leaves Enter and Escape to a composition in a form", async ({ page, signIn }) => {
  await signIn(page, "/users");
  await page.getByRole("button", { name: "创建用户" }).first().click();
  const form = page.getByRole("dialog", { name: "创建用户" });
  await form.getByLabel("姓名").focus();
  await expectStill(page);
  const inputMethod = await openInputMethod(page);

  await inputMethod.compose();
  await page.keyboard.press("Enter");
  await inputMethod.choose("张");
  await expect(form.getByLabel("姓名")).toHaveValue("张");
  await expect(form.getByText("用户名不能为空")).toBeHidden();

  await inputMethod.compose();
  await page.keyboard.press("Escape");
  await expectStill(page);
  await expect(page.getByRole("alertdialog")).toBeHidden();

  await inputMethod.choose("三");
  await expect(form.getByLabel("姓名")).toHaveValue("张三");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("alertdialog", { name: "放弃未保存的内容？" })).toBeVisible();
});
