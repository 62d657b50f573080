import type { BatchHosts } from "../../../../shared/batch.ts";
import { AppError } from "../../../platform/errors.ts";

/** What a refresh, or a decision about held hosts, did with one host. */
export type HostOutcome =
  | { readonly kind: "done"; readonly message?: string }
  | { readonly kind: "failed"; readonly error: AppError };

/** By the id of the host. */
export type HostOutcomes = ReadonlyMap<string, HostOutcome>;

type HostResult = BatchHosts["results"][number];

export const UNNAMED_PROJECT = failed(
  new AppError(
    "STATE_CONFLICT",
    "主机所在的项目已不在配置的项目范围内，没有写入；如仍需要，请在配置中加回该项目后重新同步",
  ),
);
export const UNREADABLE = failed(
  new AppError("PROVIDER_ERROR", "云服务商返回的主机数据无法识别，主机保持原状，请稍后重试"),
);

export function failed(error: AppError): HostOutcome {
  return { kind: "failed", error };
}

export function presentOutcome(hostId: string, outcome: HostOutcome): HostResult {
  if (outcome.kind === "failed") {
    const { code, message } = outcome.error;
    return { hostId, ok: false, code, message };
  }
  const { message } = outcome;
  return message === undefined ? { hostId, ok: true } : { hostId, ok: true, message };
}
