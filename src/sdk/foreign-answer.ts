import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "../server/app-router.ts";

/** The failure for an answer that is not the console's, such as the page of a proxy. */
export function foreignAnswer(response: Response, url: string): TRPCClientError<AppRouter> {
  const { status, headers } = response;
  const type = headers.get("content-type") ?? "no content type";
  const message = `No console server answered at ${url}: HTTP ${status}, ${type}`;
  const data = {
    code: status >= 500 ? "UNAVAILABLE" : "NOT_FOUND",
    httpStatus: status,
    requestId: "",
  } as const;
  return TRPCClientError.from({ error: { code: -32603, message, data } }, { meta: { response } });
}
