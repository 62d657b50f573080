import { createHash, timingSafeEqual } from "node:crypto";
import express, { type Router } from "express";
import { AppError } from "../errors.ts";
import type { Metrics } from "../metrics.ts";
import { bearerToken } from "./request-context.ts";
import { sendError } from "./send-error.ts";

export interface Health {
  /**
   * True while the process should get requests: the database answers, migrations are done, it is
   * not shutting down.
   */
  isReady(): Promise<boolean>;
  readonly metrics: Metrics;
  readonly metricsToken: string | null;
}

export function healthRouter({ isReady, metrics, metricsToken }: Health): Router {
  // Not strict: the console's page must not answer a probe of `/healthz/`.
  const routes = express.Router({ caseSensitive: true });
  routes.get("/healthz", (_request, response) => {
    response.set("Cache-Control", "no-store").json({ status: "ok" });
  });
  routes.get("/readyz", async (_request, response) => {
    const ready = await isReady();
    if (!ready) response.setHeader("Retry-After", "5");
    response.set("Cache-Control", "no-store");
    response.status(ready ? 200 : 503).json({ status: ready ? "ready" : "unavailable" });
  });
  routes.get("/metrics", async (request, response) => {
    if (metricsToken === null) return sendError(response, new AppError("NOT_FOUND"));
    if (!timingSafeEqual(digest(bearerToken(request) ?? ""), digest(metricsToken))) {
      return sendError(response, new AppError("FORBIDDEN", "没有权限查看指标"));
    }
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return routes;
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
