import { createExpressMiddleware } from "@trpc/server/adapters/express";
import express, { type RequestHandler, type Router } from "express";
import type { AppRouter } from "../app-router.ts";
import { AppError } from "../core/errors.ts";
import { toAppError } from "../core/failures.ts";
import type { IsFirstInAMinute } from "../core/once-a-minute.ts";
import type { App } from "../core/trpc.ts";
import { assertShallow, readText } from "../rest/body.ts";
import { listProcedures } from "../rest/procedures.ts";
import { httpContext } from "./request-context.ts";
import { sendTrpcFailure } from "./send-trpc-failure.ts";
import { MAX_BATCH_SIZE, trpcCalls } from "./trpc-calls.ts";

/** tRPC over HTTP, with batching. Bodies are bounded and their depth is checked before anything recursive sees them. */
export function trpcEndpoint(app: App, appRouter: AppRouter, isFirstInAMinute: IsFirstInAMinute): Router {
  const endpoint = express.Router({ caseSensitive: true, strict: true });
  endpoint.use(withoutSubscriptions(app, appRouter), boundedText(app, appRouter, isFirstInAMinute));
  endpoint.use(
    createExpressMiddleware({
      router: appRouter,
      maxBatchSize: MAX_BATCH_SIZE,
      createContext: ({ req, res }) => httpContext(app, req, res),
      responseMeta: ({ errors }) => {
        const retryAfter = errors.some(
          (error) => error.code === "SERVICE_UNAVAILABLE" || error.code === "TOO_MANY_REQUESTS",
        );
        return retryAfter ? { headers: new Headers({ "retry-after": "5" }) } : {};
      },
    }),
  );
  return endpoint;
}

/** Subscriptions run over WebSocket only, where sockets are counted and die with their sessions. */
function withoutSubscriptions(app: App, appRouter: AppRouter): RequestHandler {
  const names = listProcedures(appRouter).flatMap(({ path, type }) => (type === "subscription" ? [path] : []));
  return async (request, response, next) => {
    const calls = trpcCalls(request);
    if (!calls.names.some((name) => names.includes(name))) return next();
    const ctx = httpContext(app, request, response);
    const caller = ctx.token === null ? null : await app.findCaller(app.orm.em.fork(), ctx.token);
    const refusal =
      caller === null
        ? new AppError("UNAUTHENTICATED")
        : new AppError("METHOD_NOT_ALLOWED", "事件订阅请使用 WebSocket 连接");
    sendTrpcFailure(response, refusal, { appRouter, ctx, calls });
  };
}

function boundedText(app: App, appRouter: AppRouter, isFirstInAMinute: IsFirstInAMinute): RequestHandler {
  return async (request, response, next) => {
    // Before the body is read: a request that was cut off has no address any more.
    const ctx = httpContext(app, request, response);
    const calls = trpcCalls(request);
    try {
      if (request.method === "POST") request.body = await readText(request);
      assertShallow(calls.input ?? "");
      if (typeof request.body === "string") assertShallow(request.body);
      next();
    } catch (error) {
      const { ip, requestId } = ctx;
      if (toAppError(error).code === "PAYLOAD_TOO_LARGE" && isFirstInAMinute("oversized body", ip)) {
        app.log.warn({ ip, requestId }, "oversized body refused");
      }
      sendTrpcFailure(response, error, { appRouter, ctx, calls });
    }
  };
}
