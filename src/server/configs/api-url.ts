import type { Deps } from "../core/deps.ts";
import { invalidField } from "../core/errors.ts";

/** Throws INVALID_INPUT on `apiUrl` when it must not be called. */
export async function assertCallable({ outbound }: Pick<Deps, "outbound">, apiUrl: string): Promise<void> {
  const verdict = await outbound.checkUrl(apiUrl);
  if (!verdict.ok) throw invalidField("apiUrl", verdict.message);
}
