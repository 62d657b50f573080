import { expect, it } from "vitest";
import { MAX_UNIX_SECONDS } from "../../src/shared/time.ts";
import { useApp } from "../harness/app.ts";
import { insertHost } from "../harness/data.ts";
import { useLogLines } from "./log-lines.ts";

const { lines, log } = useLogLines();
const app = useApp({ overrides: { log } });
const NOBODY = "0198a000-0000-7000-8000-000000000000";

it("a denied permission logs one line with the caller, the procedure, the row and the request id", async () => {
  const client = await app.account("client");
  const from = lines.length;
  const { status } = await client.delete(`/api/users/${NOBODY}`);
  expect(status).toBe(403);
  const records = lines.slice(from).map((line) => JSON.parse(line));
  expect(records.filter(({ msg }) => msg === "permission refused")).toEqual([
    expect.objectContaining({ caller: client.id, call: "users.delete", id: NOBODY, requestId: expect.any(String) }),
  ]);
});

it("a call rejected for its input or state logs its caller, and none without a session", async () => {
  const from = lines.length;
  await app.root.get("/api/hosts?page=0");
  await app.anonymous.get("/api/hosts");
  const [refused, unknown] = lines
    .slice(from)
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === "call refused");
  expect(refused).toMatchObject({ code: "INVALID_INPUT", caller: expect.any(String) });
  expect(unknown).toMatchObject({ code: "UNAUTHENTICATED" });
  expect(unknown).not.toHaveProperty("caller");
});

it("an answer that violates its own schema is logged as a bug and not as invalid input", async () => {
  const id = await insertHost(app, { create_time: MAX_UNIX_SECONDS + 1 });
  const answers = [
    await app.root.get(`/api/hosts/${id}`),
    await app.root.get("/api/hosts"),
    await app.anonymous.raw("GET", `/trpc/hosts.get?input=${encodeURIComponent(JSON.stringify({ id }))}`, {
      headers: { authorization: `Bearer ${app.root.token}` },
    }),
  ];
  const [rest, list, trpc] = answers;
  for (const answer of [rest, list]) {
    expect([answer?.status, answer?.body]).toEqual([
      500,
      { message: "服务器内部错误", code: "INTERNAL", requestId: expect.any(String) },
    ]);
  }
  expect([trpc?.status, trpc?.body]).toMatchObject([500, { error: { message: "服务器内部错误" } }]);
  const bugs = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "unhandled error");
  expect(bugs.map(({ requestId }) => requestId)).toEqual(answers.map(({ headers }) => headers.get("x-request-id")));
});

it("the rejected call for a body over the limit is logged, without the body's content", async () => {
  const from = lines.length;
  const body = JSON.stringify({ username: "canary".repeat(60_000), password: "x" });
  const init = { body, headers: { "content-type": "application/json" } };
  expect((await app.anonymous.raw("POST", "/trpc/auth.login", init)).status).toBe(413);
  expect((await app.anonymous.raw("POST", "/api/auth/login", init)).status).toBe(413);
  const refused = lines.slice(from).filter((line) => line.includes("call refused"));
  expect(refused.map((line) => JSON.parse(line))).toMatchObject([{ call: "auth.login", code: "PAYLOAD_TOO_LARGE" }]);
  expect(lines.slice(from).join()).not.toContain("canary");
});
