import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ERROR_KINDS, type ErrorBody } from "../../shared/errors.ts";
import type { AppError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { SECURITY_HEADER_LINES } from "./security-headers.ts";

/**
 * Answers what Express never sees with a failure, in the same JSON as everywhere, and ends our side of the connection. `status` is that of
 * the code unless given. Returns the request id of the answer.
 */
export function refuseConnection(
  connection: Duplex,
  failure: AppError,
  status: number = ERROR_KINDS[failure.code].status,
): string {
  const { code, message, retryAfter } = failure;
  const requestId = newId();
  const body: ErrorBody = { message, code, requestId };
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(text)}`,
    "Cache-Control: no-store",
    `X-Request-Id: ${requestId}`,
    ...SECURITY_HEADER_LINES,
    ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
  ];
  if (!connection.writable) {
    connection.destroy();
    return requestId;
  }
  connection.on("error", () => connection.destroy());
  connection.end(`${head.join("\r\n")}\r\n\r\n${text}`);
  return requestId;
}
