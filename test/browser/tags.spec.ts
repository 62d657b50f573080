import type { Page } from "@playwright/test";
import type { Host } from "../../src/shared/hosts.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";
import {
  batchBar,
  batchStatus,
  bodyRows,
  dialog,
  expectLive,
  goTo,
  openBatch,
  openMoreFilters,
  PHONE,
  row,
  submit,
  toast,
} from "./actions.ts";
import { getHost } from "./api.ts";
import { expect, expectAccessible, expectAccessibleScreen, pressEscape, test } from "./fixtures.ts";

const NOTE = `合同到期后迁移，见 https://wiki.example.com/${"p".repeat(80)}`;

/** Of the host: its tags, its note, or both. */
async function annotate(
  api: RestClient,
  { id }: Host,
  fields: { tags?: readonly string[]; note?: string },
): Promise<void> {
  await assertOk(api.put(`/api/hosts/${id}/annotations`, fields));
}

/** The tags on the page of a host. */
const tagsOnPage = (page: Page) => page.getByRole("article").getByRole("list", { name: "标签" });

/** The field in which the tags of a host are typed, and its chips. */
const tagField = (page: Page) => page.getByRole("combobox", { name: "标签" });
const chips = (page: Page, field = "标签") =>
  page.getByRole("list", { name: `${field}的列表` }).getByRole("listitem");

test("edits the tags of a host in place, by the keyboard alone", async ({
  page,
  api,
  hosts: [host, other],
  signIn,
}) => {
  await annotate(api, other, { tags: ["生产环境"] });
  await signIn(page, `/hosts?host=${host.id}`);

  await page.getByRole("button", { name: "添加标签" }).press("Enter");
  await expect(tagField(page)).toBeFocused();
  await page.keyboard.type("客户A,");
  await page.keyboard.type("DB");
  await page.keyboard.press("Enter");
  await page.keyboard.type("多余");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Backspace");
  await expect(chips(page)).toHaveText(["客户A", "DB"]);

  await page.keyboard.type("生");
  await expect(page.getByRole("option", { name: "生产环境 1 台" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(chips(page)).toHaveText(["客户A", "DB", "生产环境"]);
  await expect(page.getByRole("listbox")).toHaveCount(0);
  await page.getByRole("button", { name: "保存", exact: true }).press("Enter");

  await expect(tagsOnPage(page).getByRole("link")).toHaveText(["客户A", "DB", "生产环境"]);
  await expect(page.getByRole("button", { name: "编辑标签" })).toBeFocused();
  expect((await getHost(api, host)).tags).toEqual(["客户A", "DB", "生产环境"]);
});

test("removes and completes tags by the mouse, and leaves them on 取消", async ({
  page,
  api,
  hosts: [host, other],
  signIn,
}) => {
  await annotate(api, host, { tags: ["生产", "DB"] });
  await annotate(api, other, { tags: ["核心"] });
  await signIn(page, `/hosts?host=${host.id}`);

  await page.getByRole("button", { name: "编辑标签" }).click();
  await page.getByRole("button", { name: "移除 DB" }).click();
  await expect(chips(page)).toHaveText(["生产"]);
  await page.getByRole("button", { name: "取消", exact: true }).click();
  await expect(tagsOnPage(page).getByRole("link")).toHaveText(["生产", "DB"]);

  await page.getByRole("button", { name: "编辑标签" }).click();
  await page.getByRole("button", { name: "移除 生产" }).click();
  await tagField(page).click();
  await page.getByRole("option", { name: "核心" }).click();
  await page.getByRole("button", { name: "保存", exact: true }).click();

  await expect(tagsOnPage(page).getByRole("link")).toHaveText(["DB", "核心"]);
  expect((await getHost(api, host)).tags).toEqual(["DB", "核心"]);
});

test("says what is wrong with a tag under its field", async ({
  page,
  api,
  hosts: [host],
  signIn,
}) => {
  const tags = Array.from({ length: 19 }, (_, index) => `标签${index}`);
  await annotate(api, host, { tags: ["DB", ...tags] });
  await signIn(page, `/hosts?host=${host.id}`);
  await page.getByRole("button", { name: "编辑标签" }).click();

  await tagField(page).fill("db");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/标签(最多 20 个|不能重复)/)).toBeVisible();
  await page.getByRole("button", { name: "移除 标签0" }).click();
  await tagField(page).fill("db");
  await page.keyboard.press("Enter");
  await expect(page.getByText("标签不能重复，不区分大小写")).toBeVisible();
  await tagField(page).fill("长".repeat(31));
  await page.keyboard.press("Enter");

  await expect(page.getByText("标签最多 30 个字符")).toBeVisible();
  await expect(tagField(page)).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
});

test("loses neither of two people's tags", async ({ page, api, hosts: [host], signIn }) => {
  await annotate(api, host, { tags: ["生产"] });
  await signIn(page, `/hosts?host=${host.id}`);
  await expectLive(page);
  await page.getByRole("button", { name: "编辑标签" }).click();
  await tagField(page).fill("客户A,");
  await expect(chips(page)).toHaveText(["生产", "客户A"]);
  const reads = page.waitForResponse(/hosts\.(list|get)/);

  await annotate(api, host, { tags: ["生产", "核心"] });
  await reads;
  await page.getByRole("button", { name: "保存", exact: true }).click();

  await expect(tagsOnPage(page).getByRole("link")).toHaveText(["生产", "核心", "客户A"]);
});

test("writes and removes the note of a host", async ({ page, api, hosts: [host], signIn }) => {
  await signIn(page, `/hosts?host=${host.id}`);

  await page.getByRole("button", { name: "添加内部备注" }).click();
  await expect(dialog(page)).toContainText("只有超级管理员看到");
  await dialog(page).getByRole("textbox", { name: "内部备注" }).fill(`第一行\n${NOTE}`);
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "保存" }).click();

  const note = page.getByRole("region", { name: "内部备注" });
  await expect(note).toContainText("第一行");
  await page.setViewportSize(PHONE.viewport);
  await expect(note).toContainText(NOTE);
  await expectAccessible(page);
  expect((await getHost(api, host)).note).toBe(`第一行\n${NOTE}`);

  await page.getByRole("button", { name: "编辑内部备注" }).click();
  await dialog(page).getByRole("textbox", { name: "内部备注" }).fill("");
  await dialog(page).getByRole("button", { name: "保存" }).last().click();
  await expect.poll(async () => (await getHost(api, host)).note).toBeNull();
  await expect(note).toBeHidden();
});

test("filters hosts by tags, all of which they have", async ({
  page,
  api,
  hosts: [both, one, none],
  signIn,
}) => {
  await annotate(api, both, { tags: ["生产", "DB"] });
  await annotate(api, one, { tags: ["生产"] });
  await signIn(page, "/hosts?view=table");
  await expect(row(page, none.ucloudId)).toBeVisible();

  const filters = await openMoreFilters(page);
  await filters.getByRole("combobox", { name: "标签" }).click();
  await page.getByRole("option", { name: "生产 2 台" }).click();
  await expect(bodyRows(page)).toHaveCount(2);
  await filters.getByRole("combobox", { name: "标签" }).fill("db");
  await page.keyboard.press("Enter");
  await expect(bodyRows(page)).toHaveCount(1);
  await expect(row(page, both.ucloudId)).toBeVisible();
  await pressEscape(page);

  await expect(page).toHaveURL(/tag=%E7%94%9F%E4%BA%A7%2Cdb/);
  await page.reload();
  await expect(bodyRows(page)).toHaveCount(1);
  await page.getByRole("button", { name: "移除筛选：标签：db" }).click();
  await expect(bodyRows(page)).toHaveCount(2);
  await page.getByRole("button", { name: "移除筛选：标签：生产" }).click();
  await expect(row(page, none.ucloudId)).toBeVisible();
});

test("filters by a tag that is clicked on a host, in the table or in the palette", async ({
  page,
  api,
  hosts: [host, other],
  signIn,
}) => {
  await annotate(api, host, { tags: ["C++ & 数据"] });
  await signIn(page, `/hosts?view=table&host=${host.id}`);
  await tagsOnPage(page).getByRole("link", { name: "C++ & 数据" }).click();
  await expect(page.getByRole("button", { name: "移除筛选：标签：C++ & 数据" })).toBeVisible();

  await page.goto("/hosts");
  await page.getByRole("radio", { name: "表格" }).click();
  await page.getByRole("button", { name: "列", exact: true }).click();
  await page.getByRole("menuitemcheckbox", { name: "标签" }).click();
  await page.keyboard.press("Escape");
  await row(page, host.ucloudId).getByRole("link", { name: "C++ & 数据" }).click();
  await expect(bodyRows(page)).toHaveCount(1);
  await expect(row(page, other.ucloudId)).toHaveCount(0);

  await goTo(page, "/dashboard");
  await expect(page.getByRole("heading", { name: "仪表盘" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("c++");
  await page.getByRole("option", { name: /C\+\+ & 数据.*1 台主机/ }).click();
  await expect(page).toHaveURL(/\/hosts\?tag=/);
  await expect(page.getByRole("button", { name: "移除筛选：标签：C++ & 数据" })).toBeVisible();
});

test("shows and copies tags and notes as columns", async ({
  page,
  api,
  hosts: [host],
  signIn,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await annotate(api, host, { tags: ["一", "二", "三", "四"], note: NOTE });
  await signIn(page, `/hosts?view=table&search=${host.ucloudId}`);

  await page.getByRole("button", { name: "列", exact: true }).click();
  for (const name of ["标签", "内部备注"]) {
    await page.getByRole("menuitemcheckbox", { name }).click();
  }
  await page.keyboard.press("Escape");
  await expect(row(page, host.ucloudId).getByTitle("四")).toHaveText("+1");
  await expect(row(page, host.ucloudId).getByTitle(NOTE)).toBeVisible();
  await page.getByRole("button", { name: "复制", exact: true }).click();
  await page.getByRole("menuitem", { name: /复制为表格/ }).click();
  await expect(toast(page, "已复制")).toBeVisible();

  const copied = String(await page.evaluate("navigator.clipboard.readText()"));
  expect(copied).toContain("一、二、三、四");
  expect(copied).toContain(NOTE);
});

test("adds and removes tags of several hosts, with a result for each", async ({
  page,
  api,
  hosts: [full, tagged, bare],
  signIn,
}) => {
  const twenty = Array.from({ length: 20 }, (_, index) => `标签${index}`);
  await annotate(api, full, { tags: twenty });
  await annotate(api, tagged, { tags: ["生产", "旧"] });
  await signIn(page, "/hosts?view=table");

  await openBatch(page, [full, tagged, bare], "修改标签");
  await expect(page.getByRole("dialog", { name: "修改 3 台主机的标签" })).toBeVisible();
  await dialog(page).getByRole("button", { name: "修改 3 台的标签" }).click();
  await expect(dialog(page).getByText("请填写要添加或移除的标签")).toBeVisible();
  await dialog(page).getByRole("combobox", { name: "添加" }).fill("核心");
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("combobox", { name: "移除" }).fill("核心");
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("button", { name: "修改 3 台的标签" }).click();
  await expect(dialog(page).getByText("同一个标签不能既添加又移除")).toBeVisible();
  // Not the size of targets: on a phone the dialog covers half of one on the page below.
  const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];
  await expectAccessibleScreen(page, rules);

  await dialog(page).getByRole("combobox", { name: "移除" }).focus();
  await page.keyboard.press("Backspace");
  await page.keyboard.type("旧");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Enter");

  await expect(batchStatus(page)).toContainText("成功 2失败 1");
  await expect(dialog(page).getByRole("listitem").first()).toContainText("标签会超过 20 个");
  await dialog(page).getByRole("button", { name: "完成" }).click();
  await expect(batchBar(page)).toContainText("已选 1 台主机");
  expect((await getHost(api, tagged)).tags).toEqual(["生产", "核心"]);
  expect((await getHost(api, bare)).tags).toEqual(["核心"]);
  expect((await getHost(api, full)).tags).toEqual(twenty);
});

test("shows in a second window what the first one changes", async ({
  page,
  api,
  client,
  hosts: [host],
  openWindow,
  signIn,
}) => {
  const userPage = await openWindow();
  await signIn(userPage, `/users/${client.id}`);
  await expectLive(userPage);
  await signIn(page, `/hosts?host=${host.id}`);
  await expectLive(page);

  // A stream that was just opened fetches once by itself: only the second change proves the event.
  for (const text of ["第一次", "第二次"]) {
    await annotate(api, host, { tags: [text], note: `备注${text}` });
    await assertOk(api.put(`/api/users/${client.id}`, { note: `用户${text}` }));

    await expect(tagsOnPage(page).getByRole("link")).toHaveText([text]);
    await expect(page.getByRole("region", { name: "内部备注" })).toContainText(`备注${text}`);
    await expect(userPage.getByText(`用户${text}`)).toBeVisible();
  }
});

test("shows admins the tags of their hosts and no note, and clients neither", async ({
  page,
  api,
  admin,
  client,
  assignedHost,
  signIn,
}) => {
  await assertOk(api.put(`/api/users/${client.id}`, { adminId: admin.id, note: "机密用户" }));
  await annotate(api, assignedHost, { tags: ["生产"], note: "机密主机" });

  await signIn(page, `/hosts?host=${assignedHost.id}`, admin);
  await expect(tagsOnPage(page).getByRole("link")).toHaveText(["生产"]);
  await expect(page.getByRole("button", { name: /标签|内部备注/ })).toHaveCount(0);
  await expect(page.getByText("机密")).toHaveCount(0);
  await tagsOnPage(page).getByRole("link").click();
  await expect(page.getByRole("button", { name: "移除筛选：标签：生产" })).toBeVisible();
  await page.goto("/hosts?view=table");
  await page.getByRole("button", { name: "列", exact: true }).click();
  await expect(page.getByRole("menuitemcheckbox", { name: "标签" })).toBeVisible();
  await expect(page.getByRole("menuitemcheckbox", { name: "内部备注" })).toHaveCount(0);
  await goTo(page, `/users/${client.id}`);
  await expect(page.getByRole("heading", { name: client.name })).toBeVisible();
  await expect(page.getByText("机密")).toHaveCount(0);

  await signIn(page, `/hosts?host=${assignedHost.id}&tag=生产`, client);
  await expect(page.getByRole("article")).toContainText(assignedHost.name);
  await expect(tagsOnPage(page)).toHaveCount(0);
  await expect(page.getByText("机密")).toHaveCount(0);
  await expect(page.getByText("tag=生产")).toBeVisible();
});

test("writes the note of a user, and marks it in the list", async ({
  page,
  api,
  client,
  signIn,
}) => {
  await signIn(page, "/users");
  await page.getByRole("button", { name: `编辑 ${client.name}` }).click();
  await dialog(page).getByLabel("内部备注").fill("月结客户，\n发票寄北京");
  await expectAccessible(page);
  await submit(page, "保存", "更新成功");

  await expect(page.getByTitle("月结客户")).toBeVisible();
  await page.getByRole("link", { name: client.name, exact: true }).click();
  await expect(page.getByRole("region", { name: "内部备注" })).toContainText("发票寄北京");
  await expectAccessible(page);

  const { data } = await api.get(`/api/users/${client.id}`);
  expect(data.note).toBe("月结客户，\n发票寄北京");
});

test("shows tags on the cards of a phone, and filters by one", async ({
  page,
  api,
  hosts: [host],
  signIn,
}) => {
  await annotate(api, host, {
    tags: Array.from({ length: 20 }, (_, n) => `${n}`.padEnd(30, "长")),
  });
  await page.setViewportSize(PHONE.viewport);
  await signIn(page, `/hosts?view=table&search=${host.ucloudId}`);

  const card = page.getByRole("listitem", { name: host.name });
  await expect(card.getByRole("list", { name: "标签" }).getByRole("listitem")).toHaveCount(20);
  await expectAccessible(page);
  const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
  expect(overflow).toBe(0);

  await page.getByRole("button", { name: /^筛选/ }).click();
  await dialog(page).getByRole("combobox", { name: "标签" }).click();
  await page.getByRole("listbox").getByRole("option").first().click();
  await expect(dialog(page).getByRole("button", { name: /^移除 / })).toHaveCount(1);
  await expectAccessible(page);
});

test("says in 操作记录 which tags and which note were there before", async ({
  page,
  api,
  hosts: [host],
  signIn,
}) => {
  await annotate(api, host, { tags: ["生产", "旧"] });
  await annotate(api, host, { tags: ["生产", "核心"], note: "合同\n已续" });

  await signIn(page, `/audit?subjectType=host&subjectId=${host.id}`);
  await page
    .getByRole("button", { name: /^展开详情：.*标签/ })
    .first()
    .click();

  await expect(page.getByRole("main")).toContainText("生产、旧");
  await expect(page.getByRole("main")).toContainText("生产、核心");
  await expect(page.getByRole("main")).toContainText("内部备注");
});
