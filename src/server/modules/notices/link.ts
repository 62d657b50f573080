import type { HostSort } from "../../../shared/hosts.ts";
import type { NoticeType } from "../../../shared/notices.ts";
import type { NoticeRow } from "../notice-records/entity.ts";

/** Notices that lead to their hosts, and by what these are sorted. */
const SORTED_BY: Partial<Record<NoticeType, HostSort>> = {
  "assignment.expiring": "assignedExpireTime",
  "assignment.expired": "assignedExpireTime",
  "host.expiring": "expireTime",
  "host.expired": "expireTime",
  "assignment.given": "assignedExpireTime",
  "assignment.changed": "assignedExpireTime",
};

interface LinkedNotice extends Pick<NoticeRow, "id" | "type" | "subjects"> {
  /** As it is stored. */
  readonly link: string | null;
}

/**
 * Where a notice leads its reader, as a path of the console. Of several hosts it is the list of just
 * these, whichever the reader still sees; what is stored leads a group, which has no notices.
 */
export function linkOfNotice({ id, type, link, subjects }: LinkedNotice): string | null {
  const sort = SORTED_BY[type];
  const hostIds = new Set(subjects.map(({ hostId }) => hostId));
  return sort !== undefined && hostIds.size > 1 ? `/hosts?noticeId=${id}&sort=${sort}` : link;
}
