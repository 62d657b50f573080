import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type Config, lintFromString, loadConfig } from "@redocly/openapi-core";
import { v7 as newId } from "uuid";
import { beforeAll, describe, expect, it } from "vitest";
import { appRouter } from "../../src/server/app-router.ts";
import { createOpenApiDocument } from "../../src/server/platform/http/rest/openapi.ts";
import { restProcedures } from "../../src/server/platform/http/rest/routes.ts";
import { useApp } from "../harness/app.ts";
import { apiContract } from "../harness/contract.ts";
import { buildConfig, buildUser } from "../harness/data.ts";
import { ROOT } from "../harness/programs.ts";

const CHINESE = /\p{Script=Han}/u;
const METHODS = ["get", "post", "put", "delete"] as const;

const { document, violation } = apiContract();
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [{ path, method, operation }];
  }),
);
const procedures = new Map(
  restProcedures(appRouter).map((procedure) => [procedure.path, procedure]),
);
// The only test with a page of the built console. The server reads it at its start.
beforeAll(() => {
  execFileSync(process.execPath, ["scripts/build-console.ts"], { cwd: ROOT });
});
const app = useApp();

describe("the API document", () => {
  it("is served without a session and can only be read", async () => {
    const { status, headers, body } = await app.anonymous.get("/api/openapi.json");
    expect([status, headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect(body).toEqual(JSON.parse(JSON.stringify(createOpenApiDocument(appRouter))));
    expect(headers.get("cache-control")).toBe("no-cache");
    expect(document.servers.map(({ url }) => url)).toEqual(["/"]);
    const refused = await app.root.raw("PUT", "/api/openapi.json", { body: "{}" });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("lists every procedure with a route once, and other methods are refused", async () => {
    expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(
      [...procedures.keys()].sort(),
    );
    for (const [path, item] of Object.entries(document.paths)) {
      const target = path.replace(/\{\w+\}/g, newId());
      for (const method of METHODS) {
        const { status, data } = await app.anonymous.raw(method.toUpperCase(), target);
        const served = item[method]?.security === undefined ? "UNAUTHENTICATED" : "INVALID_INPUT";
        const expected = item[method] === undefined ? "METHOD_NOT_ALLOWED" : served;
        expect([method, path, status < 300, data.code]).toEqual([method, path, false, expected]);
      }
    }
  });

  it.each([
    ["auth.login", "所有人，无需登录"],
    ["hosts.list", "超级管理员、管理员、C端用户"],
    ["users.list", "超级管理员、管理员"],
    ["hosts.sync", "超级管理员"],
    ["renewals.create", "C端用户"],
  ])("says who may call %s: %s", (name, callers) => {
    const { operation } = operations.find(({ operation }) => operation.operationId === name) ?? {};
    expect(operation?.description.endsWith(`**可调用**：${callers}。`)).toBe(true);
  });

  it("passes Redocly's rules recommended-strict", async () => {
    const config = await loadConfig({
      configPath: join(import.meta.dirname, "../../redocly.yaml"),
    });

    expect(
      await lint(document, config),
      "schemas in src/shared; examples of an input lack the fields of the path",
    ).toEqual([]);
  });

  // Redocly's rule compares paths without their methods, and takes any text for an id.
  it.each(METHODS)("has no two paths that match one request with the method %s", (method) => {
    const paths = operations.filter((each) => each.method === method).map(({ path }) => path);

    const pairs = paths.flatMap((one, index) =>
      paths.slice(index + 1).map((other) => [one, other]),
    );

    expect(pairs.filter(([one = "", other = ""]) => matchOneRequest(one, other))).toEqual([]);
  });

  it("has only ids in its paths, which no fixed segment can be", () => {
    const parameters = operations.flatMap(({ operation }) => operation.parameters);
    const inPath = parameters.filter((parameter) => parameter.in === "path");

    expect(inPath.length).toBeGreaterThan(0);
    expect(new Set(inPath.map(({ schema }) => JSON.stringify(schema)))).toEqual(
      new Set([JSON.stringify({ $ref: "#/components/schemas/Id" })]),
    );
  });

  it("describes every operation, parameter and field in Chinese", () => {
    const undescribed: string[] = [];
    const note = (name: string, text = "") => {
      if (!CHINESE.test(text)) undescribed.push(name);
    };
    for (const { operation } of operations) {
      note(operation.operationId, operation.summary);
      note(operation.operationId, operation.description);
      for (const { name, description } of operation.parameters)
        note(`${operation.operationId} ${name}`, description);
    }
    JSON.stringify(document.components.schemas, (key, value) => {
      for (const [name, field] of Object.entries(Object(value?.properties))) {
        if (!Object.hasOwn(Object(field), "$ref"))
          note(`${key}.${name}`, Object(field).description);
      }
      return value;
    });

    expect(undescribed, "add .describe or .meta in src/shared, summary in the router").toEqual([]);
  });
});

describe("the document and the server agree on a body", () => {
  const hostIds = [newId()];

  it.each<[call: string, body: object, isTaken: boolean]>([
    ["users.create", buildUser({ email: "", phone: null, adminId: null }), true],
    ["users.create", buildUser({ username: "张三" }), false],
    ["users.create", buildUser({ name: " " }), false],
    ["users.create", buildUser({ phone: "12345" }), false],
    ["users.create", buildUser({ isActive: true }), false],
    ["users.create", buildUser({ password: "alllower1" }), false],
    ["users.create", buildUser({ password: `Aa1${"x".repeat(126)}` }), false],
    ["configs.create", buildConfig({ apiUrl: "HTTPS://API.ucloud.cn" }), true],
    ["configs.create", buildConfig({ apiUrl: "ftp://api.ucloud.cn" }), false],
    ["renewals.create", { hostId: newId(), requestedDuration: 366 }, false],
    ["hosts.batch", { operation: "sync", hostIds }, true],
    ["hosts.batch", { operation: "sync", hostIds, userId: newId() }, false],
  ])("%s with %j, accepted: %s", (name, body, isTaken) => {
    const { path = "", method } =
      operations.find(({ operation }) => operation.operationId === name) ?? {};
    const pointer = `/paths/${path.replaceAll("/", "~1")}/${method}/requestBody/content/application~1json/schema`;

    expect(violation(pointer, body) === null).toBe(isTaken);
    expect(procedures.get(name)?.input?.safeParse(body).success).toBe(isTaken);
  });
});

it("the page of the document loads everything from this server, nothing inline", async () => {
  const page = await app.anonymous.get("/api/docs");
  expect(page.status).toBe(200);
  const html = String(page.body);
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
  const common = (await app.anonymous.get("/healthz")).headers.get("content-security-policy");
  expect(page.headers.get("content-security-policy")).toBe(common);
  const assets = [...html.matchAll(/<(?:script|link)[^>]*\s(?:src|href)="([^"]+)"/g)].map(
    ([, asset = ""]) => asset,
  );
  expect(assets.filter((each) => each.startsWith("/assets/api-docs-"))).toHaveLength(2);
  for (const asset of assets)
    expect([asset, (await app.anonymous.get(asset)).status]).toEqual([asset, 200]);
  for (const name of ["package.json", "index.html", "..%2fopenapi.ts", "constructor"]) {
    expect((await app.anonymous.get(`/api/docs/${name}`)).status).toBe(404);
  }
});

/** `/hosts/{id}/sync` and `/hosts/configs/{id}` do not: `configs` and `sync` are no ids. */
function matchOneRequest(one: string, other: string): boolean {
  const withoutNames = (path: string) => path.replaceAll(/\{\w+\}/g, "{}");
  return withoutNames(one) === withoutNames(other);
}

/** What the rules of the configuration find in a document. */
async function lint(source: object, config: Config) {
  const problems = await lintFromString({
    source: JSON.stringify(source),
    absoluteRef: "/openapi.json",
    config,
  });
  return problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]);
}
