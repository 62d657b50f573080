import { Ajv2020 } from "ajv/dist/2020.js";
import { appRouter } from "../../src/server/app-router.ts";
import {
  createOpenApiDocument,
  type Method,
  type OpenApiDocument,
} from "../../src/server/platform/http/rest/openapi.ts";
import type { Operation } from "../../src/server/platform/http/rest/openapi-operation.ts";

const METHODS: readonly Method[] = ["get", "post", "put", "delete"];

/** One REST call with its answer. */
interface Exchange {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** The body as text, or undefined. */
  readonly sent?: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

let contract: ReturnType<typeof createContract> | undefined;

/** The API document with its checks, built once per worker. */
export function apiContract() {
  contract ??= createContract(createOpenApiDocument(appRouter));
  return contract;
}

function createContract(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  ajv.addSchema(document, "api");
  const templates = Object.keys(document.paths)
    .sort((one, other) => one.split("{").length - other.split("{").length)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`) }));

  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      const pointer = `/paths/${path.replaceAll("/", "~1")}/${method}`;
      return operation === undefined ? [] : [{ operation, pointer }];
    }),
  );

  /** The schema violation of a value at this JSON pointer, or null. */
  function violation(pointer: string, value: unknown): string | null {
    const validate = ajv.getSchema(`api#${pointer}`);
    if (validate === undefined) throw new Error(`the API document has nothing at ${pointer}`);
    return validate(value) === true ? null : ajv.errorsText(validate.errors);
  }

  function answerProblems(
    operation: Operation,
    pointer: string,
    { status, headers, body }: Exchange,
  ): string[] {
    const documented = operation.responses[String(status)];
    if (documented === undefined) return [`status ${status} is not documented`];
    const [type = ""] = headers.get("content-type")?.split(";") ?? [];
    const content = `${pointer}/responses/${status}/content/${type.replace("/", "~1")}`;
    const found = violation(`${content}/schema`, body);
    const missing = Object.keys(documented.headers).filter((name) => !headers.has(name));
    return [
      ...(found === null ? [] : [`answer: ${found}`]),
      ...missing.map((name) => `the header ${name} is missing`),
    ];
  }

  /** An accepted request must match the document. */
  function requestProblems(
    operation: Operation,
    pointer: string,
    { sent, status, target }: Exchange,
  ): string[] {
    if (status >= 300) return [];
    const known = operation.parameters
      .filter((parameter) => parameter.in === "query")
      .map(({ name }) => name);
    const query = new URLSearchParams(target.split("?")[1]);
    const unknown = [...query.keys()].filter((name) => !known.includes(name));
    const problems = unknown.map((name) => `the parameter ${name} is not documented`);
    if (operation.requestBody === undefined || sent === undefined || sent === "") return problems;
    if ("text/csv" in operation.requestBody.content) return problems;
    const found = violation(
      `${pointer}/requestBody/content/application~1json/schema`,
      JSON.parse(sent),
    );
    return found === null ? problems : [...problems, `request: ${found}`];
  }

  /**
   * The value of a text in a query or a path, as a generated client would send it: no such client
   * can send a number that it cannot hold.
   */
  function parseParameter(text: unknown): unknown {
    if (typeof text !== "string") return text;
    if (/^-?\d+(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER) {
      return Number(text);
    }
    return text === "true" || text === "false" ? text === "true" : text;
  }

  /** Whether the document refuses this input of a call, wherever its fields are sent. */
  function refusesInput(call: string, input: Readonly<Record<string, unknown>>): boolean {
    const place = operations.find(({ operation }) => operation.operationId === call);
    if (place === undefined) throw new Error(`the API document has no operation ${call}`);
    const { operation, pointer } = place;

    // As it is sent: what is undefined is left out.
    const left = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
    for (const [index, { name, required }] of operation.parameters.entries()) {
      if (!left.has(name)) {
        if (required) return true;
        continue;
      }
      const schema = `${pointer}/parameters/${index}/schema`;
      const value = left.get(name);
      const isTaken =
        violation(schema, value) === null || violation(schema, parseParameter(value)) === null;
      if (!isTaken) return true;
      left.delete(name);
    }

    if (operation.requestBody === undefined) return left.size > 0;
    if ("text/csv" in operation.requestBody.content) {
      left.delete("file");
      return left.size > 0;
    }
    const body = Object.fromEntries(left);
    return violation(`${pointer}/requestBody/content/application~1json/schema`, body) !== null;
  }

  return {
    document,
    violation,
    refusesInput,
    /** Throws when an answer or an accepted request violates the document. */
    check(exchange: Exchange): void {
      const { target, status, body } = exchange;
      const [path = ""] = target.split("?");
      const template = templates.find(({ pattern }) => pattern.test(path))?.path;
      const method = METHODS.find((each) => each === exchange.method.toLowerCase());
      const operation = template && method && document.paths[template]?.[method];
      if (!operation) return;
      const pointer = `/paths/${template.replaceAll("/", "~1")}/${method}`;
      const wrongAnswer = answerProblems(operation, pointer, exchange);
      const problems = [...wrongAnswer, ...requestProblems(operation, pointer, exchange)];
      if (problems.length === 0) return;
      const answer = `${exchange.method} ${target} answered ${status} ${JSON.stringify(body)}`;
      throw new Error(`not as the API document says: ${problems.join("; ")}\n${answer}`);
    },
  };
}
