import { type BatchHosts, MAX_BATCH_HOSTS } from "@shared/batch.ts";
import type { Host } from "@shared/hosts.ts";
import { useEffect, useRef, useState } from "react";
import { errorMessage, isOutcomeUnknown, isSessionOver } from "@/api/errors";
import { notify } from "@/lib/notify";
import { useLeaveGuard } from "@/lib/use-leave-guard";
import { useCurrentUser } from "@/session/session";
import { findOut } from "./find-out";
import {
  answered,
  beingChecked,
  checked,
  countOutcomes,
  type Result,
  type ResultOutcome,
} from "./result";
import { forgetBatch, rememberBatch } from "./unfinished-batch";

export type BatchState = {
  /** What is done to the hosts. */
  label: string;
  hosts: readonly Host[];
  /** In the order of the hosts; those that were not reached have none. */
  results: readonly Result[];
  isRunning: boolean;
};

/** Reads which of the hosts are by now as an act was to make them. */
export type ReadDone = (hosts: readonly Host[]) => Promise<ReadonlySet<string>>;

/** Hosts that one kind of call acts on. */
export interface BatchGroup {
  readonly hosts: readonly Host[];
  /** Whose hosts they are; named in the results where a batch has several groups. */
  readonly userName?: string | undefined;
  readonly send: (hostIds: string[]) => Promise<BatchHosts>;
  /**
   * When no answer says what a call did: how to find out what it did, or that it may be sent again
   * because twice is no more than once.
   */
  readonly whenLost: ReadDone | "send again";
  /** The most hosts of one call. */
  readonly size?: number | undefined;
}

/** How a run ended. */
export interface BatchEnd {
  readonly hosts: readonly Host[];
  /** The hosts that it did not succeed for, those that it did not reach among them. */
  readonly unfinishedIds: readonly string[];
  /** All succeeded, none with a word about it, before the eyes of the person who began it. */
  readonly isPlainSuccess: boolean;
}

/** What a run was about and how it ended, to be run again. */
interface Run {
  readonly label: string;
  readonly groups: readonly BatchGroup[];
  readonly path: string;
  readonly results: readonly Result[];
  readonly end: BatchEnd;
}

/** One call, and where in its batch it stands. */
interface Chunk extends BatchGroup {
  readonly group: number;
}

/**
 * Runs an operation over many hosts, chunk by chunk, with a result per host. A call takes a limited
 * number of hosts, and the chunks make progress visible and a stop possible: what was done stays
 * done, a chunk that fails does not keep the next ones from their turn. Each group of hosts has its
 * own kind of call, for example one for each client who hands hosts over.
 *
 * A call whose answer is lost may have been done, and so may what the server calls unavailable. The
 * hosts are then asked for until the server says what is so; when it says nothing, the batch ends
 * there. What is left is remembered from before each call to the end of the batch, for a page that
 * is left in the middle.
 */
export function useBatch() {
  const { id: userId } = useCurrentUser();
  const [state, setState] = useState<BatchState | null>(null);
  const isStopped = useRef(false);
  const newest = useRef<Run>(null);
  const isShown = useIsShown();
  useLeaveGuard(state?.isRunning === true);

  /**
   * A host may be in several groups, for example once for each of its users. `path` is where the
   * hosts can be chosen.
   */
  async function run(
    label: string,
    groups: readonly BatchGroup[],
    path = `${location.pathname}${location.search}`,
  ): Promise<BatchEnd> {
    isStopped.current = false;
    const hosts = groups.flatMap((group) => group.hosts);
    let results: readonly Result[] = [];
    let isSignedOut = false;

    const show = (shown: readonly Result[], isRunning: boolean) =>
      setState({ label, hosts, results: shown, isRunning });
    const unfinishedIds = () =>
      idsOf(hosts.filter((_, index) => results[index]?.outcome !== "succeeded"));

    show(results, true);
    for (const chunk of chunksOf(groups)) {
      if (isStopped.current || isSignedOut) break;

      rememberBatch(userId, { path, label, total: idsOf(hosts).length, hostIds: unfinishedIds() });
      const before = results;
      const outcome = await runChunk(chunk, (shown) => show([...before, ...shown], true));

      results = [...before, ...outcome.results];
      isStopped.current ||= outcome.next === "stop";
      isSignedOut = outcome.next === "signed out";
      show(results, true);
    }
    show(results, false);

    // With the session goes the page that says what is left.
    const isTold = isShown.current && !isSignedOut;
    if (isTold || unfinishedIds().length === 0) forgetBatch(userId, path);
    if (!isShown.current && !isSignedOut) reportOutOfSight(label, results);

    const isAllPlain = results.length === hosts.length && results.every(isPlain);
    const end = { hosts, unfinishedIds: unfinishedIds(), isPlainSuccess: isTold && isAllPlain };
    newest.current = { label, groups, path, results, end };
    return end;
  }

  /** The newest run once more, for the hosts that it did not succeed for. */
  async function runRest(): Promise<BatchEnd> {
    if (newest.current === null) throw new Error("nothing was run");
    const { label, path, end } = newest.current;

    try {
      return await run(label, await findRest(newest.current), path);
    } catch (error) {
      notify.error("重试失败", { message: errorMessage(error) });
      return end;
    }
  }

  /** A call that is refused is a failure of each of its hosts; the rest goes on. */
  async function runChunk(
    chunk: Chunk,
    showMeanwhile: (results: readonly Result[]) => void,
  ): Promise<ChunkOutcome> {
    let answer: BatchHosts = { results: [] };
    try {
      answer = await send(chunk);
    } catch (error) {
      // The next chunk would be sent with the token of the next user.
      if (isSessionOver(error)) return { results: failuresOf(chunk, error), next: "signed out" };
      if (!isOutcomeUnknown(error)) return { results: failuresOf(chunk, error), next: "go on" };
    }

    const first = answersIn(answer);
    const isOpen = (host: Host) => first(host).outcome === "unknown";
    const open = { ...chunk, hosts: chunk.hosts.filter(isOpen) };
    const withOpen = (outcomeOf: OutcomeOf) =>
      resultsOf(chunk, (host) => (isOpen(host) ? outcomeOf(host) : first(host)));
    const notFoundOut = () => withOpen((host) => checked(null, first(host).message));
    if (open.hosts.length === 0) return { results: resultsOf(chunk, first), next: "go on" };

    showMeanwhile(withOpen(beingChecked));
    try {
      const found = await findOutcomes(open, first);
      if (found !== null) return { results: withOpen(found), next: "go on" };
      return { results: notFoundOut(), next: "stop" };
    } catch (error) {
      return { results: notFoundOut(), next: isSessionOver(error) ? "signed out" : "stop" };
    }
  }

  /** Of hosts whose `first` outcome is unknown; null when the server does not say. */
  async function findOutcomes(open: Chunk, first: OutcomeOf): Promise<OutcomeOf | null> {
    const { hosts, whenLost } = open;
    if (whenLost === "send again") {
      const isKnown = (answer: BatchHosts) =>
        hosts.every((host) => answersIn(answer)(host).outcome !== "unknown");
      const answer = await findOut(
        () => send(open),
        (found) => (found !== null && isKnown(found)) || isStopped.current,
      );
      return answer === null ? null : answersIn(answer);
    }

    const done = await findOut(
      () => whenLost(hosts),
      (found) => found?.size === hosts.length || isStopped.current,
    );
    return done === null ? null : (host) => checked(done.has(host.id), first(host).message);
  }

  /** Finishes the running chunk and starts no other. */
  function stop(): void {
    isStopped.current = true;
  }

  return { state, run, runRest, stop };
}

type OutcomeOf = (host: Host) => ResultOutcome;

interface ChunkOutcome {
  readonly results: readonly Result[];
  /** `stop` where the server is not to be reached. */
  readonly next: "go on" | "stop" | "signed out";
}

/** It succeeded, and there is nothing to say about it. */
function isPlain({ outcome, message }: Result): boolean {
  return outcome === "succeeded" && message === undefined;
}

/**
 * The groups of a run with the hosts that it did not succeed for. Where nobody knows what became of
 * a host, the server is asked, so that what was done is not sent again.
 */
async function findRest({ groups, results }: Run): Promise<readonly BatchGroup[]> {
  const outcomes = new Map(results.map(({ id, outcome }) => [id, outcome]));

  async function restOf(group: BatchGroup, position: number): Promise<BatchGroup> {
    const outcomeOf = (host: Host) => outcomes.get(resultId(position, host));
    const unknown = group.hosts.filter((host) => outcomeOf(host) === "unknown");
    const done = await readDone(group, unknown);

    const isLeft = (host: Host) => outcomeOf(host) !== "succeeded" && !done.has(host.id);
    return { ...group, hosts: group.hosts.filter(isLeft) };
  }
  return await Promise.all(groups.map(restOf));
}

async function readDone(
  { whenLost }: BatchGroup,
  hosts: readonly Host[],
): Promise<ReadonlySet<string>> {
  return hosts.length === 0 || whenLost === "send again" ? new Set() : await whenLost(hosts);
}

function send({ hosts, send: call }: Chunk): Promise<BatchHosts> {
  return call(hosts.map(({ id }) => id));
}

function answersIn({ results }: BatchHosts): OutcomeOf {
  return ({ id }) => answered(results.find(({ hostId }) => hostId === id));
}

function failuresOf(chunk: Chunk, error: unknown): Result[] {
  const message = errorMessage(error);
  return resultsOf(chunk, () => ({ outcome: "failed", message }));
}

function resultsOf({ hosts, userName, group }: Chunk, outcomeOf: OutcomeOf): Result[] {
  return hosts.map((host) => ({ id: resultId(group, host), host, userName, ...outcomeOf(host) }));
}

/** Unique where a host is in several groups. */
function resultId(group: number, { id }: Host): string {
  return `${group} ${id}`;
}

function idsOf(hosts: readonly Host[]): string[] {
  return [...new Set(hosts.map(({ id }) => id))];
}

/** The page may have been left by the command palette, while its batch goes on. */
function reportOutOfSight(label: string, results: readonly Result[]): void {
  const { succeeded, failed, unknown } = countOutcomes(results);
  const message = `成功 ${succeeded} 台，失败 ${failed} 台，结果未知 ${unknown} 台`;
  const show = failed + unknown === 0 ? notify.success : notify.warning;
  show(`批量${label}已结束`, { message });
}

function useIsShown() {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}

function chunksOf(groups: readonly BatchGroup[]): Chunk[] {
  return groups.flatMap((group, position) => {
    const { hosts, size = MAX_BATCH_HOSTS } = group;
    const count = Math.ceil(hosts.length / size);
    return Array.from({ length: count }, (_, index) => ({
      ...group,
      hosts: hosts.slice(index * size, (index + 1) * size),
      userName: groups.length > 1 ? group.userName : undefined,
      group: position,
    }));
  });
}
