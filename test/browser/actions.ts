import { expect, type Locator, type Page, type Request } from "@playwright/test";
import type { Host } from "../../src/shared/hosts.ts";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { PASSWORD, ROOT_USER } from "../harness/root-user.ts";

type Box = NonNullable<Awaited<ReturnType<Locator["boundingBox"]>>>;

/** A phone with a touch screen. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The windows that a screen must fit: of a desktop and of a phone. */
export const SIZES = [{ width: 1440, height: 900 }, PHONE.viewport];

/**
 * Leads to another page as a link of the console does, without loading the console again, and waits
 * until the page before is gone. Another address of the same page is loaded: nothing would tell
 * when it has taken effect.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  const present = new URL(page.url());
  if (new URL(path, present).pathname === present.pathname) {
    await page.goto(path);
    return;
  }

  await page
    .locator("h1")
    .first()
    .evaluate((heading) => heading.setAttribute("data-is-left", ""));
  await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
  await expect(page.locator("[data-is-left]")).toHaveCount(0);
}

/** Fills in the sign-in form and sends it. */
export async function submitSignIn(page: Page, { username, password } = ROOT_USER): Promise<void> {
  await page.getByLabel("用户名").fill(username);
  await page.getByLabel("密码", { exact: true }).fill(password);
  await page.getByRole("button", { name: "登录", exact: true }).click();
}

/** On the configurations page: opens the dialog and fills it in. */
export async function fillConfig(page: Page, apiUrl: string): Promise<void> {
  await page.getByRole("button", { name: "新增配置" }).first().click();
  await dialog(page).getByLabel("配置名称").fill("生产账号");
  await dialog(page).getByLabel("公钥").fill(MAIN_KEYS.publicKey);
  await dialog(page).getByLabel("私钥", { exact: false }).first().fill(MAIN_KEYS.privateKey);
  await dialog(page).getByLabel("API 地址").fill(apiUrl);
}

/** On the users page: opens the dialog and fills it in for the client 张客户. */
export async function fillUser(page: Page): Promise<void> {
  await page.getByRole("button", { name: "创建用户" }).first().click();
  await dialog(page).getByLabel("用户名").fill("zhang_kehu");
  await dialog(page).getByLabel("密码", { exact: true }).fill(PASSWORD);
  await dialog(page).getByLabel("姓名").fill("张客户");
}

/** On the page of hosts: opens what is not in sight of the filters, and returns it. */
export async function openMoreFilters(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "更多筛选" }).click();
  return page.getByRole("dialog", { name: "更多筛选" });
}

/** Starts a sync of all configurations from a page with hosts; it goes on by itself. */
export async function syncAllConfigs(page: Page): Promise<void> {
  await page.getByRole("button", { name: "同步主机" }).first().click();
  await page.getByRole("menuitem", { name: /全部云账号/ }).click();
}

/** Opens the panel of the runs, and returns it. */
export async function openSyncPanel(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: /^(查看同步进度|打开同步面板)/ }).click();
  return page.getByRole("dialog", { name: "主机同步" });
}

/** In the top bar: the progress of the runs that go on. */
export function syncProgress(page: Page): Locator {
  return page.getByRole("progressbar", { name: "同步总进度" });
}

/** Opens a picker, which may search on the server, and takes the option. */
export async function pick(picker: Locator, name: string | RegExp): Promise<void> {
  await picker.click();
  await picker.page().getByRole("option", { name }).click();
  // While it fades out it is a second dialog.
  await expect(picker.page().getByRole("listbox")).toHaveCount(0);
}

/** In the dialog of an assignment: chooses the client that gets the hosts. */
export async function pickUser(page: Page, name: string): Promise<void> {
  const picker = dialog(page).getByRole("combobox", { name: "用户", exact: true });
  await pick(picker, new RegExp(name));
}

/** Chooses an act from the menu of a user. */
export async function actOnUser(page: Page, name: string, act: string): Promise<void> {
  await page.getByRole("button", { name: `对 ${name} 的操作` }).click();
  await page.getByRole("menuitem", { name: act, exact: true }).click();
}

/** On the page of a host: opens the form that edits its assignment to 张客户. */
export async function editAssignment(page: Page): Promise<void> {
  await page.getByRole("button", { name: "对 张客户 的操作" }).click();
  await page.getByRole("menuitem", { name: "修改有效期" }).click();
}

/** A toast with this title, and this in its message, that is not on its way out. */
export function toast(page: Page, title: string, message: string | RegExp = ""): Locator {
  return page
    .locator("[data-sonner-toast][data-removed=false]")
    .filter({ hasText: title })
    .filter({ hasText: message });
}

/** Clicks this button of the open window and waits for the toast of the result. */
export async function submit(
  page: Page,
  button: string,
  title: string,
  message: string | RegExp = "",
): Promise<void> {
  await dialog(page).getByRole("button", { name: button, exact: true }).click();
  await expect(toast(page, title, message)).toBeVisible();
}

/** The window that is open over the page: form, sheet or confirmation. */
export function dialog(page: Page): Locator {
  return page.getByRole("dialog").or(page.getByRole("alertdialog"));
}

/** A window that has just opened takes no Enter; from here on it does. */
export async function untilTakesEnter(page: Page): Promise<void> {
  await expect(page.locator("[data-fresh]")).toHaveCount(0);
}

/** The bar of actions on the selected rows. */
export function batchBar(page: Page): Locator {
  return page.getByRole("region", { name: "批量操作" });
}

/** What the dialog of a batch says of its progress and, in the end, of its result. */
export function batchStatus(page: Page): Locator {
  return dialog(page).getByRole("status").first();
}

/** In the table of hosts: selects these and opens the dialog of the action. */
export async function openBatch(page: Page, hosts: readonly Host[], action: string): Promise<void> {
  for (const { ucloudId } of hosts) await row(page, ucloudId).getByRole("checkbox").click();
  await batchBar(page).getByRole("button", { name: action, exact: true }).click();
}

/** Selects every row of the page that the list shows. */
export async function selectPage(page: Page): Promise<void> {
  await page.getByRole("checkbox", { name: "选择本页全部" }).click();
}

/** The row of a table with this text, also while a dialog hides the page from the roles. */
export function row(page: Page, text: string): Locator {
  return page.getByRole("row", { includeHidden: true }).filter({ hasText: text });
}

/** The rows of a table below its head. */
export function bodyRows(page: Page): Locator {
  return page.getByRole("row").filter({ has: page.getByRole("cell") });
}

/** What is said under this label, in a list of facts. */
export function definition(page: Page, label: string): Locator {
  return page.getByRole("definition").and(page.locator(`dt:text-is("${label}") + dd`));
}

/** Where the element is in the window; it must be visible. */
export async function boxOf(element: Locator): Promise<Box> {
  const box = await element.boundingBox();
  if (box === null) throw new Error(`${element} is not visible`);
  return box;
}

/** `2026-12-01`, as the console writes it where the tests run: in Shanghai. */
export function dateText(seconds: number): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Shanghai" }).format(seconds * 1000);
}

/** The date that many days from now. */
export function dateIn(days: number): string {
  return dateText(Date.now() / 1000 + days * 86_400);
}

/** Counts the calls of this procedure from now on. */
export function countCalls(page: Page, procedure: string): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.url().includes(procedure)) count += 1;
  });
  return () => count;
}

/** The addresses of the calls from now on, decoded: they contain the inputs of the reads. */
export function recordCalls(page: Page): readonly string[] {
  const calls: string[] = [];
  page.on("request", (request) => calls.push(decodeURIComponent(request.url())));
  return calls;
}

/** The requests of a page that have no answer yet. */
class Traffic {
  readonly #underWay = new Set<Request>();
  #changedAt = Date.now();

  constructor(page: Page) {
    page.on("request", (request) => {
      this.#underWay.add(request);
      this.#changedAt = Date.now();
    });
    page.on("requestfinished", (request) => this.#end(request));
    page.on("requestfailed", (request) => this.#end(request));
  }

  /** How long nothing has been under way, in ms. */
  quietMs(): number {
    return this.#underWay.size === 0 ? Date.now() - this.#changedAt : 0;
  }

  #end(request: Request): void {
    this.#underWay.delete(request);
    this.#changedAt = Date.now();
  }
}

const trafficOf = new WeakMap<Page, Traffic>();

/** From now on `untilQuiet` knows of the requests of the page. */
export function watchTraffic(page: Page): Traffic {
  const traffic = trafficOf.get(page) ?? new Traffic(page);
  trafficOf.set(page, traffic);
  return traffic;
}

/**
 * Waits for a second in which the page has all answers and asks for nothing. Unlike the load state
 * `networkidle` it knows of what is read after the first page, too.
 */
export async function untilQuiet(page: Page): Promise<void> {
  const traffic = watchTraffic(page);
  const calledAt = Date.now();
  const quietMs = () => Math.min(traffic.quietMs(), Date.now() - calledAt);
  await expect.poll(quietMs, { timeout: 60_000 }).toBeGreaterThan(1_000);
}

/** What happens from now on reaches the window as an event. */
export async function expectLive(page: Page): Promise<void> {
  // Hidden from the tree where the path opens a panel.
  const badge = page.getByRole("button", { name: "实时连接：已连接", includeHidden: true });
  await expect(badge).toBeVisible();
}

/**
 * The server answers such requests, but the page hears of it only once `release` is called;
 * `answered` resolves when the first answer is held.
 */
export async function holdAnswers(page: Page, requests: RegExp) {
  const answered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(
    (url) => requests.test(decodeURIComponent(url.href)),
    async (route) => {
      const response = await route.fetch();
      answered.resolve();
      await released.promise;
      // The page may have stopped waiting.
      await route.fulfill({ response }).catch(() => undefined);
    },
  );
  return { answered: answered.promise, release: released.resolve };
}
