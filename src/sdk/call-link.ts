import { httpBatchLink, type TRPCLink } from "@trpc/client";
import type { AppRouter } from "../server/app-router.ts";
import type { TransportOptions } from "./transport.ts";

const REQUEST_TIMEOUT_MS = 30_000;
/** Limits of the server and of common proxies. */
const BATCH = { maxItems: 20, maxURLLength: 6000 };

/** Calls over HTTP. Those of the same moment are one request. */
export function callLink({
  url,
  token,
  signal,
}: Pick<TransportOptions, "url" | "token" | "signal">): TRPCLink<AppRouter> {
  return httpBatchLink<AppRouter>({
    url,
    ...BATCH,
    headers() {
      const bearer = token();
      return bearer === null ? {} : { authorization: `Bearer ${bearer}` };
    },
    async fetch(target, request) {
      const aborted = anyOf(request?.signal, signal?.(), AbortSignal.timeout(REQUEST_TIMEOUT_MS));
      const response = await fetch(target, { ...request, signal: aborted });
      return allowForeignBody(response);
    },
  });
}

function anyOf(...signals: readonly (AbortSignal | null | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined && signal !== null));
}

/**
 * Reads a body that is no JSON, such as the page of a proxy, as an empty object: a parse error
 * would hide the HTTP status.
 */
function allowForeignBody(response: Response): Response {
  const readJson = response.json.bind(response);

  async function readJsonOrNothing(): Promise<unknown> {
    try {
      return await readJson();
    } catch (error) {
      if (error instanceof SyntaxError) return {};
      throw error;
    }
  }
  return Object.defineProperty(response, "json", { value: readJsonOrNothing });
}
