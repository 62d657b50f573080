/** One provider call as it was seen and answered. */
export interface CallRecord {
  /** 1, 2, 3 … since start or reset */
  number: number;
  action: string;
  region: string | undefined;
  projectId: string | undefined;
  offset: string | undefined;
  limit: string | undefined;
  /** UHostIds.N, empty for a listing */
  ids: readonly string[];
  publicKey: string | undefined;
  method: string;
  encoding: string;
  /** Unix milliseconds */
  startedAt: number;
  /** undefined while it is being answered */
  durationMs: number | undefined;
  /** As decided by the gateway, before faults bent the answer; undefined while undecided */
  retCode: number | string | undefined;
  /** Kinds of the faults that hit it */
  faults: readonly string[];
}

/** Sums over all calls since start or reset; `last` holds the newest 500, oldest first. */
export interface CallSummary {
  total: number;
  byAction: Record<string, number>;
  byRetCode: Record<string, number>;
  inFlight: number;
  /** Most calls open at the same moment. A call whose client gave up counts until the closing of its socket is noticed. */
  maxConcurrency: number;
  /** The same for each public key. */
  maxConcurrencyByKey: Record<string, number>;
  held: number;
  last: CallRecord[];
}

export interface CallLog {
  begin(call: Omit<CallRecord, "number" | "startedAt" | "durationMs" | "retCode" | "faults">): OpenCall;
  summary(held: number): CallSummary;
  reset(): void;
}

export interface OpenCall {
  decided(retCode: number | string): void;
  hitBy(faults: readonly string[]): void;
  /** May be called more than once. */
  end(): void;
}

const KEPT = 500;

export function createCallLog(): CallLog {
  let state = emptyState();
  return {
    begin: (seen) => {
      const own = state;
      const record: CallRecord = {
        ...seen,
        number: ++own.total,
        startedAt: Date.now(),
        durationMs: undefined,
        retCode: undefined,
        faults: [],
      };
      own.last.push(record);
      if (own.last.length > KEPT) own.last.shift();
      count(own.byAction, seen.action);
      const key = seen.publicKey ?? "";
      own.open.set(record.number, key);
      own.maxConcurrency = Math.max(own.maxConcurrency, own.open.size);
      const ofKey = [...own.open.values()].filter((other) => other === key).length;
      own.maxByKey.set(key, Math.max(own.maxByKey.get(key) ?? 0, ofKey));
      return {
        decided: (retCode) => {
          record.retCode = retCode;
          count(own.byRetCode, String(retCode));
        },
        hitBy: (faults) => {
          record.faults = faults;
        },
        end: () => {
          if (own.open.delete(record.number)) record.durationMs = Date.now() - record.startedAt;
        },
      };
    },
    summary: (held) => ({
      total: state.total,
      byAction: Object.fromEntries(state.byAction),
      byRetCode: Object.fromEntries(state.byRetCode),
      inFlight: state.open.size,
      maxConcurrency: state.maxConcurrency,
      maxConcurrencyByKey: Object.fromEntries(state.maxByKey),
      held,
      last: state.last.map((record) => ({ ...record })),
    }),
    reset: () => {
      state = emptyState();
    },
  };
}

function emptyState() {
  const last: CallRecord[] = [];
  return {
    total: 0,
    byAction: new Map<string, number>(),
    byRetCode: new Map<string, number>(),
    open: new Map<number, string>(),
    maxConcurrency: 0,
    maxByKey: new Map<string, number>(),
    last,
  };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
