import type { Request, Response } from "express";
import { v7 as newId } from "uuid";
import type { App, RequestContext } from "../trpc/context.ts";

const REQUEST_ID = "X-Request-Id";

export function assignRequestId(_request: Request, response: Response, next: () => void): void {
  response.setHeader(REQUEST_ID, newId());
  next();
}

export function requestIdOf(response: Response): string {
  return String(response.getHeader(REQUEST_ID));
}

export function httpContext(app: App, request: Request, response: Response): RequestContext {
  return {
    app,
    token: bearerToken(request),
    ip: request.ip ?? "",
    userAgent: request.headers["user-agent"] ?? "",
    requestId: requestIdOf(response),
    download: null,
    canUpload: false,
  };
}

/** The token of `Authorization: Bearer …`; never read from the query string. */
export function bearerToken(request: Request): string | null {
  return (
    /^Bearer +([A-Za-z0-9._~+/=-]{1,200})$/i.exec(request.headers.authorization ?? "")?.[1] ?? null
  );
}
