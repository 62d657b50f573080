import { readFile, writeFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { readCsv } from "../../src/shared/read-csv.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";
import { bodyRows, dateIn, dialog, row, toast } from "./actions.ts";
import { getHost } from "./api.ts";
import {
  allowErrors,
  expect,
  expectAccessible,
  expectAccessibleScreen,
  pressEscape,
  test,
} from "./fixtures.ts";

const USERS = [
  "用户名,姓名,角色,手机号",
  "zhang_kehu,张客户,C端用户,",
  "chen_xin,陈新,C端用户,13800000001",
  "liu_xin,刘新,管理员,123",
];

test("checks a file of users, then imports its good rows and shows each password once", async ({
  page,
  api,
  client: _,
  signIn,
}) => {
  await signIn(page, "/users");
  await page.getByRole("link", { name: "导入", exact: true }).click();
  await expect(page).toHaveURL(/\/users\/import$/);
  await chooseFile(page, USERS);

  await expect(row(page, "zhang_kehu")).toContainText("不变");
  await expect(row(page, "chen_xin")).toContainText("新增");
  await expect(row(page, "liu_xin")).toContainText("有误");
  await expect(row(page, "liu_xin").getByRole("cell", { name: /^有误/ })).toContainText("手机号");
  expect(await usernames(api)).not.toContain("chen_xin");

  await page.getByRole("button", { name: /^有误/ }).click();
  await expect(bodyRows(page)).toHaveCount(1);
  await expectAccessibleScreen(page);

  await page.getByRole("button", { name: "导入 1 行" }).click();
  const password = dialog(page).getByRole("listitem").filter({ hasText: "@chen_xin" });
  await expect(password).toContainText("陈新");
  await pressEscape(page);
  await expect(dialog(page).getByRole("alert")).toContainText("初始密码只显示这一次");
  const file = await save(page, dialog(page).getByRole("button", { name: "下载" }));
  expect(file.rows[0]?.cells).toEqual(["chen_xin", "陈新", expect.stringMatching(/^\S{8,}$/)]);
  await expectAccessible(page);

  await expect(dialog(page).getByRole("button", { name: "完成" })).toBeDisabled();
  await dialog(page).getByRole("checkbox", { name: "我已保存" }).click();
  await dialog(page).getByRole("button", { name: "完成" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(
    page.getByText("已新增 1 行、修改 0 行；1 行不变，1 行有误，不导入。"),
  ).toBeVisible();
  expect(await usernames(api)).toContain("chen_xin");
});

test("saves the rows that are wrong, with their errors, to be imported once more", async ({
  page,
  signIn,
}) => {
  await signIn(page, "/users/import");
  await chooseFile(page, USERS.with(1, "zhang kehu,张客户,C端用户,"));
  await expect(page.getByRole("button", { name: "导入 1 行" })).toBeVisible();

  const bad = await save(page, page.getByRole("button", { name: "下载有误的行" }));

  expect(bad.header).toEqual(["用户名", "姓名", "角色", "手机号", "错误"]);
  expect(bad.rows.map(({ cells }) => cells[0])).toEqual(["zhang kehu", "liu_xin"]);
  expect(bad.rows[1]?.cells.at(-1)).toBe("手机号格式不正确");
  await chooseFile(page, [
    "用户名,姓名,角色,手机号,错误",
    "liu_xin,刘新,管理员,13800000002,手机号：不正确",
  ]);
  await expect(row(page, "liu_xin")).toContainText("新增");
  await expect(page.getByRole("columnheader", { name: "错误" })).toHaveCount(0);
});

test("pasted cells assign hosts, by the keyboard alone", async ({
  page,
  api,
  hosts: [first, second],
  client,
  signIn,
}) => {
  await signIn(page, "/dashboard");
  await page.keyboard.press("Control+k");
  await expect(dialog(page).getByRole("combobox")).toBeFocused();
  await page.keyboard.type("导入分配");
  await page.getByRole("option", { name: "导入分配" }).waitFor();
  await page.keyboard.press("Enter");
  // The page that the palette leads to takes the focus when it is there.
  await expect(page.getByRole("main")).toBeFocused();
  await page.getByRole("radio", { name: "文件" }).focus();
  // As long as a person holds it: the group chooses what gets the focus while an arrow key is down.
  await page.keyboard.press("ArrowRight", { delay: 100 });
  await page.getByLabel("从电子表格复制的内容").focus();
  const end = dateIn(60);
  await page.keyboard.insertText(
    [
      "主机\t用户名\t到期",
      `${first.ucloudId}\t${client.username}\t${end}`,
      `${second.ucloudId}\tnobody\t${end}`,
    ].join("\n"),
  );
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(row(page, first.ucloudId)).toContainText("新增");
  await expect(row(page, "nobody")).toContainText("有误");

  await page.getByRole("button", { name: "导入 1 行" }).focus();
  await page.keyboard.press("Enter");

  await expect(toast(page, "导入完成")).toBeVisible();
  await expect(page.getByRole("heading", { name: "导入结果" })).toBeVisible();
  expect((await getHost(api, first)).users.map(({ id }) => id)).toEqual([client.id]);
});

test("imports what was checked, whatever has become of the file since", async ({
  page,
  api,
  signIn,
}, testInfo) => {
  const path = testInfo.outputPath("用户.csv");
  await writeFile(path, "用户名,姓名,角色,初始密码\nchen_xin,陈新,C端用户,Better2Battery\n");
  await signIn(page, "/users/import");
  await page.getByLabel("选择文件").setInputFiles(path);
  await expect(row(page, "chen_xin")).toContainText("新增");
  await expect(row(page, "chen_xin")).not.toContainText("Better2Battery");

  await writeFile(path, "用户名,姓名,角色\nother_one,别人,C端用户\n");
  await page.getByRole("button", { name: "导入 1 行" }).click();

  await expect(toast(page, "导入完成")).toBeVisible();
  expect(await usernames(api)).toContain("chen_xin");
  expect(await usernames(api)).not.toContain("other_one");
});

test("says in one sentence why a file is refused as a whole", async ({ page, signIn }) => {
  allowErrors(/400/);
  await signIn(page, "/hosts/import");

  await chooseFile(page, ["主机,用户名,颜色", "web-1,zhang_kehu,红"]);
  const refusal = page.getByRole("main").getByRole("alert");
  await expect(refusal).toContainText("不支持的列：颜色。请使用模板中的列：主机、用户名、");
  await expectAccessible(page);

  await page.getByLabel("选择文件").setInputFiles({
    name: "用户.xlsx",
    mimeType: "application/octet-stream",
    buffer: Buffer.from("504b030414000600", "hex"),
  });
  await expect(refusal).toContainText("Excel");
});

test("does not call an import failed whose answer is lost, and checks again", async ({
  page,
  signIn,
}) => {
  allowErrors(/ERR_FAILED|ERR_CONNECTION/);
  await signIn(page, "/users/import");
  await chooseFile(page, ["用户名,姓名,角色", "chen_xin,陈新,C端用户"]);
  await expect(row(page, "chen_xin")).toContainText("新增");
  await page.route(/dryRun=false/, async (route) => {
    await route.fetch();
    await route.abort();
  });

  await page.getByRole("button", { name: "导入 1 行" }).click();
  const loss = dialog(page).getByRole("status");
  await expect(loss).toContainText("没有得到导入的结果");
  await expect(loss).toContainText("一部分新用户可能已经创建");
  await expect(loss).toContainText("再次导入同一个文件");
  await expect(loss).toContainText("“重置密码”");
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "再次预检" }).click();

  await expect(row(page, "chen_xin")).toContainText("不变");
});

test("saves a template with the columns of each import", async ({ page, signIn }) => {
  for (const [path, column] of [
    ["/users/import", "负责管理员"],
    ["/hosts/import", "天数"],
  ] as const) {
    await signIn(page, path);

    const template = await save(page, page.getByRole("button", { name: "下载模板" }));

    expect(template.header).toContain(column);
    expect(template.rows).toEqual([]);
  }
});

test("takes a file that is dropped anywhere on the page, and stays there", async ({
  page,
  signIn,
}) => {
  await signIn(page, "/users/import");
  /** The browser opens a file whose event nobody has prevented. */
  const isPrevented = (type: string) =>
    page.evaluate(`(() => {
      const held = new DataTransfer();
      held.items.add(new File(["用户名,姓名,角色\\nchen_xin,陈新,C端用户\\n"], "用户.csv"));
      const options = { dataTransfer: held, bubbles: true, cancelable: true };
      return !document.body.dispatchEvent(new DragEvent("${type}", options));
    })()`);

  expect(await isPrevented("dragover")).toBe(true);
  expect(await isPrevented("drop")).toBe(true);

  await expect(row(page, "chen_xin")).toContainText("新增");
});

test("shows what it overwrites, and asks before an end moves forward", async ({
  page,
  api,
  hosts: [host],
  client,
  signIn,
}) => {
  const assigned = { hostId: host.id, userId: client.id, days: 90 };
  await assertOk(api.post("/api/hosts/assign", assigned));
  await signIn(page, "/hosts/import");
  await chooseFile(page, ["主机,用户名,到期", `${host.ucloudId},${client.username},${dateIn(30)}`]);

  const checked = row(page, host.ucloudId);
  await expect(checked.getByRole("cell", { name: /^修改/ })).toContainText("比原来早 60 天");
  await expect(checked.getByRole("deletion")).toContainText(dateIn(90));
  await expectAccessibleScreen(page);

  await page.getByRole("button", { name: "导入 1 行" }).click();
  const question = page.getByRole("alertdialog", { name: "修改已有的分配？" });
  await expect(question).toContainText("将修改 1 台主机的到期时间，其中 1 台提前");
  await expectAccessible(page);
  await question.getByRole("button", { name: "取消" }).click();
  expect((await getHost(api, host)).users[0]?.assignedExpireTime).toBeGreaterThan(inDays(60));

  await page.getByRole("button", { name: "导入 1 行" }).click();
  await question.getByRole("button", { name: "导入 1 行" }).click();
  await expect(toast(page, "导入完成")).toBeVisible();
  expect((await getHost(api, host)).users[0]?.assignedExpireTime).toBeLessThan(inDays(60));
});

function inDays(days: number): number {
  return Math.floor(Date.now() / 1000) + days * 86_400;
}

async function chooseFile(page: Page, lines: readonly string[]): Promise<void> {
  await page.getByLabel("选择文件").setInputFiles({
    name: "用户.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(lines.join("\r\n")),
  });
}

/** The file that the button saves, read as an import reads it. */
async function save(page: Page, button: Locator) {
  const [saved] = await Promise.all([page.waitForEvent("download"), button.click()]);
  const table = await readCsv(new Blob([await readFile(await saved.path())]));
  if (table.kind === "refused") throw new Error(table.message);
  return table;
}

async function usernames(api: RestClient): Promise<string[]> {
  const { users } = (await api.get("/api/users?limit=100")).data;
  return users.map(({ username }: { username: string }) => username);
}
