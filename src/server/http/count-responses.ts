import type { RequestHandler } from "express";
import type { Metrics } from "../core/metrics.ts";

/** Health checks would drown everything else. */
const UNCOUNTED = new Set(["/healthz", "/readyz", "/metrics"]);

/** Counts the answers that no procedure gives; calls are counted where they are made. */
export function countResponses({ responses }: Metrics): RequestHandler {
  return (request, response, next) => {
    const { path } = request;
    response.once("finish", () => {
      if (response.locals.isCall === true || UNCOUNTED.has(path)) return;
      responses.inc({ surface: surfaceOf(path), status: String(response.statusCode) });
    });
    next();
  };
}

function surfaceOf(path: string): "api" | "trpc" | "console" {
  if (/^\/api(\/|$)/.test(path)) return "api";
  return /^\/trpc(\/|$)/.test(path) ? "trpc" : "console";
}
