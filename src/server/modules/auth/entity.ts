import { defineEntity } from "@mikro-orm/core";
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
