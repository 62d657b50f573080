import { expect, type Locator, type Page } from "@playwright/test";
import type { ProviderProcess } from "./server.ts";

export interface ProviderKeys {
  readonly url: string;
  readonly publicKey: string;
  readonly privateKey: string;
}

/** On the configurations page: fills in the dialog and waits for the card. */
export async function addConfiguration(
  page: Page,
  { url, publicKey, privateKey }: ProviderKeys,
  name = "生产账号",
): Promise<void> {
  await page.getByRole("button", { name: "新增配置" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("配置名称").fill(name);
  await dialog.getByLabel("公钥").fill(publicKey);
  await dialog.getByLabel("私钥", { exact: false }).first().fill(privateKey);
  await dialog.getByLabel("API地址").fill(url);
  await dialog.getByRole("button", { name: "创建" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("heading", { name })).toBeVisible();
}

export async function openHosts(page: Page): Promise<void> {
  await page.getByRole("link", { name: "主机管理", exact: true }).click();
  await expect(page).toHaveURL(/\/hosts/);
}

export async function chooseAllConfigurations(page: Page): Promise<void> {
  await page.getByRole("button", { name: "同步主机" }).first().click();
  await page.getByRole("menuitem", { name: /全部配置/ }).click();
}

/** The panel of the present runs above the host list. */
export function syncSection(page: Page): Locator {
  return page.getByRole("region", { name: "同步进度" });
}

/** From now on the provider keeps matching calls waiting. */
export async function freezeSync(
  provider: ProviderProcess,
  match: Readonly<Record<string, string | number>>,
): Promise<void> {
  await provider.control("hold", match);
}

export async function allowSync(provider: ProviderProcess): Promise<void> {
  await provider.control("release");
}

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Opens a picker, which may search on the server, and takes the option. */
export async function pick(picker: Locator, name: string | RegExp): Promise<void> {
  await picker.click();
  await picker.page().getByRole("option", { name }).click();
}

/** A toast with this title, and this in its message. */
export function toast(page: Page, title: string, message: string | RegExp = ""): Locator {
  return page.locator("[data-notification]").filter({ hasText: title }).filter({ hasText: message });
}

/** The window that is open over the page: form, sheet or confirmation. */
export function dialog(page: Page): Locator {
  return page.getByRole("dialog").or(page.getByRole("alertdialog"));
}

/** `2026-12-01`, as the console writes it where the tests run: in Shanghai. */
export function dateText(seconds: number): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Shanghai" }).format(seconds * 1000);
}

/** Resolves with how often the window has loaded a document since. */
export function countLoads(page: Page): () => number {
  let count = 0;
  page.on("load", () => {
    count += 1;
  });
  return () => count;
}

/** Counts the calls of this procedure from now on. */
export function countCalls(page: Page, procedure: string): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.url().includes(procedure)) count += 1;
  });
  return () => count;
}

/** What happens from now on reaches the window as news. */
export async function expectLive(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: "实时连接：已连接" })).toBeVisible();
}
