import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join, relative } from "node:path";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { appRouter } from "../../../src/server/app-router.ts";
import { listProcedures } from "../../../src/server/platform/http/rest/routes.ts";
import { makeToken } from "../../harness/api-tokens.ts";
import { useApp } from "../../harness/app.ts";
import { assign, insertHost } from "../../harness/data.ts";
import { ROOT } from "../../harness/programs.ts";
import { assertOk } from "../../harness/rest.ts";
import { PASSWORD } from "../../harness/root-user.ts";
import { type ConsumerProject, compile, createConsumerProject } from "./consumer-project.ts";

/** Beside the built package, below the sources' node_modules; built output is in nobody's way. */
const DIRECTORY = join(ROOT, "dist/sdk-check");
const NO_ERROR = { status: 0, stdout: "" };
/** The last second of this month in Shanghai. */
const END_OF_MONTH = `
  extract(epoch from
    (date_trunc('month', now() at time zone 'Asia/Shanghai') + interval '1 month')
      at time zone 'Asia/Shanghai'
  )::bigint - 1`;
const VERBS = { query: "query", mutation: "mutate", subscription: "subscribe" } as const;

const app = useApp();
let project: ConsumerProject;

beforeAll(async () => {
  project = await createConsumerProject();
});
afterAll(() => project?.[Symbol.asyncDispose]());

function read(file: string): string {
  return readFileSync(join(project.directory, "node_modules/host-console-sdk", file), "utf8");
}

describe("the package", () => {
  it("is JavaScript, types that import nothing, a README, and needs @trpc/client alone", () => {
    const files = readdirSync(join(project.directory, "node_modules/host-console-sdk")).sort();
    expect(files).toEqual(["README.md", "index.d.ts", "index.js", "package.json"]);
    const { dependencies, ...manifest } = JSON.parse(read("package.json"));
    expect(Object.keys(dependencies)).toEqual(["@trpc/client"]);
    expect(manifest).toMatchObject({ type: "module", name: "host-console-sdk" });
    expect([...read("index.js").matchAll(/\bfrom "([^"]+)"/g)].map(([, from]) => from)).toEqual([
      "@trpc/client",
    ]);
    expect(read("index.d.ts")).not.toMatch(/\bimport\b|\brequire\b|\breference\b|\bany\b/);
    expect(read("README.md")).toContain("createConsoleClient");
  });

  it("has the types of the router", async () => {
    await mkdir(DIRECTORY, { recursive: true });
    // The router's types need those of the tables and events, which these two declare.
    const include = [
      "check.ts",
      "../../mikro-orm.config.ts",
      "../../src/server/event-presenters.ts",
    ];
    const config = { extends: "../../tsconfig.base.json", include };
    await writeFile(join(DIRECTORY, "tsconfig.json"), JSON.stringify(config));
    await writeFile(
      join(DIRECTORY, "check.ts"),
      comparison(relative(DIRECTORY, join(ROOT, "dist/sdk/index.d.ts"))),
    );
    expect(compile(DIRECTORY, ["--noEmit", "--pretty", "false"])).toEqual(NO_ERROR);
    await rm(DIRECTORY, { recursive: true });
  });

  it("type-checks in an empty project, its declarations included", () => {
    expect(project.typeCheck()).toEqual(NO_ERROR);
  });

  it("signs in, follows a sync to its end and is refused a call in an empty project", async () => {
    const printed = await project.runWorking([app.url, await app.config(), PASSWORD]);

    expect(printed).toEqual({
      role: "super_admin",
      status: "succeeded",
      total: 60,
      refusal: "FORBIDDEN",
    });
  });

  it("runs the example of the documentation, which posts what ends this month", async () => {
    const client = await app.account("client");
    const hostId = await insertHost(app, { name: "web-01" });
    const { token } = await makeToken(app.url, app.root, { scope: "read" });
    await using webhook = await openWebhook();
    const env = { CONSOLE_URL: app.url, CONSOLE_TOKEN: token, WEBHOOK_URL: webhook.url };

    await project.runExample(env);
    await assign(app, hostId, client.id);
    await app.database.query(`update assignments set assigned_expire_time = ${END_OF_MONTH}`);
    await project.runExample(env);

    const [before, after] = webhook.received;
    expect(before).toEqual({ text: "本月没有主机到期。", ends: [] });
    const ends = [{ host: "web-01", user: `${client.username}的姓名`, end: expect.any(Number) }];
    expect(after).toEqual({ text: expect.stringContaining("web-01"), ends });
  });

  it("says in one line that the token of the example was revoked", async () => {
    const { id, token } = await makeToken(app.url, app.root, { scope: "read" });
    await assertOk(app.root.delete(`/api/auth/tokens/${id}`));

    const env = { CONSOLE_URL: app.url, CONSOLE_TOKEN: token, WEBHOOK_URL: "http://127.0.0.1:9" };
    const ended = project.runExample(env);

    const stderr = expect.stringMatching(/^CONSOLE_TOKEN is refused: .+\n$/);
    await expect(ended).rejects.toMatchObject({ code: 1, stderr });
  });
});

/** Takes JSON that is posted. */
async function openWebhook() {
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    received.push(await json(request));
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, "close");
    },
  };
}

/**
 * A program that compares every input and answer of the declarations with those that tRPC infers.
 */
function comparison(declarations: string): string {
  const calls = listProcedures(appRouter).filter(
    ({ meta }) => (meta.answer ?? meta.body) === undefined,
  );
  const groups = new Set(calls.map(({ path }) => `"${path.split(".")[0]}"`));
  const lines = calls.map(({ path, type }) => {
    const [group = "", name = ""] = path.split(".");
    const call = `["${group}"]["${name}"]["${VERBS[type]}"]`;
    const compared = type === "subscription" ? "Received" : "Answered";
    const alias = path.replace(".", "_");
    return `export const ${alias}: [Same<Input<Built${call}>, Input<Inferred${call}>>, Same<${compared}<Built${call}>, ${compared}<Inferred${call}>>] = [true, true];`;
  });
  return `import type { TRPCClient } from "@trpc/client";
import type { AppRouter } from "../../src/server/app-router.ts";
import type * as source from "../../src/sdk/index.ts";
import type * as built from "./${declarations}";

type Inferred = TRPCClient<AppRouter>;
type Built = built.ConsoleApi;
type Input<Call extends (...args: never) => unknown> = Exclude<Parameters<Call>[0], void | undefined | Record<string, never>>;
type Answered<Call extends (...args: never) => unknown> = Awaited<ReturnType<Call>>;
type Listener<Of> = Of extends { onData?: infer Found } ? Exclude<Found, undefined> : never;
type Received<Call extends (...args: never) => unknown> =
  Listener<Parameters<Call>[1]> extends (received: infer Value) => void ? Value : never;
type Flat<Value> = Value extends object ? { [Key in keyof Value]: Flat<Value[Key]> } : Value;
type Same<One, Other> =
  (<Any>() => Any extends Flat<One> ? 1 : 2) extends <Any>() => Any extends Flat<Other> ? 1 : 2 ? true : false;

${lines.join("\n")}
export type Groups = Same<keyof Built, Extract<keyof Inferred, ${[...groups].join(" | ")}>>;
export const groups: Groups = true;
declare const implemented: typeof source;
export const published: typeof built = implemented;
`;
}
