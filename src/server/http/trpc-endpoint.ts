import { createExpressMiddleware } from "@trpc/server/adapters/express";
import express, { type Request, type RequestHandler, type Router } from "express";
import type { AppRouter } from "../app-router.ts";
import { AppError } from "../core/errors.ts";
import { toAppError } from "../core/failures.ts";
import type { App } from "../core/trpc.ts";
import { assertJsonType, readText } from "../rest/body.ts";
import { assertBoundedJson } from "../rest/bounded-json.ts";
import { listProcedures } from "../rest/procedures.ts";
import { isBodyUnread } from "../rest/send-failure.ts";
import { httpContext } from "./request-context.ts";
import { sendTrpcFailure } from "./send-trpc-failure.ts";
import { MAX_BATCH_SIZE, type TrpcCalls, trpcCalls } from "./trpc-calls.ts";
import { type RefusedCalls, refusalOf } from "./trpc-refusal.ts";

/** tRPC over HTTP, with batching. Size and shape of the JSON are checked before anything parses it. */
export function trpcEndpoint(app: App, appRouter: AppRouter): Router {
  const endpoint = express.Router({ caseSensitive: true, strict: true });
  endpoint.use(guard(app, appRouter));
  endpoint.use(
    createExpressMiddleware({
      router: appRouter,
      maxBatchSize: MAX_BATCH_SIZE,
      createContext: ({ req, res }) => httpContext(app, req, res),
      responseMeta({ errors }) {
        const waits = errors.flatMap((error) => toAppError(error).retryAfter ?? []);
        return waits.length === 0 ? {} : { headers: new Headers({ "retry-after": String(Math.max(...waits)) }) };
      },
    }),
  );
  return endpoint;
}

/** Refuses what tRPC must not see; callers without session or role get 401 or 403 instead. */
function guard(app: App, appRouter: AppRouter): RequestHandler {
  const procedures = new Map(listProcedures(appRouter).map((procedure) => [procedure.path, procedure]));
  return async (request, response, next) => {
    // As GET: the response knows already that it has no body.
    if (request.method === "HEAD") request.method = "GET";
    // Before the body is read: a request that was cut off has no address any more.
    const refused = { appRouter, procedures, ctx: httpContext(app, request, response), calls: trpcCalls(request) };
    if (request.method !== "GET" && request.method !== "POST") {
      response.setHeader("Allow", "GET, HEAD, POST");
      return sendTrpcFailure(response, new AppError("METHOD_NOT_ALLOWED"), refused);
    }
    try {
      assertCallable(refused);
      await readBoundedBody(request, refused.calls);
      next();
    } catch (error) {
      // The rest of the body is not read, whatever the answer is.
      if (isBodyUnread(toAppError(error).code)) response.setHeader("Connection", "close");
      // Any other error is a broken connection, which gets no answer.
      sendTrpcFailure(response, error instanceof AppError ? await refusalOf(refused, error) : error, refused);
    }
  };
}

/** Subscriptions run over WebSocket only, where sockets are counted and die with their sessions. The rest tRPC would refuse without a request id. */
function assertCallable({ procedures, calls: { names } }: RefusedCalls): void {
  const types = new Set(names.flatMap((name) => procedures.get(name)?.type ?? []));
  if (types.has("subscription")) throw new AppError("METHOD_NOT_ALLOWED", "事件订阅请使用 WebSocket 连接");
  if (names.length > MAX_BATCH_SIZE) throw new AppError("INVALID_INPUT", `一次请求最多${MAX_BATCH_SIZE}个调用`);
  if (types.size > 1) throw new AppError("INVALID_INPUT", "查询与修改不能在同一次请求中");
}

/** Puts the text of the body into `request.body`; tRPC parses it. */
async function readBoundedBody(request: Request, { input }: TrpcCalls): Promise<void> {
  if (request.method === "POST") {
    request.body = await readText(request);
    // tRPC wants the type of an empty body, too.
    assertJsonType(request);
  }
  assertBoundedJson(input ?? "");
  if (typeof request.body === "string") assertBoundedJson(request.body);
}
