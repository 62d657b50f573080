import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Locator,
  type Page,
} from "@playwright/test";
import { SignIn } from "../../src/shared/auth.ts";
import type { Host } from "../../src/shared/hosts.ts";
import type { SimulatorOptions } from "../../src/simulator/options.ts";
import { type Simulator, startSimulator } from "../../src/simulator/server.ts";
import { renewalIn, requestRenewal } from "../harness/data.ts";
import { openTestDatabase, type TestDatabase } from "../harness/database.ts";
import { freePort } from "../harness/ports.ts";
import { assertOk, type RestClient, restClient } from "../harness/rest.ts";
import { keepRoot, ROOT_USER } from "../harness/root-user.ts";
import { configure, signIn as signInToApi, syncAll } from "../harness/server-fixture.ts";
import { startApp } from "../harness/start-app.ts";
import { boxOf, SIZES, watchTraffic } from "./actions.ts";
import { type Account, assignHost, type CreatedUser, createUser, Hosts } from "./api.ts";

/** Type of the annotations that name the expected errors of a test. */
const ALLOWED = "allowed errors";

const ACCESSIBILITY_TAGS = [
  "wcag2a",
  "wcag2aa",
  "wcag21a",
  "wcag21aa",
  "wcag22aa",
  "best-practice",
];

/** A client, and the API as this client calls it. */
type Client = CreatedUser & { readonly api: RestClient };

interface Fixtures {
  readonly simulation: SimulatorOptions;
  /** A simulator of the provider. */
  readonly provider: Simulator;
  readonly server: { readonly url: string };
  /** From now on, every error of the page that is not expected fails the test. */
  readonly watch: (page: Page) => void;
  /** Opens a window of another user or device: a browser context with the same checks as `page`. */
  readonly openWindow: (options?: BrowserContextOptions) => Promise<Page>;
  /**
   * Opens a path with a new session, by default of the super admin, and waits for the frame of the
   * console; what the page itself reads may still be on its way.
   */
  readonly signIn: (page: Page, path?: string, account?: Account) => Promise<void>;
  /** The API as the super admin calls it. */
  readonly api: RestClient;
  /** The provider's hosts, synced. */
  readonly hosts: Hosts;
  /** 李管理, who has no clients yet. */
  readonly admin: CreatedUser;
  /** 张客户, who has no hosts yet and no admin. */
  readonly client: Client;
  /** 王客户, who has no hosts yet. */
  readonly otherClient: CreatedUser;
  /** The first host, assigned to the client for thirty days. */
  readonly assignedHost: Hosts[0];
  /** Assigns the host to the client for twenty days, and asks for thirty more: the request's id. */
  readonly requestFor: (host: Host) => Promise<string>;
  /** The client's approved request for thirty more days of the assigned host: its id. */
  readonly approvedRequest: string;
}

interface Site {
  readonly url: string;
  readonly ports: { readonly provider: number; readonly receiver: number };
  /** Empties the database but for the first super admin. */
  readonly clear: () => Promise<void>;
}

interface WorkerFixtures {
  readonly database: TestDatabase;
  /** One server for all tests, and the only places where it may find their other sides. */
  readonly site: Site;
}

/**
 * Each test has an empty database, a provider and a browser context of its own, and fails on any
 * console error, page error or violation of the content security policy. The server is that of the
 * tests before: starting one takes longer than most pages.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  simulation: [{ hosts: 60, regions: 4, projects: 2 }, { option: true }],
  database: [
    async ({ playwright: _ }, use) => {
      process.env.TEST_DATABASE_URL ??= process.env.SLOW_DATABASE_URL;
      await using database = await openTestDatabase();
      await use(database);
    },
    { scope: "worker" },
  ],
  site: [
    async ({ database }, use) => {
      const ports = { provider: await freePort(), receiver: await freePort() };
      await using server = await startApp(database.connection, {
        config: {
          providerAllowedOrigins: [`http://127.0.0.1:${ports.provider}`],
          outboundAllowed: { origins: [`http://127.0.0.1:${ports.receiver}`], servers: [] },
        },
      });
      const restoreRoot = await keepRoot(database);
      const clear = async () => {
        await database.clear();
        await restoreRoot();
      };
      await use({ url: server.url, ports, clear });
    },
    { scope: "worker" },
  ],
  provider: async ({ simulation, site }, use) => {
    await using provider = await startSimulator({ ...simulation, port: site.ports.provider });
    await use(provider);
  },
  server: async ({ site }, use) => {
    await site.clear();
    await use(site);
  },
  baseURL: ({ server }, use) => use(server.url),
  watch: async ({ playwright: _ }, use, { annotations }) => {
    const errors: string[] = [];
    await use((page) => {
      watchTraffic(page);
      // The browser's console says nothing of a violation whose error the page catches.
      void page.addInitScript(`
        addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
          console.error("content security policy:", violatedDirective, blockedURI));
      `);
      page.on("console", (message) => {
        if (message.type() === "error" || /content security policy/i.test(message.text()))
          errors.push(message.text());
      });
      page.on("pageerror", (error) => errors.push(error.message));
    });
    const expected = annotations.filter(({ type }) => type === ALLOWED);
    const allowed = expected.map(({ description = "" }) => new RegExp(description));
    expect(errors.filter((text) => !allowed.some((pattern) => pattern.test(text)))).toEqual([]);
  },
  page: async ({ page, watch }, use) => {
    watch(page);
    await use(page);
  },
  openWindow: async ({ browser, baseURL, watch }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (options) => {
      const context = await browser.newContext({
        ...(baseURL === undefined ? {} : { baseURL }),
        ...options,
      });
      opened.push(context);
      const page = await context.newPage();
      watch(page);
      return page;
    });
    for (const context of opened) await context.close();
  },
  signIn: async ({ server }, use) => {
    await use(async (page, path = "/dashboard", { username, password } = ROOT_USER) => {
      const { data } = await assertOk(
        restClient(server.url).post("/api/auth/login", { username, password }),
      );
      const { token, user } = SignIn.parse(data);
      // The script runs in every document, but stores the session only in the first: it would
      // undo a sign-out otherwise.
      await page.addInitScript(`
        if (location.origin === "${server.url}" && !localStorage.getItem("${token}")) {
          localStorage.setItem("${token}", "stored");
          localStorage.setItem("ucloud_user", ${JSON.stringify(JSON.stringify(user))});
          localStorage.setItem("ucloud_token", "${token}");
        }
      `);
      await page.goto(path);
      // Hidden from the tree where the path opens a panel.
      await expect(page.getByRole("banner", { includeHidden: true })).toBeVisible();
    });
  },
  api: async ({ server }, use) => use(await signInToApi(server.url)),
  hosts: async ({ api, provider }, use) => {
    await configure(api, provider);
    await syncAll(api);
    await use(Hosts.parse((await api.get("/api/hosts?limit=100")).data.hosts));
  },
  admin: async ({ api }, use) =>
    use(await createUser(api, { username: "li_guanli", name: "李管理", role: "admin" })),
  client: async ({ api, server }, use) => {
    const client = await createUser(api, {
      username: "zhang_kehu",
      name: "张客户",
      role: "client",
    });
    await use({ ...client, api: await signInToApi(server.url, client) });
  },
  otherClient: async ({ api }, use) =>
    use(await createUser(api, { username: "wang_kehu", name: "王客户", role: "client" })),
  assignedHost: async ({ api, hosts, client }, use) => {
    await assignHost(api, hosts[0], client, 30);
    await use(hosts[0]);
  },
  requestFor: async ({ api, client }, use) =>
    use(async (host) => {
      await assignHost(api, host, client, 20);
      return await requestRenewal(client.api, host.id, 30);
    }),
  approvedRequest: async ({ api, client, assignedHost }, use) => {
    const holder = { client: client.api, hostId: assignedHost.id };
    await use(await renewalIn({ root: api }, holder, "approved"));
  },
});

export { expect };

/** The test expects these errors in the browser's console; every other one fails it. */
export function allowErrors(messages: RegExp): void {
  test.info().annotations.push({ type: ALLOWED, description: messages.source });
}

/** The only rule of axe whose result differs between the themes. */
export async function expectContrast(page: Page): Promise<void> {
  await expectAccessible(page, ["color-contrast"]);
}

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What an open dialog hides from everybody: another test has looked at it. */
const BEHIND_DIALOG = "#root[aria-hidden=true]";

/** Nothing may be found of WCAG 2.2 AA and axe's best practices, or of the given rules. */
export async function expectAccessible(page: Page, runOnly = ACCESSIBILITY_TAGS): Promise<void> {
  // The contrast is too low in the middle of a fade, and of a list until it has been read again.
  await expect(page.locator("[aria-busy=true]:not(button)")).toHaveCount(0);
  await expectStill(page);
  // A document keeps it: to load it costs half as much as to run it.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const violations = await page.evaluate(`
    axe
      .run(
        { exclude: [${JSON.stringify(BEHIND_DIALOG)}] },
        { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ["violations"] },
      )
      .then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")),
      )
  `);
  expect(violations).toEqual([]);
}

/**
 * Nothing may be found at the sizes of a phone and of a desktop, nor of contrast in the dark theme,
 * and nothing may scroll sideways. Ends at the size of a desktop.
 */
export async function expectAccessibleScreen(page: Page, runOnly?: string[]): Promise<void> {
  for (const viewport of SIZES.toReversed()) {
    await page.setViewportSize(viewport);
    await expectAccessible(page, runOnly);

    const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    const message = `${page.url()} scrolls sideways at ${viewport.width} px`;
    expect(Number(overflow), message).toBeLessThanOrEqual(0);
  }

  // Both sizes have the same colours.
  await useTheme(page, "dark");
  await expectContrast(page);
  await useTheme(page, "light");
}

/** The theme follows the system unless chosen otherwise. */
async function useTheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await expect(page.locator("html")).toHaveClass(colorScheme === "dark" ? /dark/ : /^(?!.*dark)/);
}

/** Waits until every animation has ended, except those without an end, such as spinners. */
export async function expectStill(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const isMoving = ({ playState, effect }) =>
      playState === "running" && Number.isFinite(effect.getComputedTiming().endTime);
    const check = () => {
      if (document.getAnimations().some(isMoving)) requestAnimationFrame(check);
      else resolve();
    };
    check();
  })`);
}

/** The toast lies over no part of the element. */
export async function expectApart(page: Page, toast: Locator, element: Locator): Promise<void> {
  // Under the pointer a toast stays, however slow the page is.
  await toast.hover();
  await expectStill(page);

  const a = await boxOf(toast);
  const b = await boxOf(element);
  const isApart =
    a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
  expect(isApart, `${JSON.stringify(a)} covers ${JSON.stringify(b)}`).toBe(true);
}

/**
 * Closes what is on top by Esc, once it stands still: for some milliseconds after a layer has got
 * the focus, Radix still gives Esc to the layer below.
 */
export async function pressEscape(page: Page): Promise<void> {
  await expectStill(page);
  await page.keyboard.press("Escape");
}
