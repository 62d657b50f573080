import { v7 as newId } from "uuid";
import {
  type ApiToken,
  type CreateApiTokenInput,
  type CreatedApiToken,
  MAX_API_TOKEN_DAYS,
  MAX_API_TOKENS,
  type RevokeUserTokenInput,
} from "../../../shared/api-tokens.ts";
import type { IdInput, Nothing } from "../../../shared/ids.ts";
import { DAY_SECONDS } from "../../../shared/time.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError, invalidField } from "../../platform/errors.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { type Fields, fieldChanges } from "../audit-records/field-changes.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import { getUser } from "../users/queries.ts";
import { hintOf, newApiToken } from "./api-token-format.ts";
import type { AuthDeps, SessionDeps } from "./deps.ts";
import { ApiTokenEntity } from "./entity.ts";
import { recordOwnAct } from "./record-own-act.ts";
import { hashToken, lockOwnUser } from "./sessions.ts";

/** The newest first, also those that have expired and are not removed yet. */
export async function listOwnTokens(deps: SessionDeps, { id }: Caller): Promise<ApiToken[]> {
  return await readTokens(deps, id);
}

/** As `listOwnTokens`, of a user whom the caller manages. */
export async function listTokensOfUser(
  deps: SessionDeps,
  caller: Caller,
  { id }: IdInput,
): Promise<ApiToken[]> {
  await getUser(deps, caller, { id });
  return await readTokens(deps, id);
}

/**
 * Only this answer has the token itself. Throws INVALID_INPUT on `expiresAt`; STATE_CONFLICT when
 * the caller has too many live ones.
 */
export async function createToken(
  deps: AuthDeps,
  caller: Caller,
  input: CreateApiTokenInput,
): Promise<CreatedApiToken> {
  const createdAt = deps.clock.now();
  assertExpiry(input.expiresAt, createdAt);

  const token = newApiToken();
  const stored = {
    ...input,
    id: newId(),
    hint: hintOf(token),
    createdAt,
    lastUsedAt: null,
    lastUsedAddress: null,
  };
  await inTransaction(deps, async (em) => {
    await lockOwnUser(em, caller);

    const live = { user: caller.id, expiresAt: { $gt: createdAt } };
    if ((await em.count(ApiTokenEntity, live)) >= MAX_API_TOKENS) {
      throw new AppError(
        "STATE_CONFLICT",
        `最多同时保留 ${MAX_API_TOKENS} 个有效的 API 令牌，请先撤销不用的令牌`,
      );
    }
    await em.insert(ApiTokenEntity, { ...stored, user: caller.id, tokenHash: hashToken(token) });

    const changes = fieldChanges(null, auditedFields(stored));
    await recordOwnAct({ ...deps, em }, caller, { action: "auth.createToken", changes });
  });
  return { ...stored, token };
}

export async function revokeOwnToken(
  deps: AuthDeps,
  caller: Caller,
  { id }: IdInput,
): Promise<Nothing> {
  return await revokeToken(deps, { action: "auth.revokeToken", id, user: caller });
}

/** As `revokeOwnToken`, of a user whom the caller manages. */
export async function revokeTokenOfUser(
  deps: AuthDeps,
  caller: Caller,
  { id: userId, tokenId }: RevokeUserTokenInput,
): Promise<Nothing> {
  const user = await getUser(deps, caller, { id: userId });
  return await revokeToken(deps, { action: "users.revokeToken", id: tokenId, user });
}

interface Revocation {
  readonly action: "auth.revokeToken" | "users.revokeToken";
  /** Of the token. */
  readonly id: string;
  readonly user: Pick<Caller, "id" | "name">;
}

/** NOT_FOUND for a token that is another user's, or revoked already. */
async function revokeToken(deps: AuthDeps, { action, id, user }: Revocation): Promise<Nothing> {
  const subject = { type: "user", id: user.id, label: user.name } as const;
  noteSubject(deps, subject);

  await inTransaction(deps, async (em) => {
    const revoked = await kyselyOf(em)
      .deleteFrom("api_tokens")
      .where("id", "=", id)
      .where("user", "=", user.id)
      .returning(["name", "scope", "allowedAddresses", "expiresAt"])
      .executeTakeFirst();
    if (revoked === undefined) throw new AppError("NOT_FOUND", "API 令牌不存在或已撤销");

    const changes = fieldChanges(auditedFields(revoked), null);
    await recordAudit({ ...deps, em }, { action, subject, changes }, deps.clock.now());
  });

  deps.bus.emit("sessions.ended", { credentialId: id });
  return {};
}

/** What the audit log tells of a token. */
function auditedFields(
  token: Pick<ApiToken, "name" | "scope" | "allowedAddresses" | "expiresAt">,
): Fields {
  return {
    tokenName: token.name,
    scope: token.scope,
    allowedAddresses: token.allowedAddresses,
    expiresAt: token.expiresAt,
  };
}

function assertExpiry(expiresAt: number, now: number): void {
  if (expiresAt <= now) throw invalidField("expiresAt", "到期时间必须在将来");

  if (expiresAt > now + MAX_API_TOKEN_DAYS * DAY_SECONDS) {
    throw invalidField("expiresAt", `到期时间最多在 ${MAX_API_TOKEN_DAYS} 天之后`);
  }
}

async function readTokens({ em }: SessionDeps, userId: string): Promise<ApiToken[]> {
  return await kyselyOf(em)
    .selectFrom("api_tokens")
    .select([
      "id",
      "name",
      "hint",
      "scope",
      "allowedAddresses",
      "createdAt",
      "expiresAt",
      "lastUsedAt",
      "lastUsedAddress",
    ])
    .where("user", "=", userId)
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .execute();
}
