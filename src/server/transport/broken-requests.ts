import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { AppError } from "../core/errors.ts";
import { refuseConnection } from "../http/refuse-connection.ts";

/** The client may read a refusal for so many ms before its connection is destroyed. */
const REFUSAL_MS = 1_000;
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?$/;

/** Answers what never becomes a request: late or malformed bytes and tunnels. Each ends its connection. */
export function refuseBrokenRequests(server: Server, onTimeout: () => void): void {
  const newestResponse = new WeakMap<Duplex, ServerResponse>();
  server.prependListener("request", (request, response) => newestResponse.set(request.socket, response));
  server.on("clientError", (error, connection) => {
    const isTimeout = codeOf(error) === "ERR_HTTP_REQUEST_TIMEOUT";
    if (isTimeout) onTimeout();
    if (!mayAnswer(newestResponse.get(connection))) connection.destroy();
    else if (isTimeout) refuse(connection, new AppError("INVALID_INPUT", "请求未在规定时间内发送完毕"), 408);
    else refuse(connection, isUnknownMethod(error) ? methodNotAllowed() : new AppError("INVALID_INPUT"));
  });
  // Without this listener Node closes tunnels without an answer.
  server.on("connect", (_request, connection) => refuse(connection, methodNotAllowed()));
}

/** False while an earlier answer is under way, or when the broken request has been answered already. */
function mayAnswer(newest: ServerResponse | undefined): boolean {
  if (newest === undefined) return true;
  return newest.req.complete ? newest.writableFinished : !newest.headersSent;
}

function refuse(connection: Duplex, failure: AppError, status?: number): void {
  refuseConnection(connection, failure, status);
  setTimeout(() => connection.destroy(), REFUSAL_MS).unref();
}

function methodNotAllowed(): AppError {
  return new AppError("METHOD_NOT_ALLOWED");
}

/** A well-formed request line whose method the parser does not know. */
function isUnknownMethod(error: Error): boolean {
  if (codeOf(error) !== "HPE_INVALID_METHOD" || !("rawPacket" in error && Buffer.isBuffer(error.rawPacket)))
    return false;
  const [firstLine = ""] = error.rawPacket.toString("latin1").split("\n", 1);
  return REQUEST_LINE.test(firstLine);
}

function codeOf(error: Error): unknown {
  return "code" in error ? error.code : undefined;
}
