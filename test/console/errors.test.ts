import { TRPCClientError } from "@trpc/client";
import { describe, expect, it } from "vitest";
import { errorMessage, isOutcomeUnknown } from "@/api/errors";
import { foreignAnswer } from "../../src/sdk/foreign-answer.ts";

/** A proxy's answer to an upload or a download. */
function answerToFile(status: number) {
  return foreignAnswer(new Response("<html>", { status }), "https://console.example.com/");
}

/** A proxy's answer to a call of the console. */
function answerToCall(status: number, body: unknown = {}) {
  const response = new Response(null, { status });
  return TRPCClientError.from(new Error("Unable to transform response from server"), {
    meta: { response, responseJSON: body },
  });
}

describe("what a proxy refuses", () => {
  it("for its size says how the file gets through", () => {
    const text = errorMessage(answerToFile(413));

    expect(text).toContain("超过代理服务器允许的大小");
    expect(text).toContain("分成几份");
    expect(text).toContain("请求体上限");
    expect(errorMessage(answerToCall(413))).toBe(text);
  });

  it.each([403, 408, 413, 414, 429])("with %s is told in a sentence of its own", (status) => {
    expect(errorMessage(answerToCall(status))).not.toBe("请求失败");
  });

  it("is told in the proxy's own words where it has some", () => {
    expect(errorMessage(answerToCall(403, { msg: "维护中" }))).toBe("维护中");
  });

  it("was not done", () => {
    expect(isOutcomeUnknown(answerToFile(413))).toBe(false);
  });
});

it.each([500, 502, 504, 520, 524])("after %s nobody knows whether an act was done", (status) => {
  expect(isOutcomeUnknown(answerToCall(status))).toBe(true);
  expect(errorMessage(answerToCall(status))).toContain("服务器暂时不可用");
});
