import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { useLogLines } from "./log-lines.ts";

const { lines, log } = useLogLines();
const app = useApp({ overrides: { log } });
const NOBODY = "0198a000-0000-7000-8000-000000000000";

it("a refused permission leaves one line that says who, what, which row and by which request", async () => {
  const client = await app.account("client");
  const from = lines.length;
  const { status } = await client.delete(`/api/users/${NOBODY}`);
  expect(status).toBe(403);
  const said = lines.slice(from).map((line) => JSON.parse(line));
  expect(said.filter(({ msg }) => msg === "permission refused")).toEqual([
    expect.objectContaining({ caller: client.id, call: "users.delete", id: NOBODY, requestId: expect.any(String) }),
  ]);
});

it("a call that is refused for its input or state says who, one without a session says nobody", async () => {
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
