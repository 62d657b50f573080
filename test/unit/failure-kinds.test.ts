import { expect, it } from "vitest";
import {
  type ScheduledRun,
  scheduleState,
} from "../../src/server/modules/sync/schedule/schedule.ts";
import {
  isRetryable,
  isUnanswered,
  ProviderFailure,
  type ProviderFailureKind,
} from "../../src/server/provider/failure.ts";

interface Consequences {
  /** Only a person can mend it, so five runs in a row that failed with it pause the schedule. */
  readonly pauses?: true;
  /** The same call may succeed a moment later. */
  readonly isRetried?: true;
  /** No answer came at all, which is counted against a provider that is away. */
  readonly isUnanswered?: true;
}

const KINDS: Readonly<Record<ProviderFailureKind, Consequences>> = {
  unauthorized: { pauses: true },
  "ip-refused": { pauses: true },
  "security-lock": {},
  forbidden: { pauses: true },
  "not-opened": {},
  "project-missing": {},
  throttled: { isRetried: true },
  unavailable: { isRetried: true },
  timeout: { isRetried: true, isUnanswered: true },
  network: { isRetried: true, isUnanswered: true },
  dns: { isRetried: true, isUnanswered: true },
  tls: { isUnanswered: true },
  "address-refused": { pauses: true },
  redirect: {},
  "too-large": {},
  malformed: {},
  unexpected: {},
};

const NAMES = Object.keys(KINDS).filter(isKind);

it.each(NAMES)("a failure of the kind %s has the consequences that are listed", (kind) => {
  const consequences: Consequences = {
    ...(pausesSchedule(kind) && { pauses: true }),
    ...(isRetryable(new ProviderFailure(kind)) && { isRetried: true }),
    ...(isUnanswered({ outcome: kind, retCode: null }) && { isUnanswered: true }),
  };

  expect(consequences).toEqual(KINDS[kind]);
});

function isKind(name: string): name is ProviderFailureKind {
  return name in KINDS;
}

function pausesSchedule(errorCode: string): boolean {
  const times = { chosenAt: 0, resumedAt: null } as const;
  const runs = [5, 4, 3, 2, 1].map(
    (hour): ScheduledRun => ({
      id: `run ${hour}`,
      trigger: "schedule",
      status: "failed",
      queuedAt: hour * 3_600,
      finishedAt: null,
      errorCode,
      errorMessage: "失败",
    }),
  );
  const schedule = { configId: "one", intervalMinutes: 60, isActive: true, ...times } as const;
  return scheduleState({ ...schedule, isAccessUntried: false }, runs, 6 * 3_600).kind === "paused";
}
