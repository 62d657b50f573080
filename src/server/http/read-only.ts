import type { RequestHandler } from "express";
import { AppError } from "../core/errors.ts";
import { sendFailure } from "../rest/send-failure.ts";
import { requestIdOf } from "./request-context.ts";

/** For what can only be read: every other method is refused, whatever the path. */
export const readOnly: RequestHandler = (request, response, next) => {
  if (request.method === "GET" || request.method === "HEAD") return next();
  response.setHeader("Allow", "GET, HEAD");
  sendFailure(response, new AppError("METHOD_NOT_ALLOWED"), requestIdOf(response));
};
