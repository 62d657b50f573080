import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { z } from "zod";
import { startProgram } from "../../scripts/processes.ts";

/** Pictures of every screen, in both themes and sizes, of the demo with synced hosts: npm run screenshots [DIRECTORY]. */
const ROOT = join(import.meta.dirname, "../..");
const OUTPUT = process.argv[2] ?? join(ROOT, "docs/screenshots");
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;
const THEMES = ["light", "dark"] as const;
const SCREENS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  admin: {
    dashboard: "/dashboard",
    hosts: "/hosts",
    "hosts-table": "/hosts?view=table",
    configs: "/configs",
    users: "/users",
    renewals: "/renewals",
    "system-config": "/system-config",
    sync: "/hosts?panel=sync",
    account: "/account",
    "not-found": "/nowhere",
    forbidden: "/unauthorized",
  },
  zhang_kehu: { "client-dashboard": "/dashboard", "client-hosts": "/hosts", "client-renewals": "/client/renewals" },
  li_guanli: { "admin-dashboard": "/dashboard", "admin-hosts": "/hosts" },
};
const PASSWORD = "Yanshi2026";

await mkdir(OUTPUT, { recursive: true });
await using demo = await startProgram([join(ROOT, "scripts/demo.ts")], { PORT: "0" }, /演示已就绪：(http:\S+)/);
await syncEverything(demo.address);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  for (const colorScheme of THEMES) {
    for (const [size, viewport] of Object.entries(SIZES)) await picture(browser, { colorScheme, size, viewport });
  }
} finally {
  await browser.close();
}

async function picture(
  browser: Browser,
  {
    colorScheme,
    size,
    viewport,
  }: { colorScheme: (typeof THEMES)[number]; size: string; viewport: { width: number; height: number } },
): Promise<void> {
  for (const [username, screens] of Object.entries(SCREENS)) {
    const context = await browser.newContext({
      baseURL: demo.address,
      colorScheme,
      viewport,
      locale: "zh-CN",
      timezoneId: "Asia/Shanghai",
    });
    const page = await context.newPage();
    await page.goto("/login");
    await page.getByRole("button", { name: "登录", exact: true }).waitFor();
    if (username === "admin") await page.screenshot({ path: join(OUTPUT, `login-${size}-${colorScheme}.png`) });
    await signIn(page, username);
    for (const [name, path] of Object.entries(screens)) {
      await page.goto(path);
      await page.waitForLoadState("networkidle");
      await page.screenshot({ path: join(OUTPUT, `${name}-${size}-${colorScheme}.png`) });
    }
    await context.close();
  }
}

async function signIn(page: Page, username: string): Promise<void> {
  await page.getByLabel("用户名").fill(username);
  await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await page.waitForURL(/dashboard/);
}

async function syncEverything(url: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const login = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers,
    body: JSON.stringify({ username: "admin", password: PASSWORD }),
  });
  const { data } = z.object({ data: z.object({ token: z.string() }) }).parse(await login.json());
  const synced = await fetch(`${url}/api/hosts/sync?wait=25`, {
    method: "POST",
    headers: { authorization: `Bearer ${data.token}` },
  });
  if (!synced.ok) throw new Error(`the sync answered ${synced.status}`);
}
