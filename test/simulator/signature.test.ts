import { describe, expect, test } from "vitest";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { Answer, type Params, post, signed, start } from "./speak.ts";

describe("the signature", () => {
  const backends = ["foo", "bar", "42"];
  // published vectors of the provider's documentation and SDKs, none of them computed here
  const vectors: readonly [string, Params, string, number][] = [
    [
      "V1",
      { Action: "DescribeUHostInstance", Region: "cn-bj2", Limit: 10 },
      "cba5cf5ec4d4233d206b1b54951e3787350a642f",
      0,
    ],
    [
      "V3",
      {
        Action: "AllocateBackendBatch",
        ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`Backends.${i}`, backends[i % 3] ?? ""])),
      },
      "6bc32642779f8cb0bb3d3f128b1c0688abf9a1a3",
      161,
    ],
    [
      "D2",
      { Action: "ModifyUHostInstanceName", Region: "cn-bj2", UHostId: "uhost-test", Name: "测试主机" },
      "98c52111641898f7ea67267deaacb0101964301f",
      161,
    ],
    [
      "D5",
      { Action: "DescribeUHostInstance", Region: "cn-bj2", "UHostIds.0": "uhost-a", "UHostIds.1": "uhost-b" },
      "f9cd05976ab6ec5c6af52fb7110818888de8d6c4",
      0,
    ],
  ];

  test.each(vectors)(
    "vector %s is accepted as JSON, form and query, and refused once a letter differs",
    async (_, params, signature, retCode) => {
      const { url, control } = await start();
      const all = { ...params, PublicKey: MAIN_KEYS.publicKey, Signature: signature };
      const encoded = new URLSearchParams(
        Object.fromEntries(Object.entries(all).map(([name, value]) => [name, String(value)])),
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
      expect(
        control
          .calls()
          .last.map((seen) => seen.encoding)
          .toSorted(),
      ).toEqual(["form", "json", "query"]);
      const wrong = await post(url, { ...all, Signature: signature.replace(/.$/, (c) => (c === "f" ? "e" : "f")) });
      expect(await wrong.json()).toEqual({ RetCode: 171, Message: "Signature VerifyAC Error" });
      const tampered = await post(url, { ...all, Extra: "1" });
      expect(Answer.parse(await tampered.json()).RetCode).toBe(171);
    },
  );

  test("missing action, missing signature, unknown key and unknown action have their own codes", async () => {
    const { url } = await start();
    const retCode = async (body: unknown) => Answer.parse(await (await post(url, body)).json()).RetCode;
    expect(await retCode({})).toBe(160);
    expect(await retCode({ Action: "GetRegion" })).toBe(170);
    expect(await retCode({ Action: "GetRegion", PublicKey: "nobody", Signature: "0" })).toBe(172);
    expect(await retCode(signed({ Action: "TerminateEverything" }))).toBe(161);
  });
});
