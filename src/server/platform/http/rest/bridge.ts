import { callTRPCProcedure } from "@trpc/server";
import express, { type Router } from "express";
import { once } from "../../once.ts";
import type { App } from "../../trpc/context.ts";
import { Download } from "../../trpc/download.ts";
import type { BodyBudget } from "../body-budget.ts";
import { httpContext } from "../request-context.ts";
import { sendError, sendMethodNotAllowed } from "../send-error.ts";
import { inputReader } from "./read-input.ts";
import { type AnyAppRouter, type RestProcedure, restProcedures, VERBS } from "./routes.ts";
import { sendDownload } from "./send-download.ts";

/** Every procedure that has a `rest` in its meta, under the path and the method that it names. */
export function restRouter(app: App, appRouter: AnyAppRouter, bodies: BodyBudget): Router {
  const rest = express.Router({ caseSensitive: true, strict: true });
  const byPath = Map.groupBy(restProcedures(appRouter), ({ route }) => route.path);
  // Fixed segments before parameters, so that /hosts/sync-runs is not taken for a host's id.
  const paths = [...byPath].sort(
    ([one], [other]) => one.split("{").length - other.split("{").length,
  );
  for (const [path, served] of paths) {
    for (const procedure of served) {
      serve(rest, app, appRouter, { ...procedure, readInput: inputReader(procedure, bodies) });
    }
    const methods = served.flatMap(({ route: { method } }) =>
      method === "GET" ? [method, "HEAD"] : [method],
    );
    rest.all(expressPath(path), (_request, response) => sendMethodNotAllowed(response, methods));
  }
  return rest;
}

interface ServedProcedure extends RestProcedure {
  readonly readInput: ReturnType<typeof inputReader>;
}

function serve(rest: Router, app: App, appRouter: AnyAppRouter, procedure: ServedProcedure): void {
  const { route, path, type, meta, readInput } = procedure;
  const isFile = meta.answer === "csv";

  rest[VERBS[route.method]](expressPath(route.path), async (request, response) => {
    using download = isFile ? new Download(app, { isHead: request.method === "HEAD" }) : null;
    const ctx = { ...httpContext(app, request, response), download, canUpload: true };
    const aborted = new AbortController();
    response.on("close", () => {
      if (!response.writableFinished) aborted.abort();
    });

    try {
      const answer: unknown = await callTRPCProcedure({
        router: appRouter,
        path,
        type,
        ctx,
        signal: aborted.signal,
        batchIndex: 0,
        getRawInput: once(() => readInput(request)),
      });
      if (download !== null) {
        await sendDownload(app, request, response, { download, call: path });
        return;
      }
      response.status(route.status ?? 200).json(route.raw ? answer : { data: answer });
    } catch (error) {
      sendError(response, error);
    }
  });
}

function expressPath(path: string): string {
  return path.replace(/^\/api/, "").replace(/\{(\w+)\}/g, ":$1");
}
