import type { HostRecord } from "./cell.ts";
import type { Payload } from "./outcome.ts";

type Bend = (body: Payload) => Payload;

export function setKey(key: string, value: unknown): Bend {
  return (body) => ({ ...body, [key]: value });
}

export function dropKey(key: string): Bend {
  return (body) => Object.fromEntries(Object.entries(body).filter(([name]) => name !== key));
}

/** Changes the page of hosts as a whole; answers without hosts stay as they are. */
export function bendPage(change: (hosts: HostRecord[]) => unknown): Bend {
  return (body) => {
    const hosts = body.UHostSet;
    return Array.isArray(hosts) ? { ...body, UHostSet: change(hosts) } : body;
  };
}

/** Changes each n-th host of the page, counted from the first. */
export function bendEach(change: (host: HostRecord) => unknown, every = 1): Bend {
  return bendPage((hosts) => hosts.map((host, i) => (i % every === 0 ? change(host) : host)));
}

export function withoutHosts(fields: Payload): Bend {
  return (body) => ("UHostSet" in body ? { ...body, ...fields } : body);
}

export function moveTotal(by: number): Bend {
  return (body) => (typeof body.TotalCount === "number" ? { ...body, TotalCount: body.TotalCount + by } : body);
}

export function rewriteNumber(name: string, change: (value: number) => number, fallback = 0) {
  return (params: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
    new Map(params).set(name, String(change(Number(params.get(name) ?? fallback))));
}

export function inMilliseconds(host: HostRecord): HostRecord {
  const times = ["CreateTime", "ExpireTime"].flatMap((name) => {
    const value = host[name];
    return typeof value === "number" ? [[name, value * 1000] as const] : [];
  });
  return { ...host, ...Object.fromEntries(times) };
}

/** The shape a half-dead backend answers with: everything there, nothing in it. */
export function zeroed(host: HostRecord): HostRecord {
  const empty = (value: unknown): unknown => {
    if (typeof value === "string") return "";
    if (typeof value === "number") return 0;
    if (typeof value === "boolean") return false;
    return Array.isArray(value) ? [] : value;
  };
  return Object.fromEntries(
    Object.entries(host).map(([name, value]) => [name, name === "UHostId" ? value : empty(value)]),
  );
}

export function hostileText(text: "nul" | "loneSurrogate" | "markup" | "veryLong" | "bidi"): string {
  switch (text) {
    case "nul":
      return "主机\u0000-01";
    case "loneSurrogate":
      return "主机\ud83d-01";
    case "markup":
      return "<img src=x onerror=alert(1)><script>alert(2)</script>&amp;\"'`{{7*7}}";
    case "veryLong":
      return "长".repeat(1024 * 1024);
    case "bidi":
      return "\u202e10-txt.exe\u2066主机\u200b";
  }
}
