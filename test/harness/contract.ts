import { Ajv2020 } from "ajv/dist/2020.js";
import { appRouter } from "../../src/server/app-router.ts";
import { createOpenApiDocument, type Method, type OpenApiDocument } from "../../src/server/transport/rest/openapi.ts";
import type { Operation } from "../../src/server/transport/rest/openapi-operation.ts";

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

  /** The schema violation of a value at this JSON pointer, or null. */
  function violation(pointer: string, value: unknown): string | null {
    const validate = ajv.getSchema(`api#${pointer}`);
    if (validate === undefined) throw new Error(`the API document has nothing at ${pointer}`);
    return validate(value) === true ? null : ajv.errorsText(validate.errors);
  }

  return {
    document,
    violation,
    /** Throws when an answer or an accepted request violates the document. */
    check(exchange: Exchange): void {
      const [path = "", search = ""] = exchange.target.split("?");
      const template = templates.find(({ pattern }) => pattern.test(path))?.path;
      const method = methodOf(exchange.method);
      if (template === undefined || method === undefined) return;
      const operation = document.paths[template]?.[method];
      if (operation === undefined) return;
      const described = { operation, pointer: `/paths/${template.replaceAll("/", "~1")}/${method}`, violation };
      const problems = [
        ...answerProblems(described, exchange),
        ...(exchange.status < 300 ? requestProblems(described, exchange, search) : []),
      ];
      if (problems.length > 0) {
        const answer = `${exchange.method} ${exchange.target} answered ${exchange.status} ${JSON.stringify(exchange.body)}`;
        throw new Error(`not as the API document says: ${problems.join("; ")}\n${answer}`);
      }
    },
  };
}

interface Described {
  readonly operation: Operation;
  readonly pointer: string;
  violation(pointer: string, value: unknown): string | null;
}

function answerProblems({ operation, pointer, violation }: Described, { status, headers, body }: Exchange): string[] {
  const documented = operation.responses[String(status)];
  if (documented === undefined) return [`status ${status} is not documented`];
  const found = violation(`${pointer}/responses/${status}/content/application~1json/schema`, body);
  const missing = Object.keys(documented.headers).filter((name) => !headers.has(name));
  return [...(found === null ? [] : [`answer: ${found}`]), ...missing.map((name) => `the header ${name} is missing`)];
}

/** An accepted request must match the document. */
function requestProblems({ operation, pointer, violation }: Described, { sent }: Exchange, search: string): string[] {
  const known = operation.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  const unknown = [...new URLSearchParams(search).keys()].filter((name) => !known.includes(name));
  const problems = unknown.map((name) => `the parameter ${name} is not documented`);
  if (operation.requestBody === undefined || sent === undefined || sent === "") return problems;
  const found = violation(`${pointer}/requestBody/content/application~1json/schema`, JSON.parse(sent));
  return found === null ? problems : [...problems, `request: ${found}`];
}

function methodOf(method: string): Method | undefined {
  const known: readonly Method[] = ["get", "post", "put", "delete"];
  return known.find((each) => each === method.toLowerCase());
}
