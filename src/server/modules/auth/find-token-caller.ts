import type { Kysely } from "kysely";
import { isWithinRanges } from "../../platform/address-ranges.ts";
import { kyselyOf, type Tables } from "../../platform/database/kysely.ts";
import { prepared } from "../../platform/database/prepared.ts";
import { anyOf } from "../../platform/database/sql.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Caller, Credentials } from "../../platform/trpc/caller.ts";
import { lacksSecondFactor } from "../users/access.ts";
import { CALLER_FIELDS } from "./caller-fields.ts";
import { ApiTokenEntity } from "./entity.ts";
import { goOnUnlessLost } from "./go-on-unless-lost.ts";
import { selectLiveTokens } from "./live-tokens.ts";
import { hashToken } from "./sessions.ts";

const TOUCH_EVERY_SECONDS = 60;

type TokenDeps = Pick<Deps, "em" | "clock">;

interface TokenValues {
  readonly tokenHash: Buffer;
  readonly now: number;
}

const readTokenCaller = prepared((db, { tokenHash, now }: TokenValues) =>
  selectTokenCallers(db, now)
    .select(["t.allowedAddresses", "t.lastUsedAt"])
    .where("t.tokenHash", "=", tokenHash),
);

/**
 * Null when the API token is unknown or dead, or is not for this address. Counts as use of the
 * token.
 */
export async function findTokenCaller(
  deps: TokenDeps & Pick<Deps, "log">,
  { token, ip }: Credentials,
): Promise<Caller | null> {
  const values = { tokenHash: hashToken(token), now: deps.clock.now() };
  const [found] = await readTokenCaller(deps.em, values);
  if (found === undefined) return null;

  const { allowedAddresses, lastUsedAt, ...row } = found;
  if (allowedAddresses.length > 0 && !isWithinRanges(ip, allowedAddresses)) {
    deps.log.warn({ tokenId: row.credentialId, ip }, "API token refused: not allowed from there");
    return null;
  }

  await touchToken(deps, { id: row.credentialId, lastUsedAt, ip });
  return toCaller(row);
}

/**
 * The callers of the live ones of these API tokens, for what is open. Not those whose user must
 * change the password, whose calls are refused as well. Does not count as use.
 */
export async function findLiveTokenCallers(
  { em, clock }: TokenDeps,
  ids: readonly string[],
): Promise<Caller[]> {
  if (ids.length === 0) return [];

  const rows = await selectTokenCallers(kyselyOf(em), clock.now())
    .where("t.id", "=", anyOf(ids))
    .where("u.mustChangePassword", "=", false)
    .execute();
  return rows.map(toCaller);
}

function selectTokenCallers(db: Kysely<Tables>, now: number) {
  return selectLiveTokens(db, now)
    .select(CALLER_FIELDS)
    .select(["t.id as credentialId", "t.name as tokenName", "t.scope"])
    .select((eb) => lacksSecondFactor(eb).as("lacksSecondFactor"));
}

type TokenCallerRow = Awaited<ReturnType<ReturnType<typeof selectTokenCallers>["execute"]>>[number];

function toCaller({ tokenName, scope, ...caller }: TokenCallerRow): Caller {
  return { ...caller, token: { id: caller.credentialId, name: tokenName, scope } };
}

interface TokenUse {
  readonly id: string;
  readonly lastUsedAt: number | null;
  readonly ip: string;
}

/** Writes when and from where the token is used, at most once a minute. */
async function touchToken({ em, clock }: TokenDeps, { id, lastUsedAt, ip }: TokenUse) {
  const now = clock.now();
  // Also a time of a clock that was ahead is replaced.
  if (lastUsedAt !== null && Math.abs(now - lastUsedAt) < TOUCH_EVERY_SECONDS) return;

  // Of several calls at once one writes. None fails because its time could not be written.
  await em
    .nativeUpdate(ApiTokenEntity, { id, lastUsedAt }, { lastUsedAt: now, lastUsedAddress: ip })
    .catch(goOnUnlessLost);
}
