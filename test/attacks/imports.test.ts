import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { importFile, outcomesOf, sendImport } from "../harness/imports.ts";

const app = useApp();

const MIB = 1024 * 1024;
const users = (file: string | Uint8Array<ArrayBuffer>, type = "text/csv") =>
  sendImport(app.root, { kind: "users", file, type });

describe("a hostile file", () => {
  it.each([
    [
      "an image",
      Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0]),
      "file",
    ],
    ["a header of 4 MB", `用户名,${"x".repeat(4 * MIB)}\n`, "file"],
    ["a quote that never closes", `用户名\n"${"x\n".repeat(2 * MIB)}`, "file"],
    ["rows that are all ragged", "用户名,姓名\na\nb\n", "file"],
    ["columns named as prototypes", "用户名,__proto__,constructor\na,b,c\n", "file"],
  ])("is refused, and others are answered meanwhile: %s", async (_what, file, field) => {
    const [refusal, other] = await Promise.all([users(file), app.root.get("/api/auth/me")]);

    expect([refusal.status, refusal.data.code]).toEqual([400, "INVALID_INPUT"]);
    expect(refusal.data.errors[0].field).toBe(field);
    expect(refusal.data.message).toMatch(/\p{Script=Han}/u);
    expect(other.status).toBe(200);
  });

  it("larger than 5 MB is refused before it is read", async () => {
    const { status, data } = await users(`用户名\n${"x".repeat(5 * MIB)}`);

    expect([status, data.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  it.each(["application/json", "multipart/form-data", "text/csv; charset=utf-16", "text/html"])(
    "of the type %s is refused",
    async (type) => {
      const { status } = await users("用户名\nzhang\n", type);

      expect(status).toBe(415);
    },
  );

  it("does not raise the limit of other calls", async () => {
    const headers = { "content-type": "text/csv" };
    const body = "x".repeat(300 * 1024);

    const { status } = await app.root.raw("POST", "/api/users", { body, headers });

    expect(status).toBe(413);
  });

  it("has formulas, which are stored as the text that they are", async () => {
    const name = '=HYPERLINK("https://evil.example","点我")';
    const file = [
      ["用户名", "姓名", "角色"],
      ["zhang", name, "C端用户"],
    ];

    const result = await importFile(app.root, { kind: "users", file });

    expect(outcomesOf(result)).toEqual(["2 create"]);
    const { data } = await app.root.get("/api/users?search=zhang");
    expect(data.users[0].name).toBe(name);
  });
});
