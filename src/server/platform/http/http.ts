import type { AnyTRPCRouter } from "@trpc/server";
import cors from "cors";
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import helmet from "helmet";
import type { Config } from "../environment/config.ts";
import { AppError } from "../errors.ts";
import { once } from "../once.ts";
import type { App } from "../trpc/context.ts";
import { BodyBudget } from "./body-budget.ts";
import { compressReads } from "./compress-reads.ts";
import { healthRouter } from "./health.ts";
import { assignRequestId, requestIdOf } from "./request-context.ts";
import { restRouter } from "./rest/bridge.ts";
import { createOpenApiDocument } from "./rest/openapi.ts";
import { SERVED_METHODS, sendError, sendMethodNotAllowed } from "./send-error.ts";
import { staticConsole } from "./static-console.ts";
import { trpcEndpoint } from "./trpc-endpoint.ts";

/**
 * Whether the address that is `hop` connections away from the server belongs to a trusted proxy.
 */
export type TrustsProxy = (address: string, hop: number) => boolean;

export interface HttpOptions {
  readonly app: App;
  readonly router: AnyTRPCRouter;
  readonly config: Pick<Config, "publicOrigins" | "metricsToken" | "links">;
  readonly trustsProxy: TrustsProxy;
  readonly consoleDir: string;
  isReady(): Promise<boolean>;
  /**
   * While true, every answer closes its connection, so that a proxy keeps none that is about to
   * end.
   */
  isStopping(): boolean;
}

/**
 * The Express application: everything the process answers over HTTP, in the order in which it is
 * tried.
 */
export function createHttp(options: HttpOptions): Express {
  const { app, router, config, trustsProxy, consoleDir, isReady, isStopping } = options;
  const http = express();
  http.disable("x-powered-by");
  // A path that a proxy blocks as /api must not be reachable as /API.
  http.enable("case sensitive routing");
  http.set("trust proxy", trustsProxy);
  http.set("etag", false);
  http.use((_request, response, next) => {
    if (isStopping()) response.setHeader("Connection", "close");
    next();
  });
  http.use(assignRequestId, ...securityHeaders(), refuseTwoHosts);
  http.use(healthRouter({ isReady, metrics: app.metrics, metricsToken: config.metricsToken }));

  const bodies = new BodyBudget();
  const exposedHeaders = ["X-Request-Id", "Retry-After", "Content-Disposition"];
  http.use(
    ["/api", "/trpc"],
    noStore,
    cors({ origin: [...config.publicOrigins], maxAge: 600, exposedHeaders }),
    compressReads,
  );
  http.use("/trpc", trpcEndpoint(app, router, bodies));
  http.use(["/api/openapi.json", "/api/docs"], readOnly);
  http.get("/api/openapi.json", openApiDocument(router));
  http.get(["/api/docs", "/api/docs/"], docsPage);
  http.use("/api", restRouter(app, router, bodies));
  http.use(["/api", "/trpc"], (request, response) => {
    if (!SERVED_METHODS.includes(request.method))
      return sendMethodNotAllowed(response, SERVED_METHODS);
    throw new AppError("NOT_FOUND", "请求的接口不存在");
  });

  http.use(readOnly);
  http.get("/console.json", (_request, response) => {
    response.set("Cache-Control", "no-cache").json(config.links);
  });
  http.use(staticConsole(consoleDir), () => {
    throw new AppError("NOT_FOUND");
  });
  http.use(handleError(app));
  return http;
}

/**
 * Strict headers for everything: no inline script, no framing, no sniffing; HSTS only where the
 * request came by https.
 */
function securityHeaders(): RequestHandler[] {
  const self = ["'self'"];
  const none = ["'none'"];
  const always = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: self,
        scriptSrc: self,
        // Radix and Sonner insert `<style>` elements.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:"],
        objectSrc: none,
        baseUri: none,
        formAction: self,
        frameAncestors: none,
      },
    },
    frameguard: { action: "deny" },
    referrerPolicy: { policy: "no-referrer" },
    strictTransportSecurity: false,
  });
  const hsts = helmet.hsts({ maxAge: 31_536_000, includeSubDomains: true });
  return [
    always,
    (request, response, next) => (request.secure ? hsts(request, response, next) : next()),
  ];
}

/** A proxy and this server might each choose another one of two hosts. */
const refuseTwoHosts: RequestHandler = ({ headersDistinct: { host = [] } }, _response, next) => {
  if (host.length > 1) throw new AppError("INVALID_INPUT");
  next();
};

const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader("Cache-Control", "no-store");
  next();
};

function openApiDocument(router: AnyTRPCRouter): RequestHandler {
  const text = once(() => JSON.stringify(createOpenApiDocument(router)));
  return (_request, response) => {
    response.set("Cache-Control", "no-cache").type("json").send(text());
  };
}

/**
 * The page that shows the API document is one of the built files, from src/client/api-docs.html.
 */
const docsPage: RequestHandler = (request, _response, next) => {
  request.url = "/api-docs.html";
  next();
};

const readOnly: RequestHandler = (request, response, next) => {
  if (request.method === "GET" || request.method === "HEAD") next();
  else sendMethodNotAllowed(response, ["GET", "HEAD"]);
};

/**
 * Errors of Express itself, such as broken percent-encoding, are 400; any other that is not
 * expected is a bug.
 */
function handleError({ log }: App): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const isBadRequest =
      error instanceof URIError ||
      (error instanceof Error && "status" in error && error.status === 400);
    if (isBadRequest) return sendError(response, new AppError("INVALID_INPUT"));
    if (!(error instanceof AppError)) {
      log.error(
        { err: error, method: request.method, requestId: requestIdOf(response) },
        "unhandled error in a request",
      );
    }
    sendError(response, error);
  };
}
