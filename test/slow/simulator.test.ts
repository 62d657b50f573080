import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { LIST, post, signed } from "../simulator/speak.ts";

describe("as a process", () => {
  test("it announces itself, obeys its control over HTTP, and exits 0 on SIGTERM", async () => {
    const child = spawn(
      process.execPath,
      ["src/simulator/main.ts", "--port", "0", "--hosts", "50", "--regions", "cn-bj2,hk"],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const [line] = z.tuple([z.string()]).parse(await once(createInterface(child.stdout), "line"));
    const url = /^simulator listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1] ?? "";
    const control = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${url}/__control/${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, json: z.looseObject({}).parse(await response.json()) };
    };
    expect((await control("GET", "hosts")).json).toMatchObject({ total: 50 });
    expect((await control("POST", "hosts/remove", { region: "hk" })).status).toBe(200);
    expect((await control("POST", "hosts/add", { region: "hk", count: 4 })).json.ids).toHaveLength(4);
    expect((await control("GET", "hosts?region=hk")).json).toMatchObject({ total: 4 });
    expect((await control("POST", "faults", { times: 1, fault: { kind: "httpStatus", status: 503 } })).json).toEqual({
      ids: ["fault-1"],
    });
    expect((await post(url, signed(LIST))).status).toBe(503);
    expect((await control("POST", "hold", {})).status).toBe(200);
    const waiting = post(url, signed(LIST));
    expect((await control("POST", "wait-held", { count: 1 })).json).toEqual({ held: 1 });
    expect((await control("POST", "release", {})).json).toEqual({ released: 1 });
    expect((await waiting).status).toBe(200);
    expect((await control("GET", "calls")).json).toMatchObject({ total: 2, inFlight: 0 });
    expect((await control("POST", "faults", { fault: { kind: "nonsense" } })).status).toBe(400);
    expect((await control("POST", "reset")).status).toBe(200);
    expect((await control("GET", "hosts")).json).toMatchObject({ total: 50 });
    expect((await control("GET", "nothing")).status).toBe(404);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});
