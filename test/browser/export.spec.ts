import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { Download, Page } from "@playwright/test";
import { type CsvTable, readCsv } from "../../src/shared/read-csv.ts";
import { portOf } from "../harness/ports.ts";
import { assertOk } from "../harness/rest.ts";
import { goTo, PHONE, toast } from "./actions.ts";
import { assignHost } from "./api.ts";
import { allowErrors, expect, expectAccessible, expectContrast, test } from "./fixtures.ts";

test("saves all hosts that match the filters, beyond the page in sight and what is chosen", async ({
  page,
  api,
  hosts,
  signIn,
}) => {
  const { pagination } = (await api.get("/api/hosts?status=Running")).data;
  await signIn(page, "/hosts?view=table&status=Running&limit=10");
  const running = hosts.filter(({ status }) => status === "Running");
  await page
    .getByRole("checkbox", { name: /^选择 / })
    .first()
    .click();

  const button = page.getByRole("button", { name: `导出全部 ${pagination.total} 台` });
  const file = await download(page, () => button.click());

  expect(file.name).toMatch(/^主机-\d{4}-\d\d-\d\d\.csv$/);
  expect(file.table.rows).toHaveLength(pagination.total);
  const ids = columnOf(file.table, "资源 ID");
  expect(ids.toSorted()).toEqual(running.map(({ ucloudId }) => ucloudId).toSorted());
  await expect(toast(page, "导出完成", `${file.name}，${pagination.total} 行`)).toBeVisible();
});

test("saves users, requests and the audit log as the page shows them", async ({
  page,
  hosts: [host],
  requestFor,
  client,
  otherClient,
  signIn,
}) => {
  await requestFor(host);
  await signIn(page, "/users?role=client");
  const users = await download(page, () => exportButton(page).click());
  expect(columnOf(users.table, "用户名").toSorted()).toEqual(
    [client.username, otherClient.username].toSorted(),
  );

  await goTo(page, "/renewals");
  const requests = await download(page, () => exportButton(page).click());
  expect(requests.table.rows).toHaveLength(1);
  expect(requests.table.rows[0]?.cells).toContain(host.name);

  await goTo(page, "/audit?action=users.create");
  const audit = await download(page, () => exportButton(page).click());
  expect(audit.name).toMatch(/\.csv$/);
  expect(audit.table.rows.length).toBeGreaterThanOrEqual(2);
});

test("gives a client and an admin what they may see, and no import", async ({
  page,
  api,
  admin,
  client,
  otherClient,
  hosts: [first, second],
  signIn,
}) => {
  await assertOk(api.put(`/api/users/${client.id}`, { adminId: admin.id }));
  await assignHost(api, first, client, 30);
  await assignHost(api, second, otherClient, 30);

  await signIn(page, "/hosts?view=table", client);
  const hosts = await download(page, () => exportButton(page).click());
  expect(columnOf(hosts.table, "资源 ID")).toEqual([first.ucloudId]);
  await expect(page.getByRole("link", { name: /导入/ })).toHaveCount(0);

  await goTo(page, "/client/renewals");
  await expect(exportButton(page)).toBeDisabled();

  await signIn(page, "/my-clients", admin);
  const clients = await download(page, () => exportButton(page).click());
  expect(columnOf(clients.table, "用户名")).toEqual([client.username]);
  await expect(page.getByRole("link", { name: /导入/ })).toHaveCount(0);
});

test("is found in the palette", async ({ page, hosts: _, signIn }) => {
  await signIn(page, "/dashboard");

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "命令面板" }).fill("导出");

  for (const name of ["用户管理", "续费管理", "审计日志"]) {
    await expect(page.getByRole("option", { name })).toBeVisible();
  }
  await page.getByRole("option", { name: "导出主机" }).click();
  await expect(exportButton(page)).toBeVisible();
});

test("is in the menu with the copy on a phone", async ({ page, hosts, signIn }) => {
  await page.setViewportSize(PHONE.viewport);
  await signIn(page, "/hosts?view=table");
  await expect(page.getByText(hosts[0].ucloudId)).toBeVisible();
  await expect(exportButton(page)).toBeHidden();

  await page.getByRole("button", { name: "复制或导出" }).click();
  const item = page.getByRole("menuitem", { name: `导出全部 ${hosts.length} 台` });
  const { table } = await download(page, () => item.click());

  expect(table.rows).toHaveLength(hosts.length);
});

test("shows progress on every page until it is stopped, and saves nothing", async ({
  page,
  hosts,
  signIn,
}) => {
  await using slow = await startFile((answer) => answer.write(rowsOfFile(12)));
  await slow.serve(page);
  await signIn(page, "/hosts?view=table");
  await expect(page.getByText(`${hosts.length} 台`, { exact: true })).toBeVisible();
  await exportButton(page).focus();

  await page.keyboard.press("Enter");

  const progress = toast(page, "正在导出", `已接收 12 / ${hosts.length} 行`);
  await expect(progress).toBeVisible();
  await expect(progress.getByRole("progressbar", { name: "导出进度" })).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expectContrast(page);

  await page.getByRole("link", { name: "仪表盘" }).click();
  await progress.getByRole("button", { name: "停止" }).click();

  await expect(toast(page, "已停止导出", "没有保存文件")).toBeVisible();
  await expect(progress).toHaveCount(0);
});

test("says so when the transfer breaks, and saves nothing", async ({ page, hosts: _, signIn }) => {
  allowErrors(/ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED|ERR_FAILED/);
  await using file = await startFile((answer) => answer.write(rowsOfFile(12)));
  await file.serve(page);
  await signIn(page, "/hosts?view=table");
  const saved: Download[] = [];
  page.on("download", (download) => saved.push(download));
  await exportButton(page).click();
  await expect(toast(page, "正在导出", "已接收 12")).toBeVisible();

  file.breakOff();

  await expect(toast(page, "导出失败", "传输中断，没有保存文件")).toBeVisible();
  expect(saved).toEqual([]);
});

test("says what to do when two exports are under way already", async ({
  page,
  hosts: _,
  signIn,
}) => {
  allowErrors(/429/);
  const message = "同时最多导出 2 份，请等其中一份完成后重试";
  await page.route(/\/api\/hosts\/export/, (route) =>
    route.fulfill({
      status: 429,
      json: { message, code: "TOO_MANY_REQUESTS", requestId: "r" },
    }),
  );
  await signIn(page, "/hosts?view=table");

  await exportButton(page).click();

  await expect(toast(page, "导出失败", message)).toBeVisible();
});

function exportButton(page: Page) {
  return page.getByRole("button", { name: "导出", exact: true });
}

/** The file that the act saves, read as an import reads it. */
async function download(page: Page, act: () => Promise<void>) {
  const [saved] = await Promise.all([page.waitForEvent("download"), act()]);
  const table = await readCsv(new Blob([await readFile(await saved.path())]));
  if (table.kind === "refused") throw new Error(table.message);

  return { name: saved.suggestedFilename(), table };
}

function columnOf({ header, rows }: CsvTable, name: string): string[] {
  const index = header.indexOf(name);
  return rows.map(({ cells }) => cells[index] ?? "");
}

/** A header, and so many rows. */
function rowsOfFile(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => `web-${index}\r\n`);
  return ["主机\r\n", ...rows].join("");
}

/** Answers an export in place of the server, with a file that `send` does not end. */
async function startFile(send: (answer: ServerResponse) => void) {
  const server = createServer((_request, answer) => {
    answer.writeHead(200, { "content-type": "text/csv; charset=utf-8" });
    send(answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    async serve(page: Page): Promise<void> {
      const url = `http://127.0.0.1:${portOf(server)}/`;
      await page.route(/\/api\/hosts\/export/, (route) => route.continue({ url }));
    },
    breakOff(): void {
      server.closeAllConnections();
    },
    async [Symbol.asyncDispose](): Promise<void> {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
