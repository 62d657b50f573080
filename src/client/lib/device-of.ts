export type DeviceKind = "phone" | "computer" | "program";

/** In this order: many call themselves by the names of those below them as well. */
const BROWSERS = [
  ["微信", /MicroMessenger\//],
  ["Edge", /\bEdgA?(?:iOS)?\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:HeadlessChrome|Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
] as const;
const SYSTEMS = [
  ["Windows", /Windows/, "computer"],
  ["iPhone", /iPhone/, "phone"],
  ["iPad", /iPad/, "phone"],
  ["Android", /Android/, "phone"],
  ["macOS", /Macintosh/, "computer"],
  ["Linux", /Linux/, "computer"],
] as const;

/**
 * `Chrome · Windows` out of what the browser calls itself, else the name of a program. A guess for
 * reading, never for deciding.
 */
export function deviceOf(userAgent: string): { kind: DeviceKind; name: string } {
  const [browser] = BROWSERS.find(([, pattern]) => pattern.test(userAgent)) ?? [];
  const [system, , kind = "program"] = SYSTEMS.find(([, pattern]) => pattern.test(userAgent)) ?? [];
  const program = userAgent.split(/[/ ]/)[0] || "未知设备";
  return { kind, name: [browser, system].filter(Boolean).join(" · ") || program };
}
