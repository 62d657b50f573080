import { apiContract } from "./contract.ts";

/** An answer; `data` is the envelope's content, or the body without an envelope. */
export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: tests read many shapes and assert what they need
  readonly data: any;
}

export interface RestClient {
  readonly token: string | null;
  get(path: string): Promise<RestAnswer>;
  post(path: string, body?: unknown): Promise<RestAnswer>;
  put(path: string, body?: unknown): Promise<RestAnswer>;
  delete(path: string): Promise<RestAnswer>;
  /** Sends any request. */
  raw(method: string, path: string, init?: RequestInit): Promise<RestAnswer>;
}

export const JSON_TYPE = { "content-type": "application/json" };

/** Throws if a setup call fails. */
export async function assertOk(call: Promise<RestAnswer>): Promise<RestAnswer> {
  const answer = await call;
  if (answer.status >= 300)
    throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
}

/** Checks every answer against the API document. */
export function restClient(url: string, token: string | null = null): RestClient {
  async function raw(method: string, path: string, init: RequestInit = {}): Promise<RestAnswer> {
    const headers = new Headers(init.headers);
    if (token !== null && !headers.has("authorization"))
      headers.set("authorization", `Bearer ${token}`);
    const response = await fetch(url + path, { ...init, method, headers });
    const text = await response.text();
    const isJson = text !== "" && response.headers.get("content-type")?.includes("json");
    const body: unknown = isJson ? JSON.parse(text) : text;
    const sent = typeof init.body === "string" ? init.body : undefined;
    apiContract().check({
      method,
      target: path,
      sent,
      status: response.status,
      headers: response.headers,
      body,
    });
    const data = typeof body === "object" && body !== null && "data" in body ? body.data : body;
    return { status: response.status, headers: response.headers, body, data };
  }
  const send = (method: string) => (path: string, body?: unknown) =>
    raw(method, path, body === undefined ? {} : { body: JSON.stringify(body), headers: JSON_TYPE });
  return {
    token,
    raw,
    get: send("GET"),
    post: send("POST"),
    put: send("PUT"),
    delete: send("DELETE"),
  };
}
