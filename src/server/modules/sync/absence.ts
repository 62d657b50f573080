import type { HeldReason } from "../../../shared/held-hosts.ts";
import { MASS_REMOVAL } from "../../../shared/sync.ts";
import { DAY_SECONDS } from "../../../shared/time.ts";
import { isFromFuture } from "../../platform/clock.ts";
import { type Partition, partitionKey } from "../../provider/uhost-api.ts";

/*
 * What becomes of a host that the provider does not list any more.
 *
 * A provider that lists fewer hosts has rarely lost them: a key lost a permission, an account is in
 * arrears, an index lags behind. A host that is wrongly marked gone disappears from the lists of
 * the people who use it. So an absence is believed only when three things agree: its partition
 * (region and project) was read completely, a lookup by id in that partition finds none of the
 * missing hosts, and no rule below holds it. Where an answer is missing or they contradict each
 * other, the host stays present.
 *
 * A host that is held stays present and waits in 待确认消失. There are three reasons:
 *
 * - `mass-removal`: of the hosts that the configuration had 24 hours ago, more than 30 % (and at
 *   least 5) would have been marked gone within these 24 hours. Such a hold lasts until a person
 *   decides or the host is seen, also when fewer hosts are missing by then.
 * - `empty`: its partition lists nothing at all, which is what a lost permission looks like. It is
 *   believed when that is still so 24 hours after the hold began, so that somebody can notice.
 * - `unavailable`: the region is closed to the account, or the provider does not know the project.
 *   The provider says nothing about the hosts, so no time is long enough.
 *
 * So a missing host is decided about in two steps. The answers say of each host by itself whether it
 * is present, held or absent; what a person said to keep is kept instead of held or absent. Then
 * the absent ones that are not held yet are counted: all of them are held as a mass removal, or all
 * are gone.
 *
 * What counts for a mass removal is the same on both sides, or the limit would mean nothing:
 *
 * - Runs come every hour or every few minutes, so a limit for each of them would let an account
 *   vanish in slices. Therefore removals of 24 hours count together.
 * - Hosts that the configuration did not have 24 hours ago do not count. An account that makes and
 *   deletes a host every hour has few hosts and many removals, and would be held for ever.
 * - A configuration that had no host at all 24 hours ago, such as one added today, is measured by
 *   the hosts that it had before the run, or a wrong answer on its first day would be believed.
 * - Removals that a person confirmed do not count: they are known to be true.
 * - Hosts that a mass removal holds already do not count. Else, as long as nobody decides, they
 *   would hold every single host that is deleted later, and as hosts that may be gone for weeks
 *   they would raise the limit for those that are there.
 *
 * Seeing a host ends its hold. A stored time that lies in the future was written by a wrong clock;
 * it counts as unknown, so a hold since then begins anew and a removal then is not counted.
 */

/**
 * `unavailable`: the region is closed to the account, or the provider does not know the project.
 */
export type Reading = "complete" | "empty" | "incomplete" | "unavailable";

/** What the answers about one host say: it may be there, it is to be held, or it is not there. */
export type Verdict = "present" | "held" | "absent";

/** How long a partition must stay empty before its hosts are gone, in seconds. */
export const EMPTY_CONFIRM_SECONDS = DAY_SECONDS;

/** How long a removal counts towards a mass removal, in seconds. */
export const REMOVAL_WINDOW_SECONDS = DAY_SECONDS;

const MASS_REMOVAL_LIMIT = { hosts: 5, share: 0.3 } as const;

interface Evidence {
  readonly reading: Reading;
  /** The provider knows none of the partition's missing hosts by id. */
  readonly isAbsent: boolean;
  /** When the host was first held, in Unix seconds; null when it is not held. */
  readonly heldAt: number | null;
  readonly now: number;
}

export function judgeMissingHost({ reading, isAbsent, heldAt, now }: Evidence): Verdict {
  if (reading === "unavailable") return "held";
  if (reading === "incomplete" || !isAbsent) return "present";
  if (reading === "complete") return "absent";
  return heldAt !== null && now - heldAt >= EMPTY_CONFIRM_SECONDS ? "absent" : "held";
}

/** The hosts of a configuration that count for a mass removal, and what became of them. */
export interface RemovalWindow {
  /** When it was read, in Unix seconds. */
  readonly now: number;
  /** The configuration had no host 24 hours ago: hosts of any age count. */
  readonly isFirstDay: boolean;
  /** How many hosts count, those of them that were removed included. */
  readonly hosts: number;
  /** How many of them were marked gone within the 24 hours. */
  readonly removed: number;
  /** Present hosts of any age, without those that a mass removal holds. */
  readonly present: number;
}

export const NOTHING_REMOVED: RemovalWindow = {
  now: 0,
  isFirstDay: false,
  hosts: 0,
  removed: 0,
  present: 0,
};

/**
 * Whether so many hosts would vanish within 24 hours that a wrong key or permission is more likely.
 */
export function isMassRemoval(
  removing: number,
  { hosts, removed }: Pick<RemovalWindow, "hosts" | "removed">,
): boolean {
  const vanished = removed + removing;
  return vanished >= MASS_REMOVAL_LIMIT.hosts && vanished > hosts * MASS_REMOVAL_LIMIT.share;
}

/** Whether the configuration had the host 24 hours ago, or that does not matter on its first day. */
export function countsForMassRemoval(
  { presentSince }: Pick<MissingHost, "presentSince">,
  { now, isFirstDay }: RemovalWindow,
): boolean {
  const isYoung = presentSince > now - REMOVAL_WINDOW_SECONDS && !isFromFuture(presentSince, now);
  return isFirstDay || !isYoung;
}

export interface PartitionHosts<Host> {
  readonly partition: Partition;
  readonly hosts: readonly Host[];
  /** The provider's ids of these hosts. */
  readonly ids: readonly string[];
}

export function groupByPartition<Host extends Partition & { readonly ucloudId: string }>(
  hosts: readonly Host[],
): PartitionHosts<Host>[] {
  const groups = new Map<string, { partition: Partition; hosts: Host[]; ids: string[] }>();
  for (const host of hosts) {
    const { region, projectId, ucloudId } = host;
    const key = partitionKey(host);
    const group = groups.get(key) ?? { partition: { region, projectId }, hosts: [], ids: [] };
    groups.set(key, group);
    group.hosts.push(host);
    group.ids.push(ucloudId);
  }
  return [...groups.values()];
}

/** A present host that was not listed, with what was decided about it before. */
export interface MissingHost extends Partition {
  readonly id: string;
  readonly ucloudId: string;
  /** Since when its configuration has it, in Unix seconds. */
  readonly presentSince: number;
  readonly heldAt: number | null;
  readonly heldReason: HeldReason | null;
  /** A person said keep. */
  readonly isDismissed: boolean;
}

/** A missing host that is to be held, now or still. */
export interface HeldHost extends MissingHost {
  readonly reason: HeldReason;
}

interface AbsenceEvidence {
  /** By `partitionKey`; a partition without a reading counts as incomplete. */
  readonly readings: ReadonlyMap<string, { readonly reading: Reading }>;
  readonly isAbsent: (partition: Partition, ucloudIds: readonly string[]) => Promise<boolean>;
  readonly now: number;
}

/**
 * What the provider's answers say about each host, before it is known how many others were removed.
 * A host about which they say nothing is in none of the lists, and stays as it is.
 */
export interface AbsenceJudgement {
  /** To be marked gone, unless there are too many of them. */
  readonly absent: readonly MissingHost[];
  readonly held: readonly HeldHost[];
  /** Would be held or gone, had not a person said keep. */
  readonly kept: readonly MissingHost[];
}

export interface AbsenceDecision {
  readonly gone: readonly MissingHost[];
  readonly held: readonly HeldHost[];
  readonly kept: readonly MissingHost[];
}

type HostJudgement =
  | { readonly kind: "present" }
  | { readonly kind: "absent"; readonly host: MissingHost }
  | { readonly kind: "held"; readonly host: HeldHost }
  | { readonly kind: "kept"; readonly host: MissingHost };

/**
 * Asks the provider for the missing hosts by id, partition by partition, where the answer can
 * decide.
 */
export async function judgeAbsences(
  missing: readonly MissingHost[],
  evidence: AbsenceEvidence,
): Promise<AbsenceJudgement> {
  const ofPartitions = await Promise.all(
    groupByPartition(missing).map((group) => judgePartition(group, evidence)),
  );
  const judged = ofPartitions.flat();
  return {
    absent: judged.filter((each) => each.kind === "absent").map(({ host }) => host),
    held: judged.filter((each) => each.kind === "held").map(({ host }) => host),
    kept: judged.filter((each) => each.kind === "kept").map(({ host }) => host),
  };
}

async function judgePartition(
  { partition, hosts, ids }: PartitionHosts<MissingHost>,
  { readings, isAbsent, now }: AbsenceEvidence,
): Promise<HostJudgement[]> {
  const reading = readings.get(partitionKey(partition))?.reading ?? "incomplete";
  const isDecidable = reading === "complete" || reading === "empty";
  const areAbsent = isDecidable && (await isAbsent(partition, ids));
  return hosts.map((host) => judgeHost(host, { reading, isAbsent: areAbsent, now }));
}

function judgeHost(host: MissingHost, answer: Omit<Evidence, "heldAt">): HostJudgement {
  const verdict = judgeMissingHost({ ...answer, heldAt: emptySince(host, answer.now) });
  if (verdict === "present") return { kind: "present" };
  if (host.isDismissed) return { kind: "kept", host };
  // What a mass removal holds is not held for another reason, however few are missing by then.
  if (verdict === "absent" || isHeldByMassRemoval(host)) return { kind: "absent", host };

  const reason = answer.reading === "empty" ? "empty" : "unavailable";
  return { kind: "held", host: { ...host, reason } };
}

/**
 * Since when the host's partition may have been empty, in Unix seconds; null when that is not
 * known.
 */
export function emptySince({ heldAt, heldReason }: MissingHost, now: number): number | null {
  // While the region was closed nobody knew whether the partition is empty.
  if (heldAt === null || heldReason === "unavailable") return null;
  return isFromFuture(heldAt, now) ? null : heldAt;
}

/** Holds all absent hosts when they are a mass removal, else those that an earlier one holds. */
export function holdMassRemoval(
  { absent, held, kept }: AbsenceJudgement,
  window: RemovalWindow,
): AbsenceDecision {
  const waiting = absent.filter(isHeldByMassRemoval);
  const removable = absent.filter((host) => !isHeldByMassRemoval(host));

  // Hosts that were removed when they were young may count by now; the next young one does not.
  const counted = removable.filter((host) => countsForMassRemoval(host, window)).length;
  const isMass = counted > 0 && isMassRemoval(counted, window);

  const massRemoved = isMass ? absent : waiting;
  return {
    gone: isMass ? [] : removable,
    held: [...held, ...massRemoved.map((host) => ({ ...host, reason: MASS_REMOVAL }))],
    kept,
  };
}

/** Already, before what is decided now. */
export function isHeldByMassRemoval({ heldReason }: Pick<MissingHost, "heldReason">): boolean {
  return heldReason === MASS_REMOVAL;
}
