import AxeBuilder from "@axe-core/playwright";
import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { ADMIN, type ConsoleProcess, type ProviderProcess, startConsole, startProvider } from "./server.ts";

interface Fixtures {
  readonly providerArgs: readonly string[];
  readonly provider: ProviderProcess;
  readonly server: ConsoleProcess;
  /** Complaints of the browser that a test expects; everything else fails it. */
  readonly expectedComplaints: RegExp[];
  readonly watch: (page: Page) => void;
  readonly watched: undefined;
  /** A window of another user or device: its own browser context, with the same checks as `page`. */
  readonly openWindow: (options?: BrowserContextOptions) => Promise<Page>;
}

/** Each test has a server, a provider and a browser of its own, and fails on any console error, page error or CSP violation. */
export const test = base.extend<Fixtures>({
  providerArgs: [["--hosts", "60", "--regions", "4", "--projects", "2"], { option: true }],
  expectedComplaints: [[], { option: true }],
  provider: async ({ providerArgs }, use) => {
    await using provider = await startProvider(providerArgs);
    await use(provider);
  },
  server: async ({ provider }, use) => {
    await using server = await startConsole(provider.url);
    await use(server);
  },
  baseURL: async ({ server }, use) => {
    await use(server.url);
  },
  watch: async ({ expectedComplaints }, use) => {
    const complaints: string[] = [];
    await use((page) => {
      // The console says nothing of a probe that is refused and caught.
      void page.addInitScript(`addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
        console.error("content security policy:", violatedDirective, blockedURI))`);
      page.on("console", (message) => {
        if (message.type() === "error" || /content security policy/i.test(message.text()))
          complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
    });
    expect(complaints.filter((text) => !expectedComplaints.some((expected) => expected.test(text)))).toEqual([]);
  },
  watched: [
    async ({ page, watch }, use) => {
      watch(page);
      await use(undefined);
    },
    { auto: true },
  ],
  openWindow: async ({ browser, baseURL, watch }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (options) => {
      const context = await browser.newContext({ ...(baseURL === undefined ? {} : { baseURL }), ...options });
      opened.push(context);
      const page = await context.newPage();
      watch(page);
      return page;
    });
    for (const context of opened) await context.close();
  },
});

export { expect };

export async function signIn(page: Page, { username, password } = ADMIN): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("用户名").fill(username);
  await page.getByLabel("密码", { exact: true }).fill(password);
  await page.getByRole("button", { name: "登录" }).click();
  await expect(page).toHaveURL(/\/dashboard/);
}

/** WCAG 2.2 AA and axe's best practices; nothing may be found. */
export async function expectAccessible(page: Page): Promise<void> {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  await expectNoViolations(page, new AxeBuilder({ page }).withTags(tags));
}

/** The only rule of axe whose result differs between the themes. */
export async function expectContrast(page: Page): Promise<void> {
  await expectNoViolations(page, new AxeBuilder({ page }).withRules(["color-contrast"]));
}

/** Half a fade has no contrast: what moves is let finish. */
async function expectNoViolations(page: Page, axe: AxeBuilder): Promise<void> {
  await expectStill(page);
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`)).toEqual([]);
}

/** Whatever moves or fades has come to its end; spinners have none and are not waited for. */
export async function expectStill(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate<number>(`document.getAnimations().filter(({ playState, effect }) =>
        playState === "running" && Number.isFinite(effect.getComputedTiming().endTime)).length`),
    )
    .toBe(0);
}
