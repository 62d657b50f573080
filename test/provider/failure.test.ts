import { describe, expect, it } from "vitest";
import { AppError } from "../../src/server/core/errors.ts";
import {
  httpStatusFailure,
  ProviderFailure,
  type ProviderFailureKind,
  retCodeFailure,
} from "../../src/server/provider/failure.ts";
import { RET_CODES } from "../../src/server/provider/ret-codes.ts";

const EXPECTED_KINDS: readonly (readonly [number, ProviderFailureKind])[] = [
  [110, "timeout"],
  [130, "unavailable"],
  [150, "unavailable"],
  [153, "throttled"],
  [171, "unauthorized"],
  [172, "unauthorized"],
  [174, "unauthorized"],
  [230, "not-opened"],
  [292, "project-missing"],
  [293, "not-opened"],
  [294, "ip-refused"],
  [295, "security-lock"],
  [299, "forbidden"],
  [8117, "unexpected"],
  [8300, "forbidden"],
];

describe("a failed call in words", () => {
  it.each(EXPECTED_KINDS)("RetCode %d is %s", (retCode, kind) => {
    const failure = retCodeFailure(retCode, "req-1");
    expect(failure).toMatchObject({ kind, retCode, requestId: "req-1" });
    expect(failure).toBeInstanceOf(AppError);
  });

  it("is PROVIDER_TIMEOUT when the provider was too slow, else PROVIDER_ERROR", () => {
    expect(new ProviderFailure("timeout").code).toBe("PROVIDER_TIMEOUT");
    expect(retCodeFailure(110, null).code).toBe("PROVIDER_TIMEOUT");
    expect(retCodeFailure(171, null).code).toBe("PROVIDER_ERROR");
  });

  it("says in every sentence of the table what happened and what to do", () => {
    for (const [retCode, { sentence }] of RET_CODES) {
      expect(sentence, String(retCode)).toMatch(/，请/);
    }
  });

  it("names a number it does not know", () => {
    const failure = retCodeFailure(214001, null);
    expect(failure.kind).toBe("unexpected");
    expect(failure.message).toContain("214001");
  });

  it.each([
    [429, "throttled"],
    [302, "redirect"],
    [502, "unavailable"],
    [404, "unexpected"],
  ] as const)("HTTP %d is %s", (status, kind) => {
    expect(httpStatusFailure(status, null)).toMatchObject({ kind, retCode: null });
  });
});
