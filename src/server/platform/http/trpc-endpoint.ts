import { pipeline } from "node:stream/promises";
import type { AnyTRPCRouter } from "@trpc/server";
import { resolveResponse } from "@trpc/server/http";
import type {
  Request as ExpressRequest,
  Response as ExpressResponse,
  RequestHandler,
} from "express";
import { AppError } from "../errors.ts";
import { toAppError, toTrpcError } from "../failures.ts";
import type { App } from "../trpc/context.ts";
import type { BodyBudget } from "./body-budget.ts";
import { announcesJson, announcesTooMuch, assertUtf8, readBody } from "./read-body.ts";
import { httpContext } from "./request-context.ts";
import { listProcedures } from "./rest/routes.ts";
import { leavesBodyUnread } from "./send-error.ts";

const MAX_BATCH_SIZE = 20;
const METHODS = ["GET", "HEAD", "POST"];
/** tRPC asks for a whole address, and reads only its query. */
const ORIGIN = "http://localhost/";

type ResolveOptions = Parameters<typeof resolveResponse<AnyTRPCRouter>>[0];
type HttpCall = Pick<ResolveOptions, "req" | "path" | "error" | "createContext">;

/**
 * tRPC over HTTP.
 *
 * tRPC's adapter for Express reads a body as soon as it comes, before anybody has checked the
 * session. Here a body is read when the first procedure asks for its input. All but the public ones
 * do so after that check, so that strangers cannot fill the budget of bodies with calls that they
 * may not make.
 */
export function trpcEndpoint(app: App, router: AnyTRPCRouter, bodies: BodyBudget): RequestHandler {
  const isPublic = new Map(
    listProcedures(router).map(({ path, meta }) => [path, meta.policy === "public"]),
  );

  function callOf(request: ExpressRequest, response: ExpressResponse): HttpCall {
    const sender = { ip: request.ip ?? "", isSignedIn: false };

    async function read(): Promise<Uint8Array<ArrayBuffer>> {
      const body = await readBody(request, bodies.open(sender));
      assertUtf8(body);
      return body;
    }

    return {
      req: toFetchRequest(request, response, read),
      path: request.path.slice(1),
      error: null,
      async createContext({ info }) {
        sender.isSignedIn = !info.calls.some(({ path }) => isPublic.get(path));
        return httpContext(app, request, response);
      },
    };
  }

  function refusedCall(
    error: AppError,
    request: ExpressRequest,
    response: ExpressResponse,
  ): HttpCall {
    return {
      req: new Request(ORIGIN),
      path: "",
      error: toTrpcError(error),
      createContext: async () => httpContext(app, request, response),
    };
  }

  return async (request, response) => {
    const refusal = refusalOf(request);
    const call =
      refusal === null ? callOf(request, response) : refusedCall(refusal, request, response);
    // Before anything is read: what changes meanwhile must come after this id.
    const lastEventId = app.lastEventId();

    const answer = await resolveResponse({
      ...call,
      router,
      maxBatchSize: MAX_BATCH_SIZE,
      responseMeta: (outcome) => ({ headers: headersOf(outcome, lastEventId) }),
    });
    await send(answer, response);
  };
}

/**
 * What is refused without a look at the call: another method, and a body that announces too many
 * bytes, or something else than JSON in UTF-8. tRPC would read a compressed body, and one in another
 * charset, as if it were that, and would also take forms.
 */
function refusalOf(request: ExpressRequest): AppError | null {
  if (!METHODS.includes(request.method)) return new AppError("METHOD_NOT_ALLOWED");
  if (request.method !== "POST") return null;
  if (announcesTooMuch(request)) return new AppError("PAYLOAD_TOO_LARGE");
  return announcesJson(request) ? null : new AppError("UNSUPPORTED_MEDIA_TYPE");
}

function toFetchRequest(
  request: ExpressRequest,
  response: ExpressResponse,
  read: () => Promise<Uint8Array<ArrayBuffer>>,
): Request {
  const address = new URL(ORIGIN);
  address.search = request.url.replace(/^[^?]*/, "");

  const headers = new Headers();
  for (const name of ["content-type", "accept", "trpc-accept"]) {
    const value = request.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }

  const aborted = new AbortController();
  response.once("close", () => aborted.abort());

  const call = { method: request.method, headers, signal: aborted.signal };
  if (request.method !== "POST") return new Request(address, call);
  const streamed = { ...call, body: streamOf(read), duplex: "half" } as const;
  return new Request(address, streamed);
}

/** A stream that begins to read when somebody reads from it. */
function streamOf(read: () => Promise<Uint8Array<ArrayBuffer>>): ReadableStream {
  async function pull(controller: ReadableStreamDefaultController): Promise<void> {
    controller.enqueue(await read());
    controller.close();
  }

  return new ReadableStream({ pull }, { highWaterMark: 0 });
}

type Outcome = Parameters<NonNullable<ResolveOptions["responseMeta"]>>[0];

/**
 * With a `Last-Event-Id` for whoever was answered: a stream that is opened after this event brings
 * whatever has changed since the answer, so that nothing has to be read again. Strangers are not
 * told how much happens here.
 */
function headersOf({ errors, info }: Outcome, lastEventId: string): Headers {
  const failures = errors.map(toAppError);
  const waits = failures.flatMap(({ retryAfter = [] }) => retryAfter);
  const headers = new Headers();
  if (failures.length === 0) headers.set("last-event-id", lastEventId);
  if (waits.length > 0) headers.set("retry-after", String(Math.max(...waits)));
  if (failures.some(({ code }) => leavesBodyUnread(code))) headers.set("connection", "close");
  if (failures.some(({ code }) => code === "METHOD_NOT_ALLOWED"))
    headers.set("allow", METHODS.join(", "));
  // tRPC sets no type when it cannot read which calls were meant.
  if (info === undefined) headers.set("content-type", "application/json");
  return headers;
}

async function send(answer: Response, response: ExpressResponse): Promise<void> {
  response.status(answer.status).setHeaders(answer.headers);
  // Whole, so that its length is known, unless the caller asked for a stream.
  if (answer.body === null || !answer.headers.has("transfer-encoding")) {
    response.end(await answer.text());
    return;
  }
  try {
    await pipeline(answer.body, response);
  } catch (error) {
    // A caller who hangs up.
    if (!response.destroyed) throw error;
  }
}
