import { describe, expect, test } from "vitest";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { Answer, type Params, post, signed, start } from "./client.ts";

describe("the signature", () => {
  // Published in the provider's documentation and SDKs.
  const vectors: readonly [string, Params, string, number][] = [
    [
      "V1",
      { Action: "DescribeUHostInstance", Region: "cn-bj2", Limit: 10 },
      "cba5cf5ec4d4233d206b1b54951e3787350a642f",
      0,
    ],
    [
      "D5",
      { Action: "DescribeUHostInstance", Region: "cn-bj2", "UHostIds.0": "uhost-a", "UHostIds.1": "uhost-b" },
      "f9cd05976ab6ec5c6af52fb7110818888de8d6c4",
      0,
    ],
  ];

  test.each(vectors)(
    "vector %s is accepted as JSON, form and query and refused when changed",
    async (_, params, signature, retCode) => {
      const { url } = await start();
      const all = { ...params, PublicKey: MAIN_KEYS.publicKey, Signature: signature };
      const encoded = new URLSearchParams(
        Object.entries(all).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const answers = await Promise.all([
        post(url, all),
        fetch(url, { method: "POST", body: encoded }),
        fetch(`${url}/?${encoded}`),
      ]);
      for (const answer of answers) {
        expect(answer.status).toBe(200);
        expect(answer.headers.get("x-ucloud-request-uuid")).toMatch(/^[0-9a-f-]{36}$/);
        expect(Answer.parse(await answer.json()).RetCode).toBe(retCode);
      }
      const wrong = await post(url, { ...all, Signature: signature.replace(/.$/, (c) => (c === "f" ? "e" : "f")) });
      expect(await wrong.json()).toEqual({ RetCode: 171, Message: "Signature VerifyAC Error" });
      expect(Answer.parse(await (await post(url, { ...all, Extra: "1" })).json()).RetCode).toBe(171);
    },
  );

  test.each<[string, unknown, number]>([
    ["a missing action", {}, 160],
    ["a body that is not an object", null, 160],
    ["a missing signature", { Action: "GetRegion" }, 170],
    ["an unknown key", { Action: "GetRegion", PublicKey: "nobody", Signature: "0" }, 172],
    ["an unknown action", signed({ Action: "TerminateEverything" }), 161],
  ])("%s has its own code", async (_, body, retCode) => {
    const { url } = await start();
    expect(Answer.parse(await (await post(url, body)).json()).RetCode).toBe(retCode);
  });
});
