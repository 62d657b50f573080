import { expect, it } from "vitest";
import { DAY_SECONDS, MAX_UNIX_SECONDS } from "../../src/shared/time.ts";
import { useApp } from "../harness/app.ts";
import { buildUser, insertHost, MISSING, now } from "../harness/data.ts";
import { useLogLines } from "../harness/log-lines.ts";

const { lines, log } = useLogLines();
const app = useApp({ overrides: { log } });

/** The records with this message since the last call. */
function logged(message: string) {
  return lines.splice(0).flatMap((line) => {
    const record = JSON.parse(line);
    return record.msg === message ? [record] : [];
  });
}

it("a denied permission logs one line with caller, procedure, row and request id", async () => {
  const client = await app.account("client");
  expect((await client.delete(`/api/users/${MISSING}`)).status).toBe(403);
  const record = {
    caller: client.id,
    call: "users.delete",
    id: MISSING,
    requestId: expect.any(String),
  };
  expect(logged("permission refused")).toEqual([expect.objectContaining(record)]);
});

it("a change logs one line for each row, with caller, action and request id", async () => {
  const client = await app.account("client");
  const hostIds = [await insertHost(app), await insertHost(app)];
  logged("");
  const operation = {
    operation: "assign",
    hostIds,
    userId: client.id,
    assignedExpireTime: now() + 30 * DAY_SECONDS,
  };
  expect((await app.root.post("/api/hosts/batch", operation)).status).toBe(200);
  const user = await app.root.post("/api/users", buildUser());
  const by = { actorId: app.root.id, requestId: expect.any(String) };
  expect(logged("audit")).toMatchObject([
    { audit: { ...by, action: "hosts.assign", subjectId: hostIds[0] } },
    { audit: { ...by, action: "hosts.assign", subjectId: hostIds[1] } },
    { audit: { ...by, action: "users.create", subjectId: user.data.id } },
  ]);
});

it("a call rejected for its input or state logs its caller, if it has one", async () => {
  logged("");
  await app.root.get("/api/hosts?page=0");
  await app.anonymous.get("/api/hosts");
  const [refused, unknown] = logged("call refused");

  expect(refused).toMatchObject({ code: "INVALID_INPUT", caller: app.root.id });
  expect(unknown).toMatchObject({ code: "UNAUTHENTICATED" });
  expect(unknown).not.toHaveProperty("caller");
});

it("an answer that violates its own schema is logged as a bug", async () => {
  const id = await insertHost(app, { create_time: MAX_UNIX_SECONDS + 1 });
  const answers = [
    await app.root.get(`/api/hosts/${id}`),
    await app.root.get("/api/hosts"),
    await app.root.get(`/trpc/hosts.get?input=${encodeURIComponent(JSON.stringify({ id }))}`),
  ];
  const [rest, list, trpc] = answers.map(({ status, body }) => [status, body]);
  const failure = [
    500,
    { message: "服务器内部错误", code: "INTERNAL", requestId: expect.any(String) },
  ];
  expect([rest, list]).toEqual([failure, failure]);
  expect(trpc).toMatchObject([500, { error: { message: "服务器内部错误" } }]);
  const ids = logged("unhandled error").map(({ requestId }) => requestId);
  expect(ids).toEqual(answers.map(({ headers }) => headers.get("x-request-id")));
});
