import { join } from "node:path";
import { lintFromString, loadConfig } from "@redocly/openapi-core";
import { v7 as newId } from "uuid";
import { describe, expect, it } from "vitest";
import { appRouter } from "../../src/server/app-router.ts";
import { type JsonSchema, nameOf } from "../../src/server/transport/rest/json-schemas.ts";
import { createOpenApiDocument, type Method } from "../../src/server/transport/rest/openapi.ts";
import type { Operation } from "../../src/server/transport/rest/openapi-operation.ts";
import { restProcedures } from "../../src/server/transport/rest/routes.ts";
import { useApp } from "../harness/app.ts";
import { apiContract } from "../harness/contract.ts";

const CHINESE = /\p{Script=Han}/u;
const METHODS = ["get", "post", "put", "delete"] as const;

const { document, violation, check } = apiContract();
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [{ path, method, operation, pointer: pointerOf(path, method) }];
  }),
);
const procedures = new Map(restProcedures(appRouter).map((procedure) => [procedure.path, procedure]));

describe("the API document", () => {
  const app = useApp();

  it("is served without a session", async () => {
    const first = await app.anonymous.get("/api/openapi.json");
    expect(first.status).toBe(200);
    expect(first.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(first.body).toEqual(JSON.parse(JSON.stringify(createOpenApiDocument(appRouter))));
    expect(first.headers.get("cache-control")).toBe("no-cache");
  });

  it("can only be read", async () => {
    const answer = await app.root.raw("PUT", "/api/openapi.json", { body: "{}" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("lists every route: each operation is served, and every other method of its path is refused", async () => {
    for (const { path, operation, method } of operations) {
      const target = path.replace(/\{\w+\}/g, newId());
      const answer = await app.anonymous.raw(method.toUpperCase(), target);
      expect([path, answer.body]).toMatchObject([
        path,
        { code: operation.security ? "INVALID_INPUT" : "UNAUTHENTICATED" },
      ]);
    }
    for (const [path, item] of Object.entries(document.paths)) {
      for (const method of METHODS.filter((each) => item[each] === undefined)) {
        const answer = await app.root.raw(method.toUpperCase(), path.replace(/\{\w+\}/g, newId()));
        expect([method, path, answer.status]).toEqual([method, path, 405]);
      }
    }
  });

  it("lists every procedure with a route once, under its own name", () => {
    expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual([...procedures.keys()].sort());
  });

  it("passes Redocly's rules recommended-strict", async () => {
    const config = await loadConfig({ configPath: join(import.meta.dirname, "../../redocly.yaml") });
    const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: "/openapi.json", config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  it("has no two paths that match one request", () => {
    for (const one of operations) {
      const twins = operations.filter((other) => other.method === one.method && mayMatchTheSame(one.path, other.path));
      expect(twins.map(({ path }) => path)).toEqual([one.path]);
    }
  });

  it("describes every operation, parameter, shape and field in Chinese", () => {
    const undescribed = [
      ...operations.flatMap(({ operation }) => undescribedParts(operation)),
      ...Object.entries(document.components.schemas).flatMap(([name, schema]) => undescribedFields(name, schema)),
    ];
    expect(undescribed).toEqual([]);
  });
});

describe("examples in the API document", () => {
  it("match their schemas", () => {
    const examples = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      examplesIn(`/components/schemas/${name}`, schema),
    );
    expect(examples.length).toBeGreaterThan(50);
    for (const { pointer, value } of examples) expect([pointer, violation(pointer, value)]).toEqual([pointer, null]);
  });

  it.each(operations.filter(({ operation }) => operation.requestBody))(
    "form a request to $operation.operationId that the procedure accepts",
    ({ path, operation }) => {
      const ids = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, newId()]));
      const schema = deref(operation.requestBody?.content["application/json"].schema ?? {});
      for (const body of (schema.oneOf ?? [schema]).map(sampleOf)) {
        const input = { ...ids, ...Object(body) };
        expect(procedures.get(operation.operationId)?.input?.safeParse(input).error?.issues ?? []).toEqual([]);
      }
    },
  );
});

describe("the document and the server agree on a body", () => {
  const USER = { username: "zhang_san", password: "Correct1Horse", name: "张三", role: "client" };
  const CONFIG = {
    name: "配置",
    publicKey: "k",
    privateKey: "k",
    apiUrl: "https://api.ucloud.cn",
    defaultRegion: "hk",
  };

  it.each<[call: string, body: object, isTaken: boolean]>([
    ["users.create", { ...USER, email: "", phone: null, adminId: null }, true],
    ["users.create", { ...USER, username: "张三" }, false],
    ["users.create", { ...USER, name: " " }, false],
    ["users.create", { ...USER, role: "super_admin" }, false],
    ["users.create", { ...USER, phone: "12345" }, false],
    ["users.create", { ...USER, adminId: "1" }, false],
    ["users.create", { ...USER, isActive: true }, false],
    ["users.create", { ...USER, password: "Short1a" }, false],
    ["users.create", { ...USER, password: "alllower1" }, false],
    ["users.create", { ...USER, password: "ALLUPPER1" }, false],
    ["users.create", { ...USER, password: "NoNumbers" }, false],
    ["users.create", { ...USER, password: `Aa1${"x".repeat(126)}` }, false],
    ["configs.create", { ...CONFIG, apiUrl: "HTTPS://API.ucloud.cn" }, true],
    ["configs.create", { ...CONFIG, apiUrl: "ftp://api.ucloud.cn" }, false],
    ["configs.create", { ...CONFIG, isDefault: "true" }, false],
    ["renewals.create", { hostId: newId(), requestedDuration: 366 }, false],
    ["renewals.create", { hostId: newId(), requestedDuration: 1.5 }, false],
    ["hosts.batch", { operation: "sync", hostIds: [newId()] }, true],
    ["hosts.batch", { operation: "sync", hostIds: [] }, false],
    ["hosts.batch", { operation: "sync", hostIds: [newId()], userId: newId() }, false],
  ])("%s %j: %s", (name, body, isTaken) => {
    const pointer = operations.find(({ operation }) => operation.operationId === name)?.pointer;
    expect(violation(`${pointer}/requestBody/content/application~1json/schema`, body) === null).toBe(isTaken);
    expect(procedures.get(name)?.input?.safeParse(body).success).toBe(isTaken);
  });
});

describe("a test fails on an answer that violates the document", () => {
  const headers = new Headers({ "x-request-id": "1" });
  const call = { method: "GET", target: "/api/system-config", status: 200, headers };
  const body = { show_network_info_to_client: true };
  const failure = { message: "没有权限", code: "FORBIDDEN", requestId: "1" };

  it.each([
    ["an undocumented status", { ...call, body, status: 202 }, /status 202/],
    ["a field more", { ...call, body: { ...body, more: 1 } }, /additional properties/],
    ["a field less", { ...call, body: {} }, /required property/],
    ["an envelope where there is none", { ...call, body: { data: body } }, /required property/],
    ["another type", { ...call, body: { show_network_info_to_client: "yes" } }, /must be boolean/],
    ["a code of another status", { ...call, status: 401, body: failure }, /allowed values/],
    ["a missing header", { ...call, body, headers: new Headers() }, /X-Request-Id is missing/],
    ["an unknown parameter that was accepted", { ...call, body, target: `${call.target}?all=1` }, /parameter all/],
    ["a body that was accepted", { ...call, method: "PUT", body, sent: '{"other":1}' }, /request: /],
  ])("%s", (_what, exchange, problem) => {
    expect(() => check(exchange)).toThrow(problem);
  });

  it("accepts answers that match the document", () => {
    check({ ...call, body });
    check({ ...call, status: 403, body: failure });
    check({ ...call, target: "/api/nope", status: 404, body: null });
  });
});

describe("the page that shows the document", () => {
  const app = useApp();

  it("loads everything from this server under the common policy, with nothing inline", async () => {
    const page = await app.anonymous.get("/api/docs");
    expect(page.status).toBe(200);
    const html = String(page.body);
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
    expect(page.headers.get("content-security-policy")).toBe(
      (await app.anonymous.get("/healthz")).headers.get("content-security-policy"),
    );
    const assets = [...html.matchAll(/<(?:script|link)[^>]*\s(?:src|href)="([^"]+)"/g)].map(([, asset]) =>
      String(asset),
    );
    expect(assets.filter((each) => each.startsWith("/assets/api-docs-"))).toHaveLength(2);
    for (const asset of assets) {
      const answer = await app.anonymous.get(asset);
      expect([asset, answer.status]).toEqual([asset, 200]);
    }
  });

  it("offers no other files", async () => {
    for (const name of ["package.json", "index.html", "..%2fopenapi.ts", "constructor"]) {
      expect((await app.anonymous.get(`/api/docs/${name}`)).status).toBe(404);
    }
  });
});

function pointerOf(path: string, method: Method): string {
  return `/paths/${path.replaceAll("/", "~1")}/${method}`;
}

function deref(schema: JsonSchema): JsonSchema {
  return schema.$ref === undefined ? schema : (document.components.schemas[nameOf(schema.$ref)] ?? {});
}

function examplesIn(pointer: string, schema: JsonSchema): { readonly pointer: string; readonly value: unknown }[] {
  const { examples, properties = {} } = schema;
  const own = (examples ?? []).map((value) => ({ pointer, value }));
  const choices = (["anyOf", "oneOf"] as const).flatMap((keyword) =>
    (schema[keyword] ?? []).flatMap((each, index) => examplesIn(`${pointer}/${keyword}/${index}`, each)),
  );
  const fields = Object.entries(properties).flatMap(([name, each]) =>
    examplesIn(`${pointer}/properties/${name}`, each),
  );
  return [...own, ...choices, ...fields];
}

/** The value that a documentation page proposes: the first example, or a default of the type. */
function sampleOf(schema: JsonSchema): unknown {
  const { examples, enum: words, properties, anyOf, type, items = {} } = { ...deref(schema), ...schema };
  if (examples !== undefined) return examples[0];
  if ("const" in schema) return schema.const;
  if (words !== undefined) return words[0];
  if (anyOf?.[0] !== undefined) return sampleOf(anyOf[0]);
  if (type === "array") return [sampleOf(items)];
  if (properties !== undefined) {
    return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, sampleOf(each)]));
  }
  return type === "boolean" ? true : "示例";
}

function undescribedParts({ operationId, summary, description, tags, parameters }: Operation): string[] {
  const texts = {
    summary,
    description,
    tags: tags.join(),
    ...Object.fromEntries(parameters.map((each) => [each.name, each.description])),
  };
  return Object.entries(texts).flatMap(([part, text]) => (CHINESE.test(text) ? [] : [`${operationId} ${part}`]));
}

/** Fields without a description, own or referenced. */
function undescribedFields(owner: string, schema: JsonSchema): string[] {
  const inside = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((each) => undescribedFields(owner, each));
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const own = CHINESE.test(field.description ?? deref(field).description ?? "") ? [] : [`${owner}.${name}`];
    return [...own, ...undescribedFields(`${owner}.${name}`, field)];
  });
  return [...inside, ...fields];
}

/** A parameter matches any segment; OpenAPI prefers a fixed segment to a parameter. */
function mayMatchTheSame(one: string, other: string): boolean {
  const segments = one.split("/").map((segment, index) => [segment, other.split("/")[index]] as const);
  if (one.split("/").length !== other.split("/").length) return false;
  if (one.split("{").length !== other.split("{").length) return one === other;
  return segments.every(([mine, theirs]) => mine === theirs || mine.startsWith("{") || theirs?.startsWith("{"));
}
