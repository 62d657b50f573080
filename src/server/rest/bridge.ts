import { callTRPCProcedure } from "@trpc/server";
import express, { type Request, type Response, type Router } from "express";
import { AppError, invalidField } from "../core/errors.ts";
import type { RequestContext } from "../core/trpc.ts";
import { readJsonObject } from "./body.ts";
import { type AnyAppRouter, type BridgedProcedure, bridgedProcedures } from "./procedures.ts";
import { fieldKinds, readQuery, searchOf } from "./query.ts";
import { sendFailure } from "./send-failure.ts";

type CreateContext = (request: Request, response: Response) => RequestContext;

/** Serves every procedure that names a REST route. One definition of input, output and permission; this only carries it. */
export function restRouter(appRouter: AnyAppRouter, createContext: CreateContext): Router {
  const rest = express.Router({ caseSensitive: true, strict: true });
  const procedures = bridgedProcedures(appRouter).sort(bySpecificity);
  for (const path of new Set(procedures.map(({ route }) => route.path))) {
    const served = procedures.filter(({ route }) => route.path === path);
    for (const procedure of served) serve(rest, appRouter, procedure, createContext);
    // Before the next path is tried: a parameter there would match this path too.
    rest.all(expressPath(path), (request, response) => {
      response.setHeader(
        "Allow",
        served.flatMap(({ route: { method } }) => (method === "GET" ? [method, "HEAD"] : [method])).join(", "),
      );
      sendFailure(response, new AppError("METHOD_NOT_ALLOWED"), createContext(request, response).requestId);
    });
  }
  return rest;
}

function serve(rest: Router, appRouter: AnyAppRouter, procedure: BridgedProcedure, createContext: CreateContext): void {
  const { route, path, type } = procedure;
  const kinds = fieldKinds(procedure.input);
  rest[VERBS[route.method]](expressPath(route.path), async (request, response) => {
    const ctx = createContext(request, response);
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
        getRawInput: () => readInput(request, procedure, kinds),
      });
      response.status(route.status ?? 200).json(route.raw ? answer : { data: answer });
    } catch (error) {
      sendFailure(response, error, ctx.requestId);
    }
  });
}

const VERBS = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const;

async function readInput(
  request: Request,
  { route, input }: BridgedProcedure,
  kinds: ReturnType<typeof fieldKinds>,
): Promise<unknown> {
  const search = readQuery(searchOf(request.url), kinds);
  const hasBody = route.method !== "GET";
  const body = hasBody ? await readJsonObject(request) : {};
  for (const name of Object.keys(search)) {
    const expected = hasBody ? route.query?.includes(name) : kinds.has(name) && !Object.hasOwn(request.params, name);
    if (!expected) throw invalidField(name, `不支持的参数 ${name}`);
  }
  for (const name of Object.keys(body)) {
    const misplaced = Object.hasOwn(request.params, name) || route.query?.includes(name);
    if (misplaced) throw invalidField(name, `请求内容中不支持 ${name}`);
  }
  const fields = { ...body, ...search, ...request.params };
  return input === undefined && Object.keys(fields).length === 0 ? undefined : fields;
}

function expressPath(path: string): string {
  return path.replace(/^\/api/, "").replace(/\{(\w+)\}/g, ":$1");
}

/** Static segments before parameters, so that /hosts/sync-runs is not taken for a host's id. */
function bySpecificity(one: BridgedProcedure, other: BridgedProcedure): number {
  return parameters(one) - parameters(other);
}

function parameters({ route }: BridgedProcedure): number {
  return route.path.split("{").length;
}
