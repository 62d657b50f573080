import { deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import type { RestProcedure } from "../../src/server/transport/rest/routes.ts";
import { badJson, badText, type Fields, fieldsOf } from "./bad-values.ts";

/** One request as it is sent. */
export interface Wire {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
}

export type Input = Readonly<Record<string, unknown>>;
type Entries = readonly (readonly [name: string, json: string])[];

const JSON_TYPE = { "content-type": "application/json" } as const;

/** The parts of a valid call, of which one is made bad. */
interface Parts {
  readonly method: string;
  readonly path: string;
  readonly params: readonly string[];
  readonly query: readonly string[];
  readonly body: Entries;
  /** Fields that belong in the body. */
  readonly bodyFields: readonly string[];
  readonly fields: Fields;
}

export function takeApart({ route, input }: RestProcedure, valid: Input): Parts {
  const params = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const fields = fieldsOf(input, valid);
  const isInQuery = (name: string) => route.method === "GET" || route.query?.includes(name) === true;
  const isInBody = (name: string) => !params.includes(name) && !isInQuery(name);
  const names = Object.keys(valid).filter((name) => !params.includes(name));
  return {
    method: route.method,
    path: params.reduce((path, name) => path.replace(`{${name}}`, String(valid[name])), route.path),
    params,
    query: names.filter(isInQuery).map((name) => `${name}=${encodeURIComponent(String(valid[name]))}`),
    body: names.filter(isInBody).map((name) => [name, JSON.stringify(valid[name])]),
    bodyFields: Object.keys(fields.properties).filter(isInBody),
    fields,
  };
}

/** The valid call, or the call with other parts. */
export function wire({ method, path, query, body }: Parts, more: Partial<Wire> = {}): Wire {
  const target = query.length === 0 ? path : `${path}?${query.join("&")}`;
  const content = body.length === 0 ? {} : { headers: JSON_TYPE, body: objectText(body) };
  return { method, path: target, headers: {}, ...content, ...more };
}

/** Requests that are each wrong in one way. */
export function badRequests(procedure: RestProcedure, valid: Input): fc.Arbitrary<Wire> {
  const parts = takeApart(procedure, valid);
  const kinds = [
    ...parts.params.map((name) => ({ weight: 4, arbitrary: badParameter(procedure, valid, name) })),
    ...queryFields(parts).map((name) => ({ weight: 4, arbitrary: badQueryField(parts, name) })),
    { weight: 3, arbitrary: badQuery(parts) },
    { weight: 2, arbitrary: badPath(parts) },
    ...(parts.method === "GET" ? [] : badBodies(parts)),
  ];
  return fc.oneof(...kinds);
}

/** The same for a tRPC call: all input is one JSON text, in the body or, for a query, in the address. */
export function badTrpcRequests(
  { path, type, input }: Pick<RestProcedure, "path" | "type" | "input">,
  valid: Input,
): fc.Arbitrary<Wire> {
  const fields = fieldsOf(input, valid);
  const parts: Parts = {
    method: "POST",
    path: `/trpc/${path}`,
    params: [],
    query: [],
    body: Object.entries(valid).map(([name, value]) => [name, JSON.stringify(value)]),
    bodyFields: Object.keys(fields.properties),
    fields,
  };
  // tRPC takes any type that begins with application/json, and reads every charset as UTF-8.
  const isReadAsSent = ({ body, headers = {} }: Wire) =>
    typeof body === "string" || !headers["content-type"]?.startsWith("application/json");
  const bodies = fc.oneof(...badBodies(parts)).filter(isReadAsSent);
  if (type === "mutation") return bodies;
  return bodies
    .filter(({ body, headers }) => typeof body === "string" && body.length < LONGEST_ADDRESS && headers === JSON_TYPE)
    .map(({ body }) => {
      return { method: "GET", path: `${parts.path}?input=${encodeURIComponent(String(body))}`, headers: {} };
    });
}

/** Beyond it the HTTP server itself refuses the request. */
const LONGEST_ADDRESS = 1000;

function badParameter(procedure: RestProcedure, valid: Input, name: string): fc.Arbitrary<Wire> {
  const parts = takeApart(procedure, { ...valid, [name]: "\0" });
  return badText({ type: "string", format: "uuid" }).map((text) =>
    wire(parts, { path: wire(parts).path.replace("\0", () => text) }),
  );
}

function queryFields({ method, fields, params, query }: Parts): string[] {
  if (method !== "GET") return query.map((pair) => pair.split("=")[0] ?? "");
  return Object.keys(fields.properties).filter((name) => !params.includes(name));
}

function badQueryField(parts: Parts, name: string): fc.Arbitrary<Wire> {
  const others = parts.query.filter((pair) => !pair.startsWith(`${name}=`));
  const property = parts.fields.properties[name] ?? {};
  return fc.tuple(badText(property), fc.boolean(), fc.boolean()).map(([text, isAlone, isRepeated]) => {
    const valid = parts.query.find((pair) => pair.startsWith(`${name}=`)) ?? `${name}=1`;
    const pairs = isRepeated ? [valid, valid] : [`${name}=${text}`];
    return wire({ ...parts, query: [...(isAlone ? [] : others), ...pairs] });
  });
}

const PROTOTYPE_NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];

function badQuery(parts: Parts): fc.Arbitrary<Wire> {
  const known = Object.keys(parts.fields.properties);
  const name = unknownName(known).map((text) => encodeURIComponent(text));
  const pair = fc.oneof(
    fc.tuple(name, fc.constantFrom("", "=", "=1", "=true", "=%00", "=a&b=c")).map(([key, value]) => `${key}${value}`),
    fc.constantFrom("%", "%ff=1", "x=%E0%A4", "a[]=1", "a[b]=1", "page[]=1", "__proto__[x]=1", "=", "sort=x"),
  );
  return pair.map((text) => wire({ ...parts, query: [...parts.query, text] }));
}

function unknownName(known: readonly string[]): fc.Arbitrary<string> {
  const familiar = fc.constantFrom(
    ...PROTOTYPE_NAMES,
    ..."id userId role isAdmin passwordHash ID Page 页码".split(" "),
  );
  const other = fc.string({ unit: "binary", minLength: 1, maxLength: 12 }).map((text) => `x${text}`);
  return fc.oneof(familiar, other).filter((text) => !known.includes(text) && text.isWellFormed());
}

/** Paths that are nothing here, and methods that this path does not have. */
function badPath(parts: Parts): fc.Arbitrary<Wire> {
  const [path = "", search = ""] = wire(parts).path.split("?");
  const end = fc.constantFrom("/", "//", "/%00", "%2F", "%00", ";x=1", ".json", "/../..%2f", "%20", "\\x", "/-/-/-/-");
  const query = search === "" ? "" : `?${search}`;
  return fc.oneof(
    end.map((text) => wire(parts, { path: `${path}${text}${query}` })),
    fc.constantFrom("PATCH", "PROPFIND", "QUERY", "LOCK").map((method) => wire(parts, { method })),
    fc.constant(wire(parts, { path: `/api/${path.slice(5).toUpperCase()}${query}` })),
  );
}

function badBodies(parts: Parts): { weight: number; arbitrary: fc.Arbitrary<Wire> }[] {
  const { body, bodyFields, fields } = parts;
  const text = objectText(body);
  const send = (content: Wire["body"], headers: Wire["headers"] = JSON_TYPE) => wire(parts, { headers, body: content });
  const without = (name: string) => body.filter(([other]) => other !== name);
  const extra = fc.tuple(unknownName(Object.keys(fields.properties)), fc.jsonValue({ maxDepth: 2 }));
  const wrongFields = bodyFields.flatMap((name) => {
    const wrong = badJson(fields.properties[name] ?? {});
    const isMissable = !fields.required.includes(name);
    return [
      { weight: 5, arbitrary: wrong.map((json) => send(objectText([...without(name), [name, json]]))) },
      { weight: 1, arbitrary: wrong.map((json) => send(objectText([...body, [name, json]]))) },
      ...(isMissable ? [] : [{ weight: 1, arbitrary: fc.constant(send(objectText(without(name)))) }]),
    ];
  });
  return [
    ...wrongFields,
    { weight: 5, arbitrary: extra.map(([name, value]) => send(objectText([...body, [name, JSON.stringify(value)]]))) },
    { weight: 6, arbitrary: brokenText(text).map((content) => send(content)) },
    { weight: 2, arbitrary: brokenBytes(text).map((content) => send(content)) },
    { weight: 3, arbitrary: wrongContent(text).map(([headers, content]) => send(content, headers)) },
    { weight: 1, arbitrary: fc.constant(send(`{"x":"${"x".repeat(270_000)}"}`)) },
  ];
}

/** Texts that are no JSON object at all. */
function brokenText(text: string): fc.Arbitrary<string> {
  const noObject = fc
    .jsonValue({ maxDepth: 2 })
    .filter((value) => typeof value !== "object" || value === null || Array.isArray(value));
  const deep = fc
    .tuple(fc.integer({ min: 33, max: 20_000 }), fc.constantFrom(["[", "]"], ['{"x":', "}"]))
    .map(([depth, [open = "", close = ""]]) => `{"x":${open.repeat(depth)}1${close.repeat(depth)}}`);
  return fc.oneof(
    noObject.map((value) => JSON.stringify(value)),
    fc
      .nat(text.length - 1)
      .filter((size) => size > 0)
      .map((size) => text.slice(0, size)),
    fc
      .constantFrom("{", "}", "nul", "{'a':1}", "{a:1}", '{"a":1,}', '{"a":01}', '{"a":NaN}', '{"a":1e}', " ", "\0")
      .map(String),
    fc
      .constantFrom("\ufeff", "\ufeff\ufeff", "// x\n", "\u00a0", "\v", ")]}',\n", "undefined")
      .map((start) => start + text),
    fc.constantFrom("x", "{}", ",", "\0", ";", "]").map((end) => text + end),
    deep,
  );
}

function brokenBytes(text: string): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text);
  const wrong = fc.constantFrom([0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe4, 0xb8], [0x80], [0xfe, 0xff]);
  return fc
    .tuple(fc.nat(bytes.length), wrong)
    .map(([at, more]) => Uint8Array.from([...bytes.slice(0, at), ...more, ...bytes.slice(at)]));
}

function wrongContent(text: string): fc.Arbitrary<readonly [Wire["headers"], Uint8Array<ArrayBuffer>]> {
  const bytes = new TextEncoder().encode(text);
  const types = [
    "",
    "text/plain",
    "application/xml",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
  ];
  const charsets = ["gbk", "utf-16", "latin1", "utf-7"].map((charset) => `application/json; charset=${charset}`);
  const type = fc.constantFrom(...types, ...charsets, "application/jsonp", "json", "application/json-patch+json");
  return fc.oneof(
    type.map((given) => [given === "" ? {} : { "content-type": given }, bytes] as const),
    fc.constantFrom("gzip", "deflate", "br", "zstd", "GZIP", "gzip, gzip").map((encoding) => {
      const packed = encoding === "deflate" ? deflateSync(bytes) : gzipSync(bytes);
      return [{ ...JSON_TYPE, "content-encoding": encoding }, Uint8Array.from(packed)] as const;
    }),
  );
}

/** By hand, because an object cannot hold a key twice, nor `__proto__`. */
function objectText(entries: Entries): string {
  return `{${entries.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;
}
