import { defineEntity } from "@mikro-orm/core";
import { UserEntity } from "../users/entity.ts";

export const SessionEntity = defineEntity({
  name: "Session",
  tableName: "sessions",
  properties: (p) => ({
    id: p.uuid().primary(),
    tokenHash: p.blob().hidden(),
    user: () => p.manyToOne(UserEntity),
    createdAt: p.bigint("number"),
    lastUsedAt: p.bigint("number"),
    expiresAt: p.bigint("number"),
    ip: p.text(),
    userAgent: p.text(),
  }),
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
    user: () => p.manyToOne(UserEntity).primary(),
    address: p.text().primary(),
    lastSignedInAt: p.bigint("number"),
  }),
});
