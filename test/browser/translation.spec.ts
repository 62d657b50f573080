import type { Page } from "@playwright/test";
import { requestRenewal } from "../harness/data.ts";
import { PASSWORD, ROOT_USER } from "../harness/root-user.ts";
import { batchBar, bodyRows, dialog, pickUser, submit, submitSignIn, toast } from "./actions.ts";
import { allowErrors, expect, pressEscape, test } from "./fixtures.ts";

test("survives translation of the sign-in and of the change of a password", async ({
  page,
  api,
  client,
}) => {
  allowErrors(/401/);
  await page.goto("/login");
  await expect(page.locator("html")).toHaveAttribute("translate", "no");
  await translate(page);

  await page.getByRole("button", { name: "登录", exact: true }).click();
  await expect(page.getByText("密码不能为空")).toBeVisible();
  await submitSignIn(page, { ...ROOT_USER, password: "Wrong1Horse" });
  await expect(page.getByRole("main").getByText("用户名或密码错误")).toBeVisible();

  const { newPassword } = (await api.post(`/api/users/${client.id}/reset-password`)).data;
  await submitSignIn(page, { ...client, password: newPassword });
  await page.getByLabel("当前密码").fill(newPassword);
  // Each one changes what the form says of the password.
  for (const typed of ["short", PASSWORD, `${PASSWORD}2`]) {
    await page.getByLabel("新密码", { exact: true }).fill(typed);
  }
  await page.getByLabel("确认新密码").fill(`${PASSWORD}2`);
  await page.getByRole("button", { name: "修改密码并继续" }).click();
  await expect(page.getByRole("banner")).toBeVisible();
});

test("survives translation of forms, menus, filters and a batch", async ({
  page,
  client,
  assignedHost,
  signIn,
}) => {
  await requestRenewal(client.api, assignedHost.id, 30);
  await signIn(page, "/users");
  await translate(page);

  await page.getByRole("button", { name: "创建用户" }).first().click();
  await dialog(page).getByRole("button", { name: "创建" }).click();
  await expect(
    dialog(page).getByText("用户名不能为空").or(dialog(page).getByText("3-50 个字符")).first(),
  ).toBeVisible();
  await dialog(page).getByLabel("用户名").fill("li_guanli");
  for (const typed of ["short", PASSWORD]) {
    await dialog(page).getByLabel("密码", { exact: true }).fill(typed);
  }
  await dialog(page).getByLabel("姓名").fill("李管理");
  for (const role of [/^管理员/, /^C端用户/]) {
    await dialog(page).getByRole("radio", { name: role }).click();
  }
  await submit(page, "创建", "创建成功");

  await page.getByRole("button", { name: "编辑 李管理" }).click();
  for (let times = 0; times < 2; times++) {
    await dialog(page).getByRole("switch", { name: "启用账号" }).click();
  }
  await dialog(page).getByLabel("姓名").fill("李改名");
  await submit(page, "保存", "更新成功");

  await page.getByRole("button", { name: /^用户菜单/ }).click();
  for (const theme of ["深色", "跟随系统"]) {
    await page.getByRole("menuitemradio", { name: theme }).click();
  }
  await pressEscape(page);

  await page.getByRole("link", { name: "续费管理" }).click();
  for (const status of [/^全部/, /^已拒绝/, /^待处理/]) {
    await page.getByRole("button", { name: status }).click();
  }
  await page.getByRole("button", { name: "处理", exact: true }).click();
  for (const choice of [/^拒绝/, /^标记完成/, /^批准/]) {
    await dialog(page).getByRole("radio", { name: choice }).click();
  }
  await submit(page, "批准申请", "处理成功");

  await page.getByRole("link", { name: "主机管理", exact: true }).click();
  await page.getByRole("radio", { name: "表格" }).click();
  await page.getByRole("button", { name: "列", exact: true }).click();
  const columns = page.getByRole("menuitemcheckbox");
  for (const column of [columns.first(), columns.last()]) await column.click();
  await pressEscape(page);

  const boxes = bodyRows(page).getByRole("checkbox");
  for (const index of [0, 1, 2]) await boxes.nth(index).check();
  await expect(batchBar(page)).toContainText("已选 3 台主机");
  await batchBar(page).getByRole("button", { name: "分配", exact: true }).click();
  await pickUser(page, "张客户");
  for (const days of ["自定义", "90 天"]) {
    await dialog(page).getByRole("radio", { name: days }).click();
  }
  await submit(page, "分配 3 台", "分配完成", "3 台主机");

  await page.getByRole("link", { name: "系统配置" }).click();
  await page.getByRole("switch", { name: "向C端用户显示网络信息" }).click();
  await expect(toast(page, "系统配置更新成功")).toBeVisible();
  await expect(page.getByText("C端用户可以看到自己在有效期内的主机")).toBeVisible();
});

/**
 * Replaces every text node, now and later, as the translators of browsers do: by a font element
 * that holds the translation. What React then changes or removes is no longer where it
 * was, which fails the test by a page error.
 */
async function translate(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const isTranslated = (node) => node.parentElement?.closest("font, script, style, textarea") != null;
    function translate(root) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts = [];
      if (root.nodeType === Node.TEXT_NODE) texts.push(root);
      while (walker.nextNode()) texts.push(walker.currentNode);
      for (const text of new Set(texts)) {
        if (text.data.trim() === "" || text.parentElement === null || isTranslated(text)) continue;
        const outer = document.createElement("font");
        const inner = outer.appendChild(document.createElement("font"));
        inner.textContent = text.data;
        text.replaceWith(outer);
      }
    }
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) addedNodes.forEach(translate);
    }).observe(document.body, { childList: true, subtree: true });
    translate(document.body);
  })()`);
}
