import { openCredentials } from "../configs/credentials.ts";
import type { ConfigRow } from "../configs/entity.ts";
import type { Deps } from "../core/deps.ts";
import { type ClientLimits, createProviderClient, type ObservedCall, type ProviderClient } from "../provider/client.ts";
import { measureCalls } from "../provider/measure.ts";

export type ProviderDeps = Pick<Deps, "secrets" | "outbound" | "log" | "metrics" | "clock">;

interface AccessOptions {
  /** Ends all calls. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<ClientLimits>;
  readonly onCall?: (call: ObservedCall) => void;
}

/** A client in the name of a configuration, its calls counted. */
export function connectProvider(
  deps: ProviderDeps,
  config: ConfigRow,
  { onCall, ...options }: AccessOptions = {},
): ProviderClient {
  const { apiUrl, publicKey, privateKey } = openCredentials(deps, config);
  const measure = measureCalls(deps.metrics);
  return createProviderClient({
    apiUrl,
    publicKey,
    privateKey,
    guard: deps.outbound,
    log: deps.log,
    clock: deps.clock,
    onCall(call) {
      measure(call);
      onCall?.(call);
    },
    ...options,
  });
}

/** How the provider is asked for a project: it has no name for the default one. */
export function providerScope({ region, projectId }: { readonly region: string; readonly projectId: string }) {
  return { region, projectId: projectId === "" ? null : projectId };
}
