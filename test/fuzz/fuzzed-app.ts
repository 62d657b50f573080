import { beforeEach } from "vitest";
import { createLog } from "../../src/server/core/log.ts";
import { type TestApp, useApp } from "../harness/app.ts";
import { fixedClock } from "../harness/fixed-clock.ts";
import type { RestAnswer, RestClient } from "../harness/rest.ts";
import type { Wire } from "./bad-requests.ts";

/** A live server that keeps what it logs of errors; none of the calls moves a time by itself. */
export function useFuzzedApp(): { readonly app: TestApp; readonly logged: readonly string[] } {
  const logged: string[] = [];
  const destination = { write: (line: string) => void logged.push(line) };
  const log = createLog({ level: "error", pretty: false, destination });
  beforeEach(() => {
    logged.length = 0;
  });
  return { app: useApp({ overrides: { log, clock: fixedClock() } }), logged };
}

export async function send(as: RestClient, { method, path, headers, body }: Wire): Promise<RestAnswer> {
  return await as.raw(method, path, { headers, ...(body === undefined ? {} : { body }) });
}

/** Sends it and has `check` look at the answer; what went wrong is told together with what was sent. */
export async function sendAnd(as: RestClient, request: Wire, check: (answer: RestAnswer) => void): Promise<void> {
  const answer = await send(as, request);
  try {
    check(answer);
  } catch (cause) {
    const told = JSON.stringify({ ...request, body: String(request.body).slice(0, 500) });
    throw new Error(`${told} answered ${answer.status} ${JSON.stringify(answer.body)}`, { cause });
  }
}
