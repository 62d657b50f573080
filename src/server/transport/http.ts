import cors from "cors";
import express, { type ErrorRequestHandler, type Express } from "express";
import type { AppRouter } from "../app-router.ts";
import type { Config } from "../config/config.ts";
import { AppError } from "../core/errors.ts";
import type { App } from "../core/trpc.ts";
import { METHODS, requireKnownMethod, requireOneHost } from "../http/check-request.ts";
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

export interface HttpOptions {
  readonly app: App;
  readonly appRouter: AppRouter;
  readonly config: Pick<Config, "trustProxy" | "publicOrigins" | "metricsToken" | "links">;
  /** Directory of the built console. */
  readonly consoleDir: string;
  isReady(): Promise<boolean>;
}

/** The Express application: everything the process answers over HTTP, in the order in which it is tried. */
export function createHttp({ app, appRouter, config, consoleDir, isReady }: HttpOptions): Express {
  const http = express();
  http.disable("x-powered-by");
  // A path that a proxy blocks as /api must not be reachable as /API.
  http.enable("case sensitive routing");
  http.set("trust proxy", config.trustProxy);
  http.set("etag", false);
  http.use(assignRequestId, securityHeaders(), requireOneHost, requireKnownMethod(app.log));
  http.use(healthRouter({ isReady, metrics: app.metrics, metricsToken: config.metricsToken }));
  http.use(["/api", "/trpc"], (request, response, next) => {
    response.setHeader("Cache-Control", "no-store");
    // Logged only: the browser will not show the answer to that page.
    if (!isOriginAllowed(request, config.publicOrigins)) {
      const { ip } = request;
      app.log.debug(
        { ip, requestId: requestIdOf(response), origin: originForLog(request) },
        "call from a foreign origin",
      );
    }
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
  http.use("/trpc", trpcEndpoint(app, appRouter));
  http.use("/api", openApiRouter(appRouter, consoleDir));
  http.use(
    "/api",
    restRouter(appRouter, (request, response) => httpContext(app, request, response)),
  );
  http.use(["/api", "/trpc"], (_request, response) => {
    sendFailure(response, new AppError("NOT_FOUND", "请求的接口不存在"), requestIdOf(response));
  });
  // Only files from here on.
  http.use(readOnly);
  http.get("/console.json", (_request, response) => {
    response.setHeader("Cache-Control", "no-cache");
    response.json(config.links);
  });
  http.use(staticConsole(consoleDir));
  http.use((_request, response) => sendFailure(response, new AppError("NOT_FOUND"), requestIdOf(response)));
  http.use(unhandledError(app));
  return http;
}

/** Errors of Express itself, such as broken percent-encoding, are 400; any other is a defect. */
function unhandledError(app: App): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const requestId = requestIdOf(response);
    const isBadRequest =
      error instanceof URIError || (error instanceof Error && "status" in error && error.status === 400);
    if (isBadRequest) return sendFailure(response, new AppError("INVALID_INPUT"), requestId);
    app.log.error({ err: error, method: request.method, requestId }, "unhandled error in a request");
    sendFailure(response, error, requestId);
  };
}
