import type { RequestHandler } from "express";
import { AppError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { sendFailure } from "../rest/send-failure.ts";
import { requestIdOf } from "./request-context.ts";

export const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"] as const;

/** RFC 9112: an HTTP/1.1 request names exactly one host. A proxy and this server might each choose another of two. */
export const requireOneHost: RequestHandler = (request, response, next) => {
  const { rawHeaders, httpVersion } = request;
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
  if (hosts === 1 || (hosts === 0 && httpVersion !== "1.1")) return next();
  response.setHeader("Connection", "close");
  sendFailure(response, new AppError("INVALID_INPUT"), requestIdOf(response));
};

export function requireKnownMethod(log: Log): RequestHandler {
  const known = new Set<string>(METHODS);
  return (request, response, next) => {
    const { method, ip } = request;
    if (known.has(method)) return next();
    const requestId = requestIdOf(response);
    log.debug({ ip, requestId, method }, "unknown method refused");
    response.setHeader("Allow", METHODS.join(", "));
    sendFailure(response, new AppError("METHOD_NOT_ALLOWED"), requestId);
  };
}
