import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ERROR_KINDS, type ErrorBody } from "../../shared/errors.ts";
import type { AppError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";

/** Answers a handshake with a failure, in the same JSON as everywhere, and ends the connection. */
export function refuseUpgrade(connection: Duplex, { code, message, retryAfter }: AppError): void {
  const { status } = ERROR_KINDS[code];
  const body: ErrorBody = { message, code, requestId: newId() };
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(text)}`,
    "Cache-Control: no-store",
    `X-Request-Id: ${body.requestId}`,
    ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
  ];
  connection.on("error", () => connection.destroy());
  connection.once("finish", () => connection.destroy());
  connection.end(`${head.join("\r\n")}\r\n\r\n${text}`);
}
