import { Migration } from "@mikro-orm/migrations";
import { type InferKyselyDB, type Options, PostgreSqlDriver } from "@mikro-orm/postgresql";
import { AuditEntryEntity } from "./src/server/modules/audit-records/entity.ts";
import {
  ApiTokenEntity,
  KnownAddressEntity,
  LoginFailureEntity,
  RecoveryCodeEntity,
  SecondFactorEntity,
  SessionEntity,
  SignInChallengeEntity,
} from "./src/server/modules/auth/entity.ts";
import { ChannelEntity, DeliveryEntity } from "./src/server/modules/channels/entity.ts";
import { HostActEntity, HostChangeEntity } from "./src/server/modules/history-records/entity.ts";
import { AssignmentEntity, HostEntity } from "./src/server/modules/hosts/entity.ts";
import { NoticeEntity } from "./src/server/modules/notice-records/entity.ts";
import { ConfigEntity } from "./src/server/modules/provider-configs/entity.ts";
import {
  ReminderEntity,
  ReminderHostEntity,
  ReminderSettingsEntity,
} from "./src/server/modules/reminders/entity.ts";
import { RenewalEntity } from "./src/server/modules/renewals/entity.ts";
import { SettingsEntity } from "./src/server/modules/settings/entity.ts";
import { SyncPartitionEntity, SyncRunEntity } from "./src/server/modules/sync/entity.ts";
import { UserEntity } from "./src/server/modules/users/entity.ts";
import { Initial } from "./src/server/platform/database/migrations/0001-initial.ts";
import { HostsOfRequests } from "./src/server/platform/database/migrations/0004-hosts-of-requests.ts";
import { PlainSchema } from "./src/server/platform/database/migrations/0005-plain-schema.ts";
import { SignInLimits } from "./src/server/platform/database/migrations/0006-sign-in-limits.ts";
import { HeldHosts } from "./src/server/platform/database/migrations/0007-held-hosts.ts";
import { HeldRemovals } from "./src/server/platform/database/migrations/0008-held-removals.ts";
import { DropUnusedIndex } from "./src/server/platform/database/migrations/0009-drop-unused-index.ts";
import { EndCompatibility } from "./src/server/platform/database/migrations/0010-end-compatibility.ts";
import { DropSearchIndexes } from "./src/server/platform/database/migrations/0011-drop-search-indexes.ts";
import { RemovalWindow } from "./src/server/platform/database/migrations/0012-removal-window.ts";
import { RunRetention } from "./src/server/platform/database/migrations/0013-run-retention.ts";
import { OpenRenewals } from "./src/server/platform/database/migrations/0014-open-renewals.ts";
import { NameOrder } from "./src/server/platform/database/migrations/0015-name-order.ts";
import { HostHistory } from "./src/server/platform/database/migrations/0016-host-history.ts";
import { SyncSchedules } from "./src/server/platform/database/migrations/0017-sync-schedules.ts";
import { PrepaidEnds } from "./src/server/platform/database/migrations/0018-prepaid-ends.ts";
import { CountedRemovals } from "./src/server/platform/database/migrations/0019-counted-removals.ts";
import { HostActs } from "./src/server/platform/database/migrations/0020-host-acts.ts";
import { CleanUp } from "./src/server/platform/database/migrations/0021-clean-up.ts";
import { EventMarks } from "./src/server/platform/database/migrations/0022-event-marks.ts";
import { UntriedAccess } from "./src/server/platform/database/migrations/0023-untried-access.ts";
import { SearchIndex } from "./src/server/platform/database/migrations/0024-search-index.ts";
import { AutoRenewal } from "./src/server/platform/database/migrations/0026-auto-renewal.ts";
import { Balances } from "./src/server/platform/database/migrations/0027-balances.ts";
import { StatusSince } from "./src/server/platform/database/migrations/0028-status-since.ts";
import { Notices } from "./src/server/platform/database/migrations/0030-notices.ts";
import { Reminders } from "./src/server/platform/database/migrations/0031-reminders.ts";
import { NoticeChannels } from "./src/server/platform/database/migrations/0032-notice-channels.ts";
import { MailPreference } from "./src/server/platform/database/migrations/0033-mail-preference.ts";
import { AuditLog } from "./src/server/platform/database/migrations/0034-audit-log.ts";
import { SecondFactor } from "./src/server/platform/database/migrations/0035-second-factor.ts";
import { ApiTokens } from "./src/server/platform/database/migrations/0036-api-tokens.ts";
import { Annotations } from "./src/server/platform/database/migrations/0037-annotations.ts";
import { type DatabaseDefinition, ormOptions } from "./src/server/platform/database/open.ts";
import {
  hasEmbeddedDatabase,
  openConnection,
} from "./src/server/platform/database/open-connection.ts";
import { readDatabaseTarget } from "./src/server/platform/environment/config.ts";
import { readKeyFile } from "./src/server/platform/environment/key-file.ts";
import { EventEntity } from "./src/server/platform/events/entity.ts";
import { createLog } from "./src/server/platform/log.ts";
import { CleanUpEntity } from "./src/server/platform/retention/entity.ts";

export const ENTITIES = [
  UserEntity,
  SessionEntity,
  ApiTokenEntity,
  LoginFailureEntity,
  KnownAddressEntity,
  SecondFactorEntity,
  RecoveryCodeEntity,
  SignInChallengeEntity,
  SettingsEntity,
  ConfigEntity,
  HostEntity,
  AssignmentEntity,
  RenewalEntity,
  SyncRunEntity,
  SyncPartitionEntity,
  HostChangeEntity,
  HostActEntity,
  ChannelEntity,
  DeliveryEntity,
  NoticeEntity,
  ReminderSettingsEntity,
  ReminderEntity,
  ReminderHostEntity,
  AuditEntryEntity,
  EventEntity,
  CleanUpEntity,
];

/**
 * Its triggers are dropped by PlainSchema, so none are made any more. Its name stays: databases and
 * backups list it.
 */
class Withdrawn extends Migration {
  override up(): void {}
}

/** In the order they are run. A migration that has been released is never edited. */
export const MIGRATIONS = [
  { name: "Initial", class: Initial },
  { name: "PresentHosts", class: Withdrawn },
  { name: "ConfigsOfHosts", class: Withdrawn },
  { name: "HostsOfRequests", class: HostsOfRequests },
  { name: "PlainSchema", class: PlainSchema },
  { name: "SignInLimits", class: SignInLimits },
  { name: "HeldHosts", class: HeldHosts },
  { name: "HeldRemovals", class: HeldRemovals },
  { name: "DropUnusedIndex", class: DropUnusedIndex },
  { name: "EndCompatibility", class: EndCompatibility },
  { name: "DropSearchIndexes", class: DropSearchIndexes },
  { name: "RemovalWindow", class: RemovalWindow },
  { name: "RunRetention", class: RunRetention },
  { name: "OpenRenewals", class: OpenRenewals },
  { name: "NameOrder", class: NameOrder },
  { name: "HostHistory", class: HostHistory },
  { name: "SyncSchedules", class: SyncSchedules },
  { name: "PrepaidEnds", class: PrepaidEnds },
  { name: "CountedRemovals", class: CountedRemovals },
  { name: "HostActs", class: HostActs },
  { name: "CleanUp", class: CleanUp },
  { name: "EventMarks", class: EventMarks },
  { name: "UntriedAccess", class: UntriedAccess },
  { name: "SearchIndex", class: SearchIndex },
  { name: "AutoRenewal", class: AutoRenewal },
  { name: "Balances", class: Balances },
  { name: "StatusSince", class: StatusSince },
  { name: "Notices", class: Notices },
  { name: "Reminders", class: Reminders },
  { name: "NoticeChannels", class: NoticeChannels },
  { name: "MailPreference", class: MailPreference },
  { name: "AuditLog", class: AuditLog },
  { name: "SecondFactor", class: SecondFactor },
  { name: "ApiTokens", class: ApiTokens },
  { name: "Annotations", class: Annotations },
];

/** What the server, its commands, tests and MikroORM's command line open. */
export const DATABASE: DatabaseDefinition = { entities: ENTITIES, migrations: MIGRATIONS };

declare module "./src/server/platform/database/kysely.ts" {
  interface Tables extends InferKyselyDB<(typeof ENTITIES)[number], PropertyNames> {}
}

/**
 * For MikroORM's command line, as in `npx mikro-orm migration:pending`: the database of the
 * server's environment variables. The embedded one is shared with a server that runs on it; where
 * there is none yet, it is made as the server makes it, with its key.
 */
export default async function commandLineOptions(): Promise<Options> {
  const log = createLog({ level: "warn", pretty: false, destination: process.stderr });
  const target = readDatabaseTarget(process.env);
  const isNew = target.databaseUrl === null && !hasEmbeddedDatabase(target.dataDir);
  if (isNew) readKeyFile(target.dataDir, true);
  const opened = await openConnection(target, isNew ? "create" : "read", log);

  /** The command line closes only its driver, so this also stops the embedded database. */
  class CommandLineDriver extends PostgreSqlDriver {
    override async close(force?: boolean): Promise<void> {
      await super.close(force);
      await opened[Symbol.asyncDispose]();
    }
  }

  const options = ormOptions({
    connection: opened.connection,
    definition: DATABASE,
    log,
    isCommand: true,
  });
  return { ...options, driver: CommandLineDriver };
}
