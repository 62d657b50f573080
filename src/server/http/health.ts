import { createHash, timingSafeEqual } from "node:crypto";
import express, { type Request, type Router } from "express";
import { AppError } from "../core/errors.ts";
import type { Metrics } from "../core/metrics.ts";
import { sendFailure } from "../rest/send-failure.ts";
import { bearerToken, requestIdOf } from "./request-context.ts";

export interface Health {
  /** True while the process should get requests: the database answers, migrations are done, it is not shutting down. */
  isReady(): Promise<boolean>;
  readonly metrics: Metrics;
  readonly metricsToken: string | null;
}

/** /healthz, /readyz and /metrics: for machines, without a session. */
export function healthRouter({ isReady, metrics, metricsToken }: Health): Router {
  // With a slash at the end, too: the console's page would tell a probe that all is well.
  const routes = express.Router({ caseSensitive: true });
  routes.get("/healthz", (_request, response) => {
    response.setHeader("Cache-Control", "no-store");
    response.json({ status: "ok" });
  });
  routes.get("/readyz", async (_request, response) => {
    const ready = await isReady();
    response.setHeader("Cache-Control", "no-store");
    if (!ready) response.setHeader("Retry-After", "5");
    response.status(ready ? 200 : 503).json({ status: ready ? "ready" : "unavailable" });
  });
  routes.get("/metrics", async (request, response) => {
    if (!mayReadMetrics(request, metricsToken)) {
      return sendFailure(response, new AppError("FORBIDDEN", "没有权限查看指标"), requestIdOf(response));
    }
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return routes;
}

/** With a token: whoever has it. Without: this machine only, which nobody is who comes through a proxy. */
function mayReadMetrics(request: Request, metricsToken: string | null): boolean {
  if (metricsToken === null) return isFromHere(request);
  return timingSafeEqual(digest(bearerToken(request) ?? ""), digest(metricsToken));
}

/**
 * A proxy on this machine would make everybody local: what it says counts where it is trusted, and that it is there where it is not. One
 * that says nothing passes on the name that the outside knows us by.
 */
function isFromHere(request: Request): boolean {
  const address = request.socket.remoteAddress;
  const isTrusted: (address: string | undefined, hop: number) => boolean = request.app.get("trust proxy fn");
  if (!isTrusted(address, 0) && Object.keys(request.headers).some(isOfProxy)) return false;
  return isLoopback(address) && isLoopback(request.ip) && isAskedByLocalName(request);
}

function isOfProxy(header: string): boolean {
  return ["forwarded", "via", "x-real-ip"].includes(header) || header.startsWith("x-forwarded-");
}

function isAskedByLocalName({ headers: { host = "" } }: Request): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return /(^|\.)localhost$/.test(hostname) || isLoopback(hostname.replace(/^\[|\]$/g, ""));
}

function isLoopback(address = ""): boolean {
  return /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address);
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
