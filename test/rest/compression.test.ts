import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { appRouter } from "../../src/server/app-router.ts";
import { listProcedures } from "../../src/server/platform/http/rest/routes.ts";
import { useApp } from "../harness/app.ts";
import { insertHosts, MISSING } from "../harness/data.ts";

const LISTS = [
  ["REST", "/api/hosts?limit=100"],
  ["tRPC", '/trpc/hosts.list?input={"limit":100}'],
] as const;

const STREAMED = '/trpc/hosts.list?batch=1&input={"0":{"limit":100}}';
/** As they are named here and in answers of this kind. */
const SECRET = /\.(token|secret|privateKey|recoveryCodes|(new|initial)?password)$/i;
/** Never more than dots that say that there is one, and of a token id and name. */
const MASKED = ["noticeChannels.list.password", "noticeChannels.list.secret", "audit.list.token"];

const app = useApp();

describe("an answer to a read", () => {
  beforeEach(async () => {
    await insertHosts(
      app,
      Array.from({ length: 50 }, () => ({})),
    );
  });

  for (const [transport, path] of LISTS) {
    it.each(["gzip", "br"])(
      `is compressed over ${transport} for who accepts %s`,
      async (coding) => {
        const plain = await ask(path, "identity");

        const packed = await ask(path, coding);

        expect(packed.headers.get("content-encoding")).toBe(coding);
        expect(packed.headers.get("vary")).toContain("Accept-Encoding");
        expect(packed.body).toEqual(plain.body);
      },
    );

    it(`is left as it is over ${transport} for who accepts nothing else`, async () => {
      const { headers } = await ask(path, "identity");

      expect(headers.get("content-encoding")).toBeNull();
      expect(headers.get("vary")).toContain("Accept-Encoding");
    });
  }

  it.each(["/api/auth/me", "/trpc/auth.me"])(
    "is left as it is when it is short: %s",
    async (path) => {
      const { headers } = await ask(path, "gzip, br");

      expect(headers.get("content-encoding")).toBeNull();
      expect(Number(headers.get("content-length"))).toBeLessThan(2_048);
    },
  );

  it("is left as it is when it is streamed", async () => {
    const { status, headers } = await fetch(app.url + STREAMED, {
      headers: {
        authorization: `Bearer ${app.root.token}`,
        "accept-encoding": "gzip, br",
        "trpc-accept": "application/jsonl",
      },
    });

    expect([status, headers.get("content-encoding")]).toEqual([200, null]);
  });

  it("has no field for a secret, which its size could betray", () => {
    const reads = listProcedures(appRouter).filter(({ type }) => type === "query");

    const fields = reads.flatMap(({ path, output = z.unknown() }) =>
      fieldsOf(output).map((name) => `${path}.${name}`),
    );

    expect(fields.length).toBeGreaterThan(50);
    expect(fields.filter((field) => SECRET.test(field))).toEqual(MASKED);
  });
});

it.each([
  ["REST", "/api/hosts/batch"],
  ["tRPC", "/trpc/hosts.batch"],
])("an answer to a change is never compressed: %s", async (_transport, path) => {
  const hostIds = Array.from({ length: 100 }, (_, n) => MISSING.slice(0, -3) + String(100 + n));

  const { status, headers, body } = await app.root.raw("POST", path, {
    headers: { "accept-encoding": "gzip, br", "content-type": "application/json" },
    body: JSON.stringify({ operation: "sync", hostIds }),
  });

  expect(status).toBe(200);
  expect(JSON.stringify(body).length).toBeGreaterThan(2_048);
  expect(headers.get("content-encoding")).toBeNull();
});

function ask(path: string, coding: string) {
  return app.root.raw("GET", path, { headers: { "accept-encoding": coding } });
}

/** The names of all fields that an answer may have. */
function fieldsOf(output: z.ZodType): string[] {
  const text = JSON.stringify(z.toJSONSchema(output, { io: "output", unrepresentable: "any" }));
  const schemas: unknown[] = [JSON.parse(text)];
  const names = new Set<string>();
  for (let schema = schemas.pop(); schema !== undefined; schema = schemas.pop()) {
    if (typeof schema !== "object" || schema === null) continue;
    if ("properties" in schema) {
      for (const name of Object.keys(schema.properties ?? {})) names.add(name);
    }
    schemas.push(...Object.values(schema));
  }
  return [...names];
}
