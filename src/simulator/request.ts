import type { IncomingMessage } from "node:http";
import type { ReceivedParams } from "./signature.ts";

/** A provider call as it came in. */
export interface ProviderRequest {
  method: string;
  encoding: "query" | "form" | "json";
  /** For the signature: untouched. */
  received: ReceivedParams;
  /** For the actions: flattened (`UHostIds.0`), every value a string. */
  params: ReadonlyMap<string, string>;
}

const BODY_LIMIT = 1024 * 1024;

/** GET query, POST form and POST JSON are all understood; anything unreadable counts as a call without parameters. */
export async function readProviderRequest(request: IncomingMessage, url: URL): Promise<ProviderRequest> {
  const method = request.method ?? "GET";
  if (method !== "POST") return build(method, "query", Object.fromEntries(url.searchParams));
  const body = await readBody(request);
  if (/^application\/json\b/i.test(request.headers["content-type"] ?? ""))
    return build(method, "json", parseObject(body));
  return build(method, "form", Object.fromEntries(new URLSearchParams(body)));
}

/** @throws RangeError beyond 1 MiB */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > BODY_LIMIT) throw new RangeError("request body too large");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function build(method: string, encoding: ProviderRequest["encoding"], received: ReceivedParams): ProviderRequest {
  const params = new Map<string, string>();
  flatten(received, "", params);
  return { method, encoding, received, params };
}

function parseObject(text: string): ReceivedParams {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

function flatten(value: unknown, name: string, into: Map<string, string>): void {
  if (value === null || value === undefined) return;
  if (typeof value !== "object") {
    into.set(name, String(value));
    return;
  }
  for (const [key, child] of Object.entries(value)) flatten(child, name === "" ? key : `${name}.${key}`, into);
}
