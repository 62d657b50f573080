import { createServer } from "node:http";
import { parseArgs } from "node:util";
import express from "express";
import { fastify } from "fastify";
import pg from "pg";
import { type ListQuery, readList } from "./bare-list-query.ts";
import { LIST_SCHEMA } from "./bare-list-schema.ts";
import { listen } from "./listen.ts";

/**
 * What lists of hosts cost at least with a framework and `pg`, each as its manual shows it:
 * node bench/harness/bare-list.ts DATABASE-URL --with http|express|fastify
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { with: { type: "string", default: "http" } },
});
const SERVERS: Readonly<Record<string, () => Promise<string>>> = {
  http: serveWithHttp,
  express: serveWithExpress,
  fastify: serveWithFastify,
};
const [connectionString] = positionals;
const serve = SERVERS[values.with];
if (connectionString === undefined || serve === undefined) {
  throw new Error("usage: node bench/harness/bare-list.ts DATABASE-URL --with http|express|fastify");
}
const pool = new pg.Pool({ connectionString, max: 10 });
console.log(`listening on ${await serve()}`);

async function serveWithHttp(): Promise<string> {
  const server = createServer(async (request, response) => {
    const query = Object.fromEntries(new URL(request.url ?? "/", "http://localhost").searchParams);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(await readList(pool, listQuery(query))));
  });
  return await listen(server);
}

async function serveWithExpress(): Promise<string> {
  const app = express();
  app.get("/api/hosts", async (request, response) => {
    response.json(await readList(pool, listQuery(request.query)));
  });
  return await listen(createServer(app));
}

async function serveWithFastify(): Promise<string> {
  const app = fastify();
  app.get<{ Querystring: Record<string, unknown> }>(
    "/api/hosts",
    { schema: { response: { 200: LIST_SCHEMA } } },
    (request) => readList(pool, listQuery(request.query)),
  );
  return await app.listen({ port: 0, host: "127.0.0.1" });
}

function listQuery({ page, limit, search, user }: Readonly<Record<string, unknown>>): ListQuery {
  return { page: Number(page ?? 1), limit: Number(limit ?? 20), search: textOf(search), user: textOf(user) };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
