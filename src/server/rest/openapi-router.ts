import { createHash } from "node:crypto";
import express, { type Router } from "express";
import { readOnly } from "../http/read-only.ts";
import { createOpenApiDocument } from "./openapi.ts";
import type { AnyAppRouter } from "./procedures.ts";

/** `/openapi.json`, and at `/docs` the page that shows it, built from src/client/api-docs.html. Both need no session. */
export function openApiRouter(appRouter: AnyAppRouter, consoleDir: string): Router {
  const routes = express.Router({ caseSensitive: true, strict: true });
  let document: { readonly text: string; readonly etag: string } | undefined;
  routes.use(["/openapi.json", "/docs"], readOnly, (_request, response, next) => {
    response.setHeader("Cache-Control", "no-cache");
    next();
  });
  routes.get("/openapi.json", (_request, response) => {
    document ??= serializeDocument(appRouter);
    response.setHeader("ETag", document.etag);
    response.type("json").send(document.text);
  });
  routes.get(["/docs", "/docs/"], (_request, response, next) => {
    response.sendFile("api-docs.html", { root: consoleDir }, (error) => {
      if (error !== undefined && !response.headersSent) next();
    });
  });
  return routes;
}

function serializeDocument(appRouter: AnyAppRouter) {
  const text = JSON.stringify(createOpenApiDocument(appRouter));
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url")}"` };
}
