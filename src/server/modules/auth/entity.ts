import { defineEntity, type InferEntity } from "@mikro-orm/core";
import type { TokenScope } from "../../../shared/api-tokens.ts";
import { UserEntity } from "../users/entity.ts";

export const SessionEntity = defineEntity({
  name: "Session",
  tableName: "sessions",
  properties: (p) => ({
    id: p.uuid().primary(),
    tokenHash: p.blob().unique().hidden(),
    user: () => p.manyToOne(UserEntity).deleteRule("cascade"),
    createdAt: p.bigint("number"),
    lastUsedAt: p.bigint("number"),
    expiresAt: p.bigint("number"),
    ip: p.text(),
    userAgent: p.text(),
  }),
  indexes: [{ name: "sessions_user_id", properties: "user" }],
});

/** What programs sign in with. A revoked one has no row any more. */
export const ApiTokenEntity = defineEntity({
  name: "ApiToken",
  tableName: "api_tokens",
  properties: (p) => ({
    id: p.uuid().primary(),
    tokenHash: p.blob().unique().hidden(),
    hint: p.text(),
    user: () => p.manyToOne(UserEntity).deleteRule("cascade"),
    name: p.text(),
    scope: p.text().$type<TokenScope>(),
    allowedAddresses: p.json<string[]>(),
    createdAt: p.bigint("number"),
    expiresAt: p.bigint("number"),
    lastUsedAt: p.bigint("number").nullable(),
    lastUsedAddress: p.text().nullable(),
  }),
  indexes: [{ name: "api_tokens_user_id", properties: "user" }],
  checks: [{ name: "api_tokens_scope_check", expression: "scope in ('read', 'full')" }],
});

/** Attempts that failed or are under way in a window, per key of login-limit.ts. */
export const LoginFailureEntity = defineEntity({
  name: "LoginFailure",
  tableName: "login_failures",
  properties: (p) => ({
    key: p.text().primary().fieldName("account_key"),
    windowStartedAt: p.bigint("number"),
    failures: p.integer(),
  }),
});

export const KnownAddressEntity = defineEntity({
  name: "KnownAddress",
  tableName: "known_addresses",
  properties: (p) => ({
    user: () => p.manyToOne(UserEntity).primary().deleteRule("cascade"),
    address: p.text().primary(),
    lastSignedInAt: p.bigint("number"),
  }),
});

/** A user's second factor, on or only set up. */
export const SecondFactorEntity = defineEntity({
  name: "SecondFactor",
  tableName: "second_factors",
  properties: (p) => ({
    id: p.uuid().primary(),
    user: () => p.manyToOne(UserEntity).unique().deleteRule("cascade"),
    /** The TOTP secret, bound to this table, row and field (platform/secrets.ts). */
    secretSealed: p.text().hidden(),
    /** Null: set up, and not on before a first code has confirmed it. */
    confirmedAt: p.bigint("number").nullable(),
    /** The time step of the last code that was accepted; 0 before the first. */
    lastUsedStep: p.bigint("number"),
    createdAt: p.bigint("number"),
  }),
});
export type SecondFactorRow = InferEntity<typeof SecondFactorEntity>;

/** Those that have not been used. */
export const RecoveryCodeEntity = defineEntity({
  name: "RecoveryCode",
  tableName: "recovery_codes",
  properties: (p) => ({
    secondFactor: () => p.manyToOne(SecondFactorEntity).primary().deleteRule("cascade"),
    codeHash: p.blob().primary().hidden(),
  }),
});

/** Sign-ins whose password was right, and which wait for a code. */
export const SignInChallengeEntity = defineEntity({
  name: "SignInChallenge",
  tableName: "sign_in_challenges",
  properties: (p) => ({
    tokenHash: p.blob().primary().hidden(),
    user: () => p.manyToOne(UserEntity).deleteRule("cascade"),
    /** Wrong codes so far. */
    failures: p.integer().default(0),
    expiresAt: p.bigint("number"),
  }),
  indexes: [{ name: "sign_in_challenges_user_id", properties: "user" }],
});
