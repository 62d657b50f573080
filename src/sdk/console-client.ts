import { createTRPCClient, httpBatchLink, splitLink } from "@trpc/client";
import type { AppRouter } from "../server/app-router.ts";
import { createLiveLink } from "./live-link.ts";
import type { ConsoleClient, ConsoleClientOptions } from "./public-types.ts";
import { createToken } from "./token.ts";

const REQUEST_TIMEOUT_MS = 30_000;
/** The server refuses more calls in one request. */
const MAX_BATCH = 20;
const MAX_URL_LENGTH = 6000;

/** A typed client of one server. It opens nothing until it is used; throws TypeError for a url that is not http or https. */
export function createConsoleClient({ url, token: first, WebSocket }: ConsoleClientOptions): ConsoleClient {
  const http = endpoint(url);
  const token = createToken(first ?? null);
  const live = createLiveLink({ url: http.replace(/^http/, "ws"), token, WebSocket });
  const api = createTRPCClient<AppRouter>({
    links: [
      token.link,
      splitLink({
        condition: ({ type }) => type === "subscription",
        true: live.link,
        false: httpBatchLink({
          url: http,
          maxItems: MAX_BATCH,
          maxURLLength: MAX_URL_LENGTH,
          headers() {
            const bearer = token.current();
            return bearer === null ? {} : { authorization: `Bearer ${bearer}` };
          },
          fetch: (target, options) => fetch(target, { ...options, signal: inTime(options?.signal) }),
        }),
      }),
    ],
  });
  return {
    api,
    login: (username, password) => api.auth.login.mutate({ username, password }),
    close: () => live.close(),
  };
}

/** `https://host/console/` → `https://host/console/trpc` */
function endpoint(url: string): string {
  const base = new URL(url);
  if (base.protocol !== "http:" && base.protocol !== "https:") {
    throw new TypeError(`the url must begin with http:// or https://: ${url}`);
  }
  return new URL("trpc", base.href.replace(/[?#].*$/, "").replace(/\/*$/, "/")).href;
}

function inTime(signal: AbortSignal | null | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}
