import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/** Chromium without a user interface of its own: the tests take two thirds of the time. */
const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";
const BROWSER = existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : "/usr/bin/chromium";

/** Headless Chromium from the system; nothing is downloaded. */
export default defineConfig({
  testDir: "test/browser",
  globalSetup: "./test/slow/setup.ts",
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // One more than there are cores: stories also wait for what moves.
  workers: 3,
  fullyParallel: true,
  forbidOnly: process.env.CI !== undefined,
  retries: 0,
  reporter: [["line"]],
  outputDir: "test-results",
  use: {
    browserName: "chromium",
    viewport: { width: 1440, height: 900 },
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    // What moves costs an eighth of the time; keyboard, forms and concurrent edits are tested with it.
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    trace: "off",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? BROWSER,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
