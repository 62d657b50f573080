import fc from "fast-check";
import type { RestProcedure } from "../../src/server/transport/rest/routes.ts";
import { badJson, badText, type Fields, fieldsOf, type Input } from "./bad-values.ts";

/** One request as it is sent; a body is JSON. */
export interface Wire {
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
}

type Entries = readonly (readonly [name: string, json: string])[];

/** The parts of a valid call, of which one is made bad. */
interface Parts {
  readonly method: string;
  readonly path: string;
  readonly params: readonly string[];
  readonly query: Entries;
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
    query: names.filter(isInQuery).map((name) => [name, encodeURIComponent(String(valid[name]))]),
    body: names.filter(isInBody).map((name) => [name, JSON.stringify(valid[name])]),
    bodyFields: Object.keys(fields.properties).filter(isInBody),
    fields,
  };
}

/** The call with these parts. */
export function wire({ method, path, query, body }: Parts): Wire {
  const target = query.length === 0 ? path : `${path}?${query.map((pair) => pair.join("=")).join("&")}`;
  return { method, path: target, ...(body.length === 0 ? {} : { body: objectText(body) }) };
}

/** Requests that are each wrong in one way. */
export function badRequests(procedure: RestProcedure, valid: Input): fc.Arbitrary<Wire> {
  const parts = takeApart(procedure, valid);
  return fc.oneof(
    ...parts.params.map((name) => ({ weight: 4, arbitrary: badParameter(procedure, valid, name) })),
    ...queryFields(parts).map((name) => ({ weight: 4, arbitrary: badQueryField(parts, name) })),
    { weight: 3, arbitrary: unknownQueryField(parts) },
    ...(parts.method === "GET" ? [] : badBodies(parts)),
  );
}

function badParameter(procedure: RestProcedure, valid: Input, name: string): fc.Arbitrary<Wire> {
  const { path, ...request } = wire(takeApart(procedure, { ...valid, [name]: "\0" }));
  return badText({ type: "string", format: "uuid" }).map((text) => ({
    ...request,
    path: path.replace("\0", () => text),
  }));
}

function queryFields({ method, fields, params, query }: Parts): string[] {
  if (method !== "GET") return query.map(([name]) => name);
  return Object.keys(fields.properties).filter((name) => !params.includes(name));
}

/** A wrong value, or the valid one twice. */
function badQueryField(parts: Parts, name: string): fc.Arbitrary<Wire> {
  const others = parts.query.filter(([other]) => other !== name);
  const valid = parts.query.find(([other]) => other === name) ?? [name, "1"];
  const wrong = badText(parts.fields.properties[name] ?? {}).map((text): Entries => [[name, text]]);
  const pairs = fc.oneof({ weight: 2, arbitrary: wrong }, { weight: 1, arbitrary: fc.constant([valid, valid]) });
  return pairs.map((chosen) => wire({ ...parts, query: [...others, ...chosen] }));
}

function unknownQueryField(parts: Parts): fc.Arbitrary<Wire> {
  const name = unknownName(Object.keys(parts.fields.properties)).map((text) => encodeURIComponent(text));
  const pair = fc.oneof(
    fc.tuple(name, fc.constantFrom("", "1", "true", "%00", "a&b=c")),
    fc.constantFrom(["%", ""], ["%ff", "1"], ["x", "%E0%A4"], ["a[]", "1"], ["page[]", "1"], ["__proto__[x]", "1"]),
  );
  return pair.map(([key = "", value = ""]) => wire({ ...parts, query: [...parts.query, [key, value]] }));
}

function unknownName(known: readonly string[]): fc.Arbitrary<string> {
  const familiar = "__proto__ constructor prototype toString valueOf id userId role isAdmin passwordHash ID Page 页码";
  const other = fc.string({ unit: "binary", minLength: 1, maxLength: 12 }).map((text) => `x${text}`);
  const name = fc.oneof(fc.constantFrom(...familiar.split(" ")), other);
  return name.filter((text) => !known.includes(text) && text.isWellFormed());
}

function badBodies(parts: Parts) {
  const { body, bodyFields, fields } = parts;
  const send = (text: string): Wire => ({ ...wire(parts), body: text });
  const without = (name: string) => body.filter(([other]) => other !== name);
  const extra = fc.tuple(unknownName(Object.keys(fields.properties)), fc.jsonValue({ maxDepth: 2 }));
  const wrongFields = bodyFields.flatMap((name) => {
    const wrong = badJson(fields, name);
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
    { weight: 6, arbitrary: brokenText(objectText(body)).map(send) },
    { weight: 1, arbitrary: fc.constant(send(`{"x":"${"x".repeat(270_000)}"}`)) },
  ];
}

const NO_JSON = ["{", "}", "nul", "{'a':1}", "{a:1}", '{"a":1,}', '{"a":01}', '{"a":NaN}', " ", "\0"];
const NO_START = ["\ufeff", "// x\n", "\u00a0", "\v", ")]}',\n", "undefined"];

/** Texts that are no JSON object at all. */
function brokenText(text: string): fc.Arbitrary<string> {
  const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  const noObject = fc.jsonValue({ maxDepth: 2 }).filter((value) => !isObject(value));
  const depth = fc.integer({ min: 33, max: 20_000 });
  return fc.oneof(
    noObject.map((value) => JSON.stringify(value)),
    fc.integer({ min: 1, max: text.length - 1 }).map((size) => text.slice(0, size)),
    fc.constantFrom(...NO_JSON),
    fc.constantFrom(...NO_START).map((start) => start + text),
    fc.constantFrom("x", "{}", ",", "\0", ";", "]").map((end) => text + end),
    depth.map((levels) => `{"x":${"[".repeat(levels)}1${"]".repeat(levels)}}`),
  );
}

/** By hand, because an object cannot hold a key twice, nor `__proto__`. */
function objectText(entries: Entries): string {
  return `{${entries.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;
}
