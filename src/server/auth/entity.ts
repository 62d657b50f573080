import { defineEntity, type InferEntity } from "@mikro-orm/core";
import type { InferKyselyTable } from "@mikro-orm/postgresql";
import { UserEntity } from "../users/entity.ts";

export const SessionEntity = defineEntity({
  name: "Session",
  tableName: "sessions",
  properties: (p) => ({
    id: p.uuid().primary(),
    /** SHA-256 of the token; the token itself is held by nobody but its owner. */
    tokenHash: p.blob().hidden(),
    user: () => p.manyToOne(UserEntity),
    createdAt: p.bigint("number"),
    lastUsedAt: p.bigint("number"),
    expiresAt: p.bigint("number"),
    ip: p.text(),
    userAgent: p.text(),
  }),
});
export type SessionRow = InferEntity<typeof SessionEntity>;

/** Failed sign-ins per account name in the present window, known and unknown names alike. */
export const LoginFailureEntity = defineEntity({
  name: "LoginFailure",
  tableName: "login_failures",
  properties: (p) => ({
    accountKey: p.text().primary(),
    windowStartedAt: p.bigint("number"),
    failures: p.integer(),
  }),
});

export interface AuthTables {
  sessions: InferKyselyTable<typeof SessionEntity>;
  login_failures: InferKyselyTable<typeof LoginFailureEntity>;
}
