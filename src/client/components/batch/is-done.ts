import { tagKey } from "@shared/annotations.ts";
import type { Host } from "@shared/hosts.ts";

/**
 * Whether a host that is read anew is as an act was to make it; `before` is the host as it was when
 * the act was sent. Used where its answer was lost.
 */
export type IsDone = (host: Host, before: Host) => boolean;

/** Assigned until `end`, or where the server counts the days to another end than before. */
export function isAssigned(userId: string, end?: number): IsDone {
  return (host, before) => {
    const presentEnd = endOf(host, userId);
    if (presentEnd === undefined) return false;
    return end === undefined ? presentEnd !== endOf(before, userId) : presentEnd === end;
  };
}

export function isTransferred(fromUserId: string, toUserId: string): IsDone {
  return (host) => endOf(host, fromUserId) === undefined && endOf(host, toUserId) !== undefined;
}

/** Taken back from one user, or from everybody. */
export function isUnassigned(userId?: string): IsDone {
  return (host) =>
    userId === undefined ? host.users.length === 0 : endOf(host, userId) === undefined;
}

/** Has all of the added tags and none of the removed ones. */
export function isTagged(change: { add: readonly string[]; remove: readonly string[] }): IsDone {
  return ({ tags }) => {
    const present = new Set(tags.map(tagKey));
    const has = (tag: string) => present.has(tagKey(tag));
    return change.add.every(has) && !change.remove.some(has);
  };
}

function endOf({ users }: Host, userId: string): number | undefined {
  return users.find(({ id }) => id === userId)?.assignedExpireTime;
}
