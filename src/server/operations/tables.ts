/** A table whose rows go into backups. */
export interface BackupTable {
  readonly name: string;
  /** ORDER BY where rows refer to others of the same table: each comes after those. Elsewhere sorting would only take its time. */
  readonly order?: string;
  /** How many rows there may be in a database that nobody has worked with yet. */
  readonly rowsWhenNew: number;
}

/** Each after those that it refers to. */
export const BACKUP_TABLES: readonly BackupTable[] = [
  { name: "users", order: "admin_id nulls first", rowsWhenNew: 1 },
  { name: "settings", rowsWhenNew: 1 },
  { name: "configs", rowsWhenNew: 0 },
  { name: "hosts", rowsWhenNew: 0 },
  { name: "sync_partitions", rowsWhenNew: 0 },
  { name: "assignments", rowsWhenNew: 0 },
  { name: "renewals", rowsWhenNew: 0 },
  { name: "sync_runs", rowsWhenNew: 0 },
];

/**
 * Not in backups. Sessions: one that was ended since (signed out, disabled, password reset) would live again. Failed sign-ins: they
 * count for an hour at most. Known addresses: personal data that the next sign-in writes again. Events: a console that saw later ones would take old rows for a continuation; it is told to
 * refetch instead (load.ts). The version of the hosts: a process that counted them before must not find it again.
 */
export const LEFT_OUT_TABLES: readonly string[] = ["sessions", "login_failures", "known_addresses", "events"];

/** Made by the migrations beside the tables. */
export const FUNCTIONS: readonly string[] = [
  "change_hosts_version",
  "assert_configs_of_hosts",
  "let_hosts_of_config_go",
];
