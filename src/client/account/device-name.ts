/** In this order: many call themselves by the names of those below them as well. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/MicroMessenger\//, "微信"],
  [/\bEdgA?(?:iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*Safari\//, "Safari"],
  [/^curl\//, "curl"],
  [/^(?:node|undici)\b|^Node\.js/i, "Node.js"],
  [/^python/i, "Python"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Windows/, "Windows"],
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

const PHONES: readonly string[] = ["iPhone", "iPad", "Android"];

export type Device = { kind: "phone" | "computer" | "program"; name: string };

/** `Chrome · Windows` out of what the browser calls itself. A guess for reading, never for deciding. */
export function deviceOf(userAgent: string): Device {
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  if (browser === undefined && system === undefined) return { kind: "program", name: "未知设备" };
  const name = [browser, system].filter((part) => part !== undefined).join(" · ");
  if (system === undefined) return { kind: "program", name };
  return { kind: PHONES.includes(system) ? "phone" : "computer", name };
}

function nameIn(names: readonly (readonly [RegExp, string])[], userAgent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1];
}
