import { inTransaction } from "../../src/server/platform/database/transaction.ts";
import { appendEvents } from "../../src/server/platform/events/append.ts";
import type { StoredEvent } from "../../src/server/platform/events/event.ts";
import { createLocalBus } from "../../src/server/platform/local-bus.ts";
import type { TestApp } from "./app.ts";
import { now } from "./data.ts";

/** Appends events as another replica does: a server finds them by its poll, every 300 ms. */
export async function append(
  { orm }: Pick<TestApp, "orm">,
  ...events: StoredEvent[]
): Promise<void> {
  const deps = { em: orm.em.fork(), bus: createLocalBus() };
  await inTransaction(deps, (em) => appendEvents(em, events, now()));
}

/** An event identified by its `hostsSeen`. */
export function progress(hostsSeen: number): StoredEvent {
  const counts = {
    hostsSeen,
    hostsTotal: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    gone: 0,
    rejected: 0,
  };
  const regions = { regionsTotal: 1, regionsDone: 0 };
  const ids = {
    id: "0198aaaa-0000-7000-8000-000000000001",
    configId: "0198aaaa-0000-7000-8000-000000000002",
  };
  const run = { ...ids, configName: "配置", requestedBy: null };
  const state = { trigger: "manual", status: "running", startedAt: 1, finishedAt: null } as const;
  return { type: "sync.progress", data: { ...run, ...state, ...regions, ...counts, errors: [] } };
}

export function settingsChanged(show: boolean): StoredEvent {
  return { type: "settings.changed", data: { show_network_info_to_client: show } };
}
