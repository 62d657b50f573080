import { z } from "zod";
import { appRouter } from "../../src/server/app-router.ts";
import {
  type ListedProcedure,
  listProcedures,
} from "../../src/server/platform/http/rest/routes.ts";
import { readCsv } from "./csv.ts";
import { connect } from "./raw-client.ts";
import { JSON_TYPE, restClient } from "./rest.ts";
import { PASSWORD } from "./root-user.ts";

/** Result of a call. */
export interface Answer {
  /** Error code, or null for success. */
  readonly code: string | null;
  /** Data of a success, or the failure without its request id. */
  readonly body: unknown;
}

export interface Call {
  readonly procedure: ListedProcedure;
  readonly input: Readonly<Record<string, unknown>>;
  readonly token: string | null;
}

/** The procedure of this name, such as `hosts.list`. */
export function procedureOf(name: string): ListedProcedure {
  const procedure = listProcedures(appRouter).find(({ path }) => path === name);
  if (procedure === undefined) throw new Error(`there is no call ${name}`);
  return procedure;
}

const TRANSPORTS = [
  ["REST", callRest],
  ["tRPC", callAlone],
  ["tRPC batch", callInBatch],
  ["WebSocket", callOverSocket],
] as const;

/** Every transport that serves the procedure, if only to refuse it. */
export function transportsOf({ type }: ListedProcedure) {
  return TRANSPORTS.filter(([name]) => type !== "subscription" || name === "WebSocket");
}

/** Those over which it can succeed: only REST sends and takes files. */
export function answeringTransportsOf(procedure: ListedProcedure) {
  const { answer, body } = procedure.meta;
  const isFile = answer === "csv" || body === "csv";
  return transportsOf(procedure).filter(([name]) => !isFile || name === "REST");
}

/** The body of a file is its rows. That of an import is its field `file`, as it stands. */
export async function callRest(url: string, { procedure, input, token }: Call): Promise<Answer> {
  const route = procedure.meta.rest;
  if (route === undefined) throw new Error(`${procedure.path} has no route`);
  const isImport = procedure.meta.body === "csv";
  const left = new Map(Object.entries(input));
  const take = (name: string) => {
    const value = left.get(name);
    left.delete(name);
    return encodeURIComponent(String(value));
  };
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => take(name));
  const inQuery = [...left.keys()].filter(
    (name) =>
      route.method === "GET" || route.query?.includes(name) || (isImport && name !== "file"),
  );
  const search = inQuery.map((name) => `${encodeURIComponent(name)}=${take(name)}`).join("&");
  const body = isImport ? csvBody(left.get("file")) : jsonBody(left);
  const target = search === "" ? path : `${path}?${search}`;
  const answer = await restClient(url, token).raw(route.method, target, body);
  if (answer.status >= 400) return failure(answer.data.code, answer.body);

  const isFile = procedure.meta.answer === "csv";
  return { code: null, body: isFile ? readCsv(String(answer.body)) : answer.data };
}

function jsonBody(fields: ReadonlyMap<string, unknown>): RequestInit {
  if (fields.size === 0) return {};
  return { body: JSON.stringify(Object.fromEntries(fields)), headers: JSON_TYPE };
}

function csvBody(file: unknown): RequestInit {
  const body = typeof file === "string" ? file : JSON.stringify(file ?? "");
  return { body, headers: { "content-type": "text/csv" } };
}

export async function callAlone(
  url: string,
  { procedure: { path, type }, input, token }: Call,
): Promise<Answer> {
  const client = restClient(url, token);
  const json = JSON.stringify(input);
  const { body } =
    type === "mutation"
      ? await client.raw("POST", `/trpc/${path}`, { body: json, headers: JSON_TYPE })
      : await client.get(`/trpc/${path}?input=${encodeURIComponent(json)}`);
  return answerOf(body);
}

/** In a batch with a call that every signed-in user may make. */
async function callInBatch(
  url: string,
  { procedure: { path, type }, input, token }: Call,
): Promise<Answer> {
  const client = restClient(url, token);
  const answer =
    type === "query"
      ? await client.get(
          `/trpc/auth.me,${path}?batch=1&input=${encodeURIComponent(JSON.stringify({ 1: input }))}`,
        )
      : await client.post(`/trpc/auth.changePassword,${path}?batch=1`, {
          0: SAME_PASSWORD,
          1: input,
        });
  const [, own] = z.tuple([z.unknown(), z.unknown()]).parse(answer.body);
  return answerOf(own);
}

/** Passes authentication and is rejected as invalid: the new password must differ. */
const SAME_PASSWORD = { currentPassword: PASSWORD, newPassword: PASSWORD };

/** In one frame with `auth.me` on a new socket. */
async function callOverSocket(
  url: string,
  { procedure: { path, type }, input, token }: Call,
): Promise<Answer> {
  await using client = await connect(url, null);
  client.send({ method: "connectionParams", data: token === null ? {} : { token } });
  client.send([
    { id: 1, method: "query", params: { path: "auth.me" } },
    { id: 2, method: type, params: { path, input } },
  ]);
  // The result or error of the call, without the start message of a stream.
  const own = () =>
    client.messages.find(({ id, result }) => id === 2 && result?.type !== "started");
  const answered = client.until(() => own() !== undefined).catch(() => undefined);
  await Promise.race([client.closed, answered]);
  const answer = own();
  return answer === undefined
    ? { code: (await client.closed).reason, body: null }
    : answerOf(answer);
}

const Failed = z.object({ error: z.looseObject({ data: z.looseObject({ code: z.string() }) }) });
/** An error raised before tRPC. */
const Rejected = z.looseObject({ code: z.string() });
const Succeeded = z.object({ result: z.object({ data: z.unknown() }) });

function answerOf(body: unknown): Answer {
  const failed = Failed.safeParse(body);
  if (failed.success) return failure(failed.data.error.data.code, failed.data.error);
  const rejected = Rejected.safeParse(body);
  if (rejected.success) return failure(rejected.data.code, rejected.data);
  return { code: null, body: Succeeded.parse(body).result.data };
}

function failure(code: string, body: unknown): Answer {
  return {
    code,
    body: JSON.parse(JSON.stringify(body, (name, value) => (name === "requestId" ? "" : value))),
  };
}
