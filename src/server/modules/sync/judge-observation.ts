import { isDeepStrictEqual } from "node:util";
import { HistoryField, type HostFieldChange } from "../../../shared/host-history.ts";
import { providerEnd, providerRenewal } from "../../../shared/hosts.ts";
import { isFromFuture } from "../../platform/clock.ts";
import type { ProviderHost } from "../../provider/schemas.ts";
import type { Partition } from "../../provider/uhost-api.ts";
import { PROVIDER_FIELD_NAMES } from "../hosts/provider-fields.ts";

/*
 * What an observation of a host means for the row that is stored of it. Times in Unix seconds.
 *
 * Nothing here reads or writes. `write-hosts.ts` asks twice: with the fingerprints of the whole
 * batch, and again with the fields of the few rows that it has locked.
 */

/** Of a stored host: to whom it belongs, and what may make an observation of it worth writing. */
export interface StoredMarks extends Partition {
  /** Null once its configuration was deleted. */
  readonly configId: string | null;
  readonly isConfigActive: boolean;
  /** When it was requested that is stored, or when the host was marked gone. */
  readonly changedAt: number;
  readonly goneAt: number | null;
  /** Since when sync holds it as missing. */
  readonly heldAt: number | null;
  /** When a person chose to keep it although it was missing. */
  readonly dismissedAt: number | null;
}

export interface Observation {
  /** The configuration whose key saw the host. */
  readonly configId: string;
  readonly requestedAt: number;
  /** What is stored of the host is what would be written. */
  readonly isSame: boolean;
  readonly now: number;
}

/**
 * - `not-ours`: another active configuration has the host. Two keys may see one host; the first one
 *   keeps it, or each run would take it from the other.
 * - `older`: what is stored was requested later, or the host was marked gone later. The later
 *   request wins, so that a slow answer neither brings back an old name nor revives a host.
 * - `changed`: to be written; also when only a hold ends, because the host was seen, and when there
 *   is nothing to tell (`compareHosts`).
 */
export type Judgement = "new" | "changed" | "unchanged" | "not-ours" | "older";

export function judgeObservation(
  { configId, requestedAt, isSame, now }: Observation,
  stored: StoredMarks | undefined,
): Judgement {
  if (stored === undefined) return "new";

  const isOwn = stored.configId === configId;
  const isFree = stored.configId === null || stored.goneAt !== null || !stored.isConfigActive;
  if (!isOwn && !isFree) return "not-ours";

  // A clock that was ahead wrote it. Writing it again gives it a true time.
  if (isFromFuture(stored.changedAt, now)) return "changed";
  if (stored.changedAt > requestedAt) return "older";

  const isMissing = stored.goneAt !== null || stored.heldAt !== null || stored.dismissedAt !== null;
  return isSame && isOwn && !isMissing ? "unchanged" : "changed";
}

/** A reading of the default project does not say its id, which an earlier one may have said. */
export function projectOf({ projectId, region }: Partition, stored: Partition | undefined): string {
  if (projectId !== "") return projectId;
  return stored?.region === region ? stored.projectId : "";
}

/** What sync compares of a host. */
export type ComparedHost = Omit<ProviderHost, "ucloudId"> &
  Partition & { readonly configId: string | null };

/** In the order of `HISTORY_FIELD_LABELS`, which names each of them: so the history tells of them. */
const COMPARED_FIELDS = [
  ...PROVIDER_FIELD_NAMES,
  ...(["region", "projectId", "configId"] as const),
].toSorted((one, other) => labelIndex(one) - labelIndex(other));

type ComparedField = (typeof COMPARED_FIELDS)[number];

function labelIndex(field: HistoryField): number {
  return HistoryField.options.indexOf(field);
}

export interface Comparison {
  /** What is stored is what would be written. */
  readonly isSame: boolean;
  /** What has happened to the host. */
  readonly changes: readonly HostFieldChange[];
}

/**
 * Compares a stored host with an observation of it. They may differ although nothing has happened
 * to the host: then it is written, and there is nothing to tell.
 *
 * - The same addresses in another order. The order follows the weights of the addresses, which are
 *   not stored, and versions before this one stored the order of the provider's answer.
 * - The end of a host that is not prepaid. It is the end of an hour, which a replica of a version
 *   before this one still stores while replicas are replaced one by one.
 * - Automatic renewal that was not known and is, or is known no longer. Nobody has switched it: the
 *   provider did not say it in one of two answers, the host is billed in another way now, or the
 *   row is from before it was read, which would fill the history with every host of an upgrade.
 */
export function compareHosts(stored: ComparedHost, observed: ComparedHost): Comparison {
  const before = {
    ...stored,
    expireTime: providerEnd(stored),
    autoRenew: providerRenewal(stored),
  };
  const changed = COMPARED_FIELDS.filter((field) => hasChanged(field, before, observed));

  return {
    isSame: COMPARED_FIELDS.every((field) => isDeepStrictEqual(stored[field], observed[field])),
    changes: changed.map((field) => ({ field, from: before[field], to: observed[field] })),
  };
}

function hasChanged(field: ComparedField, before: ComparedHost, after: ComparedHost): boolean {
  switch (field) {
    case "ipSet":
      return !isSameSet(before.ipSet, after.ipSet);
    case "autoRenew":
      return isSwitched(before.autoRenew, after.autoRenew);
    default:
      return !isDeepStrictEqual(before[field], after[field]);
  }
}

function isSwitched(before: boolean | null, after: boolean | null): boolean {
  return before !== null && after !== null && before !== after;
}

function isSameSet(one: readonly unknown[], other: readonly unknown[]): boolean {
  return isDeepStrictEqual(new Set(one), new Set(other));
}

/** What the history calls a written host; null when nothing happened to it that it tells. */
export function kindOfChange(
  wasGone: boolean,
  changes: readonly HostFieldChange[],
): "returned" | "moved" | "changed" | null {
  if (wasGone) return "returned";
  if (changes.length === 0) return null;
  const isMoved = changes.some(({ field }) => field === "configId" || field === "projectId");
  return isMoved ? "moved" : "changed";
}
