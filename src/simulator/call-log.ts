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
  /** The result before faults changed it; undefined while undecided */
  retCode: number | string | undefined;
  /** Kinds of the faults that hit it */
  faults: readonly string[];
  /** undefined while it is being answered */
  durationMs: number | undefined;
}

const MAX_RECORDS = 500;

export type CallLog = ReturnType<typeof createCallLog>;

/** Records the calls since start or reset. */
export function createCallLog() {
  let state = emptyState();
  return {
    /** `end` may be called more than once. */
    begin: (params: ReadonlyMap<string, string>): { record: CallRecord; end: () => void } => {
      const { open, records, byAction } = state;
      const startedAt = performance.now();
      const record: CallRecord = {
        action: params.get("Action") ?? "",
        region: params.get("Region"),
        projectId: params.get("ProjectId"),
        offset: params.get("Offset"),
        limit: params.get("Limit"),
        ids: requestedIds(params),
        retCode: undefined,
        faults: [],
        durationMs: undefined,
      };
      records.push(record);
      if (records.length > MAX_RECORDS) records.shift();
      byAction.set(record.action, (byAction.get(record.action) ?? 0) + 1);
      open.add(record);
      state.maxConcurrency = Math.max(state.maxConcurrency, open.size);
      const end = () => {
        if (open.delete(record)) record.durationMs = performance.now() - startedAt;
      };
      return { record, end };
    },
    /**
     * `last` holds the newest 500 calls, oldest first; a call of a client that left counts as open
     * until its socket closes.
     */
    summary: () => ({
      total: [...state.byAction.values()].reduce((sum, count) => sum + count, 0),
      byAction: Object.fromEntries(state.byAction),
      inFlight: state.open.size,
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
  return {
    records,
    byAction: new Map<string, number>(),
    open: new Set<CallRecord>(),
    maxConcurrency: 0,
  };
}
