import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import config from "../../playwright.config.ts";
import { ROOT, startProgram } from "../harness/programs.ts";
import { signIn as signInToApi, syncAll } from "../harness/server-fixture.ts";
import { PHONE, submitSignIn } from "./actions.ts";

/** Pictures of every screen, in both themes and sizes, of the demo with synced hosts: npm run screenshots [DIRECTORY]. */
const OUTPUT = process.argv[2] ?? join(ROOT, "docs/screenshots");
const SIZES = { desktop: { width: 1440, height: 900 }, phone: PHONE.viewport };
const PASSWORD = "Yanshi2026";
/** The paths of each user's pictures. */
const SCREENS = {
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
  zhang_kehu: {
    "client-dashboard": "/dashboard",
    "client-hosts": "/hosts",
    "client-renewals": "/client/renewals",
  },
  li_guanli: { "admin-dashboard": "/dashboard", "admin-hosts": "/hosts" },
};

await mkdir(OUTPUT, { recursive: true });
await using demo = startProgram({ args: [join(ROOT, "scripts/demo.ts")], env: { PORT: "0" } });
const baseURL = await demo.line(/演示已就绪：(http:\S+)/);
await syncAll(await signInToApi(baseURL, { username: "admin", password: PASSWORD }));
await using browser = await chromium.launch(config.use?.launchOptions);
for (const colorScheme of ["light", "dark"] as const) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const [username, screens] of Object.entries(SCREENS)) {
      const options = { colorScheme, viewport, locale: "zh-CN", timezoneId: "Asia/Shanghai" };
      await using context = await browser.newContext({ baseURL, ...options });
      const page = await context.newPage();
      const picture = async (name: string) => {
        await page.screenshot({ path: join(OUTPUT, `${name}-${size}-${colorScheme}.png`) });
      };
      await page.goto("/login");
      await page.getByRole("button", { name: "登录", exact: true }).waitFor();
      if (username === "admin") await picture("login");
      await submitSignIn(page, { username, password: PASSWORD });
      await page.waitForURL(/dashboard/);
      for (const [name, path] of Object.entries(screens)) {
        await page.goto(path);
        await page.waitForLoadState("networkidle");
        await picture(name);
      }
    }
  }
}
