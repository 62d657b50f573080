import cors from "cors";
import express, { type ErrorRequestHandler, type Express, type Request } from "express";
import type { AppRouter } from "../app-router.ts";
import type { Config } from "../config/config.ts";
import { AppError } from "../core/errors.ts";
import { createOnceAMinute } from "../core/once-a-minute.ts";
import type { App } from "../core/trpc.ts";
import { healthRouter } from "../http/health.ts";
import { readOnly } from "../http/read-only.ts";
import { assignRequestId, httpContext, requestIdOf } from "../http/request-context.ts";
import { securityHeaders } from "../http/security-headers.ts";
import { staticConsole } from "../http/static-console.ts";
import { trpcEndpoint } from "../http/trpc-endpoint.ts";
import { restRouter } from "../rest/bridge.ts";
import { openApiRouter } from "../rest/openapi-router.ts";
import { sendFailure } from "../rest/send-failure.ts";
import { isOriginAllowed, originForLog } from "./origin.ts";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]);

export interface HttpOptions {
  readonly app: App;
  readonly appRouter: AppRouter;
  readonly config: Pick<Config, "trustProxy" | "publicOrigins" | "metricsToken" | "links">;
  /** Directory of the built console. */
  readonly consoleDir: string;
  isReady(): Promise<boolean>;
}

/** Everything this process answers over HTTP, in the order in which it is tried. */
export function createHttp({ app, appRouter, config, consoleDir, isReady }: HttpOptions): Express {
  const isFirstInAMinute = createOnceAMinute();
  const http = express();
  http.disable("x-powered-by");
  // What a proxy in front keeps away from /api must not be reached as /API.
  http.enable("case sensitive routing");
  http.set("trust proxy", config.trustProxy);
  http.set("etag", false);
  http.use(assignRequestId, securityHeaders());
  http.use((request, response, next) => {
    const hosts = hostsNamed(request);
    if (hosts === 1 || (hosts === 0 && request.httpVersion !== "1.1")) return next();
    response.setHeader("Connection", "close");
    sendFailure(response, new AppError("INVALID_INPUT"), requestIdOf(response));
  });
  http.use((request, response, next) => {
    if (METHODS.has(request.method)) return next();
    const { method, ip = "" } = request;
    const requestId = requestIdOf(response);
    if (isFirstInAMinute("method", ip)) app.log.warn({ ip, requestId, method }, "unknown method refused");
    response.setHeader("Allow", [...METHODS].join(", "));
    sendFailure(response, new AppError("METHOD_NOT_ALLOWED"), requestId);
  });
  http.use(healthRouter({ isReady, metrics: app.metrics, metricsToken: config.metricsToken }));
  http.use(["/api", "/trpc"], (request, response, next) => {
    response.setHeader("Cache-Control", "no-store");
    // The browser will not show that page the answer, so nothing needs to be refused.
    if (isOriginAllowed(request, config.publicOrigins)) return next();
    const { ip = "" } = request;
    const requestId = requestIdOf(response);
    if (isFirstInAMinute("foreign origin", ip))
      app.log.warn({ ip, requestId, origin: originForLog(request) }, "call from a foreign origin");
    next();
  });
  http.use(
    ["/api", "/trpc"],
    cors({
      origin: [...config.publicOrigins],
      methods: [...METHODS],
      maxAge: 600,
      exposedHeaders: ["X-Request-Id", "Retry-After"],
    }),
  );
  http.use("/trpc", trpcEndpoint(app, appRouter, isFirstInAMinute));
  http.use("/api", openApiRouter(appRouter));
  http.use(
    "/api",
    restRouter(appRouter, (request, response) => httpContext(app, request, response)),
  );
  http.use(["/api", "/trpc"], (_request, response) => {
    sendFailure(response, new AppError("NOT_FOUND", "请求的接口不存在"), requestIdOf(response));
  });
  // Not at the health checks' own routes: what they leave over would find the console's page.
  http.use(readOnly);
  http.get("/console.json", (_request, response) => {
    response.setHeader("Cache-Control", "no-cache");
    response.json(config.links);
  });
  http.use(staticConsole(consoleDir));
  http.use((_request, response) => sendFailure(response, new AppError("NOT_FOUND"), requestIdOf(response)));
  http.use(lastResort(app));
  return http;
}

/** Two could be two different ones to a proxy and to us. */
function hostsNamed({ rawHeaders }: Request): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
}

/** What Express itself raises (broken percent-encoding, say) and what slipped through everything else. */
function lastResort(app: App): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const isBadRequest =
      error instanceof URIError || (error instanceof Error && "status" in error && error.status === 400);
    if (!isBadRequest)
      app.log.error(
        { err: error, method: request.method, requestId: requestIdOf(response) },
        "unhandled error in a request",
      );
    sendFailure(response, isBadRequest ? new AppError("INVALID_INPUT") : error, requestIdOf(response));
  };
}
