import type { CreateApiTokenInput } from "../../src/shared/api-tokens.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { now } from "./data.ts";
import { assertOk, type RestClient, restClient } from "./rest.ts";

/** Somewhere else than the tests. */
export const OTHER_ADDRESS = "203.0.113.7";

export interface MadeToken {
  readonly id: string;
  readonly token: string;
  /** REST with the token. */
  readonly client: RestClient;
}

export function buildToken(more: Partial<CreateApiTokenInput> = {}) {
  return { name: "月度报表", scope: "full", expiresAt: now() + 30 * DAY_SECONDS, ...more };
}

/** Makes an API token of the user who is signed in. */
export async function makeToken(
  url: string,
  owner: RestClient,
  more: Partial<CreateApiTokenInput> = {},
): Promise<MadeToken> {
  const { data } = await assertOk(owner.post("/api/auth/tokens", buildToken(more)));
  const token = String(data.token);
  return { id: String(data.id), token, client: restClient(url, token) };
}
