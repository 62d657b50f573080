import { describe, expect, it } from "vitest";
import type { UpdateConfigInput } from "../../src/shared/configs.ts";
import type { UpdateSettingsInput } from "../../src/shared/settings.ts";
import type { UpdateUserInput } from "../../src/shared/users.ts";
import { fixedClock } from "../harness/clocks.ts";
import { insertRun, now } from "../harness/data.ts";
import { assertOk } from "../harness/rest.ts";
import { useWorld } from "../harness/world.ts";

// What a change of a row sets off depends on which fields it has: a key is tried, a narrowed
// configuration lets hosts go, an admin who is disabled loses its clients. So each field is sent
// alone, and a rule that names too few fields, or too many, is seen.

const clock = fixedClock(now() + 60);
const world = useWorld({ overrides: { clock } });

interface Update {
  readonly value: () => unknown;
  /** The columns of the row itself that change. */
  readonly columns: readonly string[];
  /** Other rows that change, and events, as `World` names them. */
  readonly effects?: readonly string[];
}

type Updates<Input> = Readonly<Record<Exclude<keyof Input, "id">, Update>>;

const CONFIG_CHANGED = "config.changed config";
const RUN_CANCELLED = ["sync_runs of config: changed", "sync.finished config new"];
const ACCESS = ["is_access_untried"];

const CONFIG: Updates<UpdateConfigInput> = {
  name: { value: () => "改名", columns: ["name"] },
  publicKey: { value: () => "another", columns: ["public_key", ...ACCESS] },
  privateKey: { value: () => "another", columns: ["private_key_sealed", ...ACCESS] },
  apiUrl: { value: () => `${world.app.simulator.url}/?v=2`, columns: ["api_url", ...ACCESS] },
  defaultRegion: { value: () => "hk", columns: ["default_region"] },
  projectIds: {
    value: () => ["org-1"],
    columns: ["project_ids"],
    effects: [
      ...RUN_CANCELLED,
      "gone second by root: new",
      "host former: changed",
      "host second: changed",
      "hosts.changed config second",
      "removals.changed config",
    ],
  },
  // It is the default one already.
  isDefault: { value: () => true, columns: [] },
  isActive: { value: () => false, columns: ["is_active"], effects: RUN_CANCELLED },
  remark: { value: () => "新备注", columns: ["remark"] },
  syncIntervalMinutes: {
    value: () => 15,
    columns: ["sync_interval_minutes", "schedule_chosen_at", "schedule_resumed_at"],
  },
  balanceAlert: { value: () => 99.5, columns: ["balance_alert_fen"] },
};

const USER_CHANGED = "user.changed client";
const MOVED = ["hosts.changed admin client first second third", "user.changed admin client"];

const USER: Updates<UpdateUserInput> = {
  name: { value: () => "改名", columns: ["name"], effects: [USER_CHANGED] },
  email: { value: () => "new@example.com", columns: ["email"], effects: [USER_CHANGED] },
  phone: { value: () => "13900000000", columns: ["phone"], effects: [USER_CHANGED] },
  isActive: {
    value: () => false,
    columns: ["is_active"],
    effects: ["session of client: deleted", USER_CHANGED],
  },
  adminId: {
    value: () => world.account("otherAdmin").id,
    columns: ["admin_id"],
    effects: MOVED,
  },
  note: { value: () => "月底对账", columns: ["note"], effects: [USER_CHANGED] },
};

const SETTINGS: Updates<UpdateSettingsInput> = {
  show_network_info_to_client: {
    value: () => true,
    columns: ["show_network_info_to_client"],
    effects: ["settings.changed"],
  },
};

interface Row {
  readonly what: string;
  readonly table: string;
  /** How the world names the row. */
  readonly label: string;
  readonly where: () => string;
  readonly path: () => string;
  readonly updates: Readonly<Record<string, Update>>;
  /** Of every field. */
  readonly effects: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    what: "a configuration",
    table: "configs",
    label: "config config",
    where: () => `id = '${world.config("config")}'`,
    path: () => `/api/hosts/configs/${world.config("config")}`,
    updates: CONFIG,
    effects: [CONFIG_CHANGED],
  },
  {
    what: "a client",
    table: "users",
    label: "user client",
    where: () => `id = '${world.account("client").id}'`,
    path: () => `/api/users/${world.account("client").id}`,
    updates: USER,
    effects: [],
  },
  {
    what: "the settings",
    table: "settings",
    label: "settings of ",
    where: () => "id = 1",
    path: () => "/api/system-config",
    updates: SETTINGS,
    effects: [],
  },
];

describe.each(ROWS)("each field alone of $what", (row) => {
  it.each(Object.entries(row.updates))("%s", async (field, update) => {
    await scheduleAndRun();
    const before = await read(row);

    const effects = await world.effectsOf(async () => {
      await assertOk(world.app.root.put(row.path(), { [field]: update.value() }));
    });

    const after = await read(row);
    const changed = Object.keys(after).filter(
      (column) => JSON.stringify(after[column]) !== JSON.stringify(before[column]),
    );
    const others = [...effects.rows, ...effects.events].filter(
      (effect) => effect !== `${row.label}: changed`,
    );
    expect(changed.toSorted()).toEqual(update.columns.toSorted());
    expect(others.toSorted()).toEqual([...row.effects, ...(update.effects ?? [])].toSorted());
  });
});

/**
 * A configuration with a schedule, and a run that is under way. No job of the server may touch them
 * meanwhile: no slot has passed since the schedule was chosen, and a run without a job counts as
 * lost only when it is ten seconds old.
 */
async function scheduleAndRun(): Promise<void> {
  await world.app.database.query(
    "update configs set sync_interval_minutes = 60, schedule_chosen_at = $1, schedule_resumed_at = $1",
    [clock.now() - 1],
  );
  await insertRun(world.app, world.config("config"), {
    status: "queued",
    started_at: clock.now(),
  });
}

async function read({ table, where }: Row): Promise<Readonly<Record<string, unknown>>> {
  const [row = {}] = await world.app.database.query(`select * from ${table} where ${where()}`);
  return row;
}
