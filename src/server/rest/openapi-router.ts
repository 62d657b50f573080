import express, { type Request, type Router } from "express";
import { readOnly } from "../http/read-only.ts";
import { createOpenApiDocument } from "./openapi.ts";
import { sendContent, toContent } from "./openapi-content.ts";
import { readPageFiles } from "./openapi-page.ts";
import type { AnyAppRouter } from "./procedures.ts";

/** `/openapi.json`, and at `/docs` the page that shows it; for everybody. Both are made on first use and kept. */
export function openApiRouter(appRouter: AnyAppRouter): Router {
  const routes = express.Router({ caseSensitive: true, strict: true });
  const readDocument = once(() => toContent("application/json; charset=utf-8", documentText(appRouter)));
  const readPage = once(readPageFiles);

  routes.use(["/openapi.json", "/docs"], readOnly);
  routes.get("/openapi.json", async (request, response) => sendContent(request, response, await readDocument()));
  routes.get(["/docs", "/docs/", "/docs/:name"], async (request: Request<{ name?: string }>, response, next) => {
    const file = (await readPage()).get(request.params.name ?? "index.html");
    if (file === undefined) return next();
    sendContent(request, response, file);
  });
  return routes;
}

function documentText(appRouter: AnyAppRouter): Buffer {
  return Buffer.from(JSON.stringify(createOpenApiDocument(appRouter)));
}

/** One attempt serves everybody; a failed one is made again. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
