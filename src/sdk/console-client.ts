import { createTRPCClient, type TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable, tap } from "@trpc/server/observable";
import type { AppRouter } from "../server/app-router.ts";
import { openDownload } from "./download.ts";
import { foreignAnswer } from "./foreign-answer.ts";
import type { ConsoleClient, ConsoleClientOptions } from "./public-types.ts";
import { createTransport } from "./transport.ts";
import { uploadFile } from "./upload.ts";

/** Calls whose answer carries the token of a session. */
const SIGN_INS = ["auth.login", "auth.secondFactor", "auth.refresh"];

/**
 * Creates a client of one server; it connects at first use. Throws TypeError for a url that is not
 * http or https.
 */
export function createConsoleClient(options: ConsoleClientOptions): ConsoleClient {
  const base = baseOf(options.url);
  const url = new URL("trpc", base).href;
  let token = options.token ?? null;
  const transport = createTransport({ url, token: () => token, WebSocket: options.WebSocket });

  function setToken(next: string | null): void {
    if (next === token) return;

    token = next;
    transport.reconnect();
  }

  const api = createTRPCClient<AppRouter>({
    links: [explainForeignAnswers(url), followSession(setToken), ...transport.links],
  });
  return {
    api,
    login: (username, password) => api.auth.login.mutate({ username, password }),
    download: (name, filter, downloadOptions) =>
      openDownload({ base, token: () => token }, { name, filter, ...downloadOptions }),
    upload: (name, file, uploadOptions) =>
      uploadFile({ base, token: () => token }, { name, file, ...uploadOptions }),
    close: () => transport.close(),
  };
}

/** Hands on the token of each sign-in, and null at a sign-out. */
function followSession(setToken: (token: string | null) => void): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      next(op).pipe(
        tap({
          next({ result }) {
            if (op.path === "auth.logout") setToken(null);
            if (!SIGN_INS.includes(op.path) || !("data" in result)) return;

            // A sign-in that still needs a code has none.
            const token = tokenOf(result.data);
            if (token !== null) setToken(token);
          },
        }),
      );
}

function explainForeignAnswers(url: string): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) =>
        next(op).subscribe({
          next: (answer) => observer.next(answer),
          error: (error) => observer.error(explain(error, url)),
          complete: () => observer.complete(),
        }),
      );
}

/** `https://host/console` → `https://host/console/` */
function baseOf(url: string): string {
  const base = new URL(url);
  if (base.protocol !== "http:" && base.protocol !== "https:") {
    throw new TypeError(`the url must begin with http:// or https://: ${url}`);
  }

  return base.href.replace(/[?#].*$/, "").replace(/\/*$/, "/");
}

function tokenOf(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null || !("token" in answer)) return null;
  return typeof answer.token === "string" ? answer.token : null;
}

/**
 * Names an answer over HTTP that is not the console's: a proxy's page, or whatever is at a wrong
 * base path.
 */
function explain(error: TRPCClientError<AppRouter>, url: string): TRPCClientError<AppRouter> {
  const response = error.meta?.response;
  if (error.shape !== undefined || !(response instanceof Response)) return error;
  return foreignAnswer(response, url);
}
