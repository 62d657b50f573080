import { describe, expect, it } from "vitest";
import { flattenParams, type ParamValue, signParams } from "../../src/server/provider/sign.ts";

const PUBLIC_KEY = "ucloudsomeone@example.com1296235120854146120";
const PRIVATE_KEY = "46f09bb9fab4f12dfc160dae12273d5332b5debe";

const CREATE_HOST = {
  Action: "CreateUHostInstance",
  CPU: 2,
  ChargeType: "Month",
  DiskSpace: 10,
  ImageId: "f43736e1-65a5-4bea-ad2e-8a46e18883c2",
  LoginMode: "Password",
  Memory: 2048,
  Name: "Host01",
  Password: "VUNsb3VkLmNu",
  Quantity: 1,
  Region: "cn-bj2",
  Zone: "cn-bj2-04",
};
const DESCRIBE = { Action: "DescribeUHostInstance", Region: "cn-bj2" };
const BACKENDS = ["foo", "bar", 42, "foo", "bar", 42, "foo", "bar", 42, "foo", "bar", 42];

/** Official vectors V…, and D… made with the official SDKs, all with the public sample key pair. */
const VECTORS: readonly (readonly [string, Record<string, ParamValue>, string])[] = [
  ["V1", { ...DESCRIBE, Limit: 10 }, "cba5cf5ec4d4233d206b1b54951e3787350a642f"],
  ["V1 with a null", { ...DESCRIBE, Limit: 10, Zone: null }, "cba5cf5ec4d4233d206b1b54951e3787350a642f"],
  ["V2", CREATE_HOST, "4f9ef5df2abab2c6fccd1e9515cb7e2df8c6bb65"],
  ["V3", { Action: "AllocateBackendBatch", Backends: BACKENDS }, "6bc32642779f8cb0bb3d3f128b1c0688abf9a1a3"],
  ["V6", { ...DESCRIBE, Proportion: 65.722 }, "5e39dd48144d6a075328e56a6c5e9df6c39ae939"],
  [
    "D2",
    { Action: "ModifyUHostInstanceName", Region: "cn-bj2", UHostId: "uhost-test", Name: "测试主机" },
    "98c52111641898f7ea67267deaacb0101964301f",
  ],
  ["D5", { ...DESCRIBE, UHostIds: ["uhost-a", "uhost-b"] }, "f9cd05976ab6ec5c6af52fb7110818888de8d6c4"],
  [
    "D7",
    {
      Action: "GetUHostInstancePrice",
      Region: "cn-bj2",
      CPU: 2,
      Memory: 4096,
      Count: 1,
      Disks: [{ Size: 40, IsBoot: "True", Type: "CLOUD_SSD" }],
    },
    "b8e719a33e40d720855b98992f79b9e46c7184da",
  ],
];

describe("signing", () => {
  it.each(VECTORS)("agrees with vector %s", (_name, params, signature) => {
    expect(signParams(flattenParams({ ...params, PublicKey: PUBLIC_KEY }), PRIVATE_KEY)).toBe(signature);
  });

  it("agrees with vector V7, which has another key and no public one", () => {
    expect(signParams({ foo: "bar" }, "my_private_key")).toBe("634edc1bb957c0d65e5ab5494cf3b7784fbc87af");
  });
});

describe("flattening", () => {
  it("uses dotted zero-based keys", () => {
    expect(flattenParams({ X: ["a", "b"], Led: { Enabled: false } })).toEqual({
      "X.0": "a",
      "X.1": "b",
      "Led.Enabled": false,
    });
  });

  it("leaves out null, undefined and empty strings at any depth, and keeps zero and false", () => {
    const flat = flattenParams({ a: null, b: undefined, c: [], d: { e: "", f: null }, g: 0, h: false });
    expect(flat).toEqual({ g: 0, h: false });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e21, 1e-7])(
    "refuses %d, which JSON does not write as a plain decimal",
    (value) => {
      expect(() => flattenParams({ value })).toThrow(RangeError);
    },
  );
});
