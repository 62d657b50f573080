import { describe, expect, test } from "vitest";
import { httpStatus } from "../harness/faults.ts";
import { startProvider } from "../harness/programs.ts";
import { LIST, post, signed } from "../simulator/client.ts";

describe("the simulator as a process", () => {
  test("prints its URL, is controlled over HTTP and exits with 0 on SIGTERM", async () => {
    await using provider = await startProvider(["--hosts", "50", "--regions", "cn-bj2,hk"]);
    expect(await provider.control("hosts")).toHaveLength(50);
    await provider.control("removeHosts", { region: "hk" });
    expect(await provider.control("addHosts", { region: "hk", count: 4 })).toHaveLength(4);
    expect(await provider.control("hosts", { region: "hk" })).toHaveLength(4);
    expect(await provider.control("addFaults", { times: 1, fault: httpStatus(503) })).toEqual(["fault-1"]);
    expect((await post(provider.url, signed(LIST))).status).toBe(503);
    await provider.control("hold");
    const held = post(provider.url, signed(LIST));
    await provider.control("waitForHeld");
    expect(await provider.control("release")).toBe(1);
    expect((await held).status).toBe(200);
    expect(await provider.control("calls")).toMatchObject({ total: 2, inFlight: 0 });
    await provider.control("reset");
    expect(await provider.control("hosts")).toHaveLength(50);
    expect(await provider.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  });

  test.each([
    ["POST", "addFaults", '[{"fault":{"kind":"nonsense"}}]'],
    ["POST", "nothing", "[]"],
    ["POST", "constructor", "[]"],
    ["POST", "calls", "{"],
    ["GET", "reset", undefined],
  ])("%s %s with %s is refused", async (method, path, body) => {
    await using provider = await startProvider(["--hosts", "5"]);
    const answer = await fetch(`${provider.url}/__control/${path}`, {
      method,
      ...(body === undefined ? {} : { body }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ message: expect.any(String) });
  });
});
