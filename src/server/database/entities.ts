import { Migration } from "@mikro-orm/migrations";
import { KnownAddressEntity, LoginFailureEntity, SessionEntity } from "../auth/entity.ts";
import { ConfigEntity } from "../configs/entity.ts";
import { EventEntity } from "../events/entity.ts";
import { AssignmentEntity, HostEntity } from "../hosts/entity.ts";
import { RenewalEntity } from "../renewals/entity.ts";
import { SettingsEntity } from "../settings/entity.ts";
import { SyncPartitionEntity, SyncRunEntity } from "../sync/entity.ts";
import { UserEntity } from "../users/entity.ts";
import { Initial } from "./migrations/0001-initial.ts";
import { HostsOfRequests } from "./migrations/0004-hosts-of-requests.ts";
import { PlainSchema } from "./migrations/0005-plain-schema.ts";
import { SignInLimits } from "./migrations/0006-sign-in-limits.ts";
import { HeldHosts } from "./migrations/0007-held-hosts.ts";
import { HeldRemovals } from "./migrations/0008-held-removals.ts";
import { DropUnusedIndex } from "./migrations/0009-drop-unused-index.ts";
import { EndCompatibility } from "./migrations/0010-end-compatibility.ts";
import { DropSearchIndexes } from "./migrations/0011-drop-search-indexes.ts";
import { RemovalWindow } from "./migrations/0012-removal-window.ts";
import { RunRetention } from "./migrations/0013-run-retention.ts";
import { OpenRenewals } from "./migrations/0014-open-renewals.ts";
import { NameOrder } from "./migrations/0015-name-order.ts";

export const ENTITIES = [
  UserEntity,
  SessionEntity,
  LoginFailureEntity,
  KnownAddressEntity,
  SettingsEntity,
  ConfigEntity,
  HostEntity,
  AssignmentEntity,
  RenewalEntity,
  SyncRunEntity,
  SyncPartitionEntity,
  EventEntity,
];

/** Its triggers are dropped by PlainSchema, so none are made any more. Its name stays: databases and backups list it. */
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
];
