import { requestedIds } from "./actions.ts";

/** A provider call. */
export interface CallRecord {
  action: string;
  region: string | undefined;
  projectId: string | undefined;
  offset: string | undefined;
  limit: string | undefined;
  /** UHostIds.N, empty for a listing */
  ids: readonly string[];
}

const MAX_RECORDS = 500;

export type CallLog = ReturnType<typeof createCallLog>;

/** Records the calls since start or reset. */
export function createCallLog() {
  let state = emptyState();
  return {
    /** Returns what ends the call; it may be called more than once. */
    begin: (params: ReadonlyMap<string, string>): (() => void) => {
      const { open, records, byAction } = state;
      const record: CallRecord = {
        action: params.get("Action") ?? "",
        region: params.get("Region"),
        projectId: params.get("ProjectId"),
        offset: params.get("Offset"),
        limit: params.get("Limit"),
        ids: requestedIds(params),
      };
      records.push(record);
      if (records.length > MAX_RECORDS) records.shift();
      byAction.set(record.action, (byAction.get(record.action) ?? 0) + 1);
      open.add(record);
      state.maxConcurrency = Math.max(state.maxConcurrency, open.size);
      return () => void open.delete(record);
    },
    /** `last` holds the newest 500 calls, oldest first; a call of a client that left counts as open until its socket closes. */
    summary: () => ({
      total: [...state.byAction.values()].reduce((sum, count) => sum + count, 0),
      byAction: Object.fromEntries(state.byAction),
      maxConcurrency: state.maxConcurrency,
      last: state.records.map((record) => ({ ...record })),
    }),
    reset: (): void => {
      state = emptyState();
    },
  };
}

function emptyState() {
  const records: CallRecord[] = [];
  return { records, byAction: new Map<string, number>(), open: new Set<CallRecord>(), maxConcurrency: 0 };
}
