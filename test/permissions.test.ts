import { v7 as newId } from "uuid";
import { describe, expect, it } from "vitest";
import { appRouter } from "../src/server/app-router.ts";
import { bridgedProcedures, listProcedures } from "../src/server/rest/procedures.ts";
import type { Role } from "../src/shared/roles.ts";
import { type TestApp, useApp } from "./harness/app.ts";

type Who = readonly Role[];

const EVERYBODY: Who = ["super_admin", "admin", "client"];
const OPERATOR: Who = ["super_admin"];

/** The contract's table: who gets past the doorway of each call. A call that is missing here fails the run. */
const MAY_CALL: Readonly<Record<string, Who | "public">> = {
  "auth.login": "public",
  "auth.me": EVERYBODY,
  "auth.changePassword": EVERYBODY,
  "auth.refresh": EVERYBODY,
  "auth.logout": EVERYBODY,
  "users.create": OPERATOR,
  "users.list": ["super_admin", "admin"],
  "users.get": ["super_admin", "admin"],
  "users.update": OPERATOR,
  "users.delete": OPERATOR,
  "users.resetPassword": OPERATOR,
  "hosts.list": EVERYBODY,
  "hosts.get": EVERYBODY,
  "hosts.summary": EVERYBODY,
  "hosts.assign": OPERATOR,
  "hosts.unassign": OPERATOR,
  "hosts.batch": OPERATOR,
  "hosts.sync": OPERATOR,
  "hosts.syncOne": OPERATOR,
  "hosts.syncRuns": OPERATOR,
  "hosts.syncRun": OPERATOR,
  "hosts.cancelSync": OPERATOR,
  "configs.list": OPERATOR,
  "configs.create": OPERATOR,
  "configs.update": OPERATOR,
  "configs.delete": OPERATOR,
  "configs.test": OPERATOR,
  "renewals.create": ["client"],
  "renewals.list": EVERYBODY,
  "renewals.get": EVERYBODY,
  "renewals.process": OPERATOR,
  "renewals.cancel": ["client"],
  "settings.get": EVERYBODY,
  "settings.update": OPERATOR,
  "events.stream": EVERYBODY,
};

const procedures = new Map(listProcedures(appRouter).map((procedure) => [procedure.path, procedure]));
const routes = bridgedProcedures(appRouter);

describe("the table of permissions", () => {
  it("names every procedure, and no other", () => {
    expect([...procedures.keys()].sort()).toEqual(Object.keys(MAY_CALL).sort());
  });

  it("finds a declared policy on every procedure", () => {
    const undeclared = [...procedures].filter(([, { meta }]) => meta.policy === undefined);
    expect(undeclared.map(([name]) => name)).toEqual([]);
  });

  it("finds a documented path for every procedure but the stream", () => {
    expect(routes.map(({ path }) => path).sort()).toEqual(
      Object.keys(MAY_CALL)
        .filter((name) => name !== "events.stream")
        .sort(),
    );
  });
});

describe("at the doorway", () => {
  const app = useApp();

  for (const [name, who] of Object.entries(MAY_CALL)) {
    if (who === "public" || name === "events.stream") continue;

    it(`${name}: a stranger is asked to sign in, over REST and tRPC`, async () => {
      expect(await restCode(app, name, null)).toBe("UNAUTHENTICATED");
      expect(await trpcCode(app, name, null)).toBe("UNAUTHENTICATED");
    });

    it(`${name}: ${EVERYBODY.filter((role) => !who.includes(role)).join(" and ") || "nobody"} is refused, ${who.join(" and ")} gets in`, async () => {
      const accounts = {
        super_admin: app.root,
        admin: await app.account("admin"),
        client: await app.account("client"),
      };
      for (const role of EVERYBODY) {
        const { username } = accounts[role];
        // A session for each call: some of them end the one they are made with.
        const overRest = await app.signIn(username);
        const overTrpc = await app.signIn(username);
        const codes = [await restCode(app, name, overRest.token), await trpcCode(app, name, overTrpc.token)];
        if (who.includes(role)) {
          expect(codes).not.toContain("FORBIDDEN");
          expect(codes).not.toContain("UNAUTHENTICATED");
        } else {
          expect(codes).toEqual(["FORBIDDEN", "FORBIDDEN"]);
        }
      }
    });
  }
});

/** Calls with an input that is mostly wrong: role comes before input, so the answer tells whether the caller got in. */
async function restCode(app: TestApp, name: string, token: string | null): Promise<unknown> {
  const procedure = routes.find(({ path }) => path === name);
  if (procedure === undefined) throw new Error(`${name} has no route`);
  const path = procedure.route.path.replace(/\{\w+\}/g, newId());
  const answer = await app.anonymous.raw(procedure.route.method, path, { headers: headers(token) });
  return codeOf(answer.body);
}

async function trpcCode(app: TestApp, name: string, token: string | null): Promise<unknown> {
  const isQuery = procedures.get(name)?.type === "query";
  const init = { headers: { ...headers(token), ...(isQuery ? {} : { "content-type": "application/json" }) } };
  const answer = await app.anonymous.raw(
    isQuery ? "GET" : "POST",
    `/trpc/${name}`,
    isQuery ? init : { ...init, body: "{}" },
  );
  return codeOf(answer.body);
}

function headers(token: string | null): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** The failure's code, wherever the surface puts it; null for success. */
function codeOf(body: unknown): unknown {
  return /"code":"([A-Z_]+)"/.exec(JSON.stringify(body))?.[1] ?? null;
}
