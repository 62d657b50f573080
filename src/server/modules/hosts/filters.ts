import type { Expression, Kysely, SqlBool } from "kysely";
import { splitTags } from "../../../shared/annotations.ts";
import type { ListHostsInput } from "../../../shared/hosts.ts";
import { isSuperAdmin } from "../../../shared/roles.ts";
import { DAY_SECONDS } from "../../../shared/time.ts";
import { fieldOfItems, hasItems, hasLowerCaseOf } from "../../platform/database/expressions.ts";
import type { Tables } from "../../platform/database/kysely.ts";
import { containsPattern } from "../../platform/database/sql.ts";
import {
  type HostExpressions,
  hasAssignment,
  isPrepaid,
  isVisibleHost,
  providerEnd,
  showsAddresses,
  type Viewer,
} from "./access.ts";

type HostFilter = Omit<ListHostsInput, "page" | "limit" | "sort" | "order">;

export type FilteredHosts = ReturnType<typeof filterHosts>;

/** The hosts that the viewer sees and the filter names; what is selected of them is added to it. */
export function filterHosts(db: Kysely<Tables>, viewer: Viewer, filter: HostFilter) {
  const { now } = viewer;
  const { status, region, configId, outsideProjects } = filter;
  const { userId, assigned, assignedExpiring, assignedExpired } = filter;
  const { expiring, expired, autoRenew, providerEndsFirst, noticeId } = filter;
  const search = filter.search?.trim();
  const tags = splitTags(filter.tag ?? "");

  let hosts = db.selectFrom("hosts as h").where((eb) => isVisibleHost(eb, viewer));
  if (search) hosts = hosts.where((eb) => matchesSearch(eb, viewer, search));
  if (status !== undefined) hosts = hosts.where("h.status", "=", status);
  if (region !== undefined) hosts = hosts.where("h.region", "=", region);
  if (configId !== undefined) hosts = hosts.where("h.config", "=", configId);
  if (tags.length > 0) hosts = hosts.where((eb) => hasTags(eb, tags));

  // Hosts that are gone at the provider stay in the lists of those who have them assigned, and of
  // notices.
  const showsGone = userId !== undefined || noticeId !== undefined;
  if (viewer.role === "super_admin" && (!showsGone || filter.gone !== undefined)) {
    hosts = hosts.where("h.goneAt", filter.gone ? "is not" : "is", null);
  }

  if (outsideProjects !== undefined) {
    hosts = hosts.where((eb) => isOutsideProjects(eb, outsideProjects.split(",")));
  }

  if (userId !== undefined) {
    hosts = hosts.where((eb) =>
      hasAssignment(eb, viewer, (assignment) => assignment("a.userId", "=", userId)),
    );
  }
  if (assigned !== undefined) {
    hosts = hosts.where((eb) => isOrIsNot(eb, assigned, hasAssignment(eb, viewer)));
  }
  if (assignedExpiring !== undefined) {
    const until = now + assignedExpiring * DAY_SECONDS;
    hosts = hosts.where((eb) => hasAssignmentThatEnds(eb, viewer, now, until));
  }
  if (assignedExpired !== undefined) {
    hosts = hosts.where((eb) =>
      isOrIsNot(eb, assignedExpired, hasAssignmentThatEnds(eb, viewer, 0, now - 1)),
    );
  }

  if (expiring !== undefined) {
    hosts = hosts.where((eb) => providerEndsIn(eb, now, now + expiring * DAY_SECONDS));
  }
  if (expired !== undefined) {
    hosts = hosts.where((eb) => eb(providerEndsIn(eb, 0, now - 1), "=", expired));
  }
  if (autoRenew !== undefined) hosts = hosts.where((eb) => isPrepaidAndRenewed(eb, autoRenew));
  if (providerEndsFirst !== undefined) {
    hosts = hosts.where((eb) => {
      const endsLater = hasAssignment(eb, viewer, (assignment) =>
        assignment("a.assignedExpireTime", ">", providerEnd(eb)),
      );
      const isNotRenewed = eb("h.autoRenew", "is not", true);
      return isOrIsNot(eb, providerEndsFirst, eb.and([endsLater, isNotRenewed]));
    });
  }

  if (noticeId !== undefined) hosts = hosts.where((eb) => isOfNotice(eb, viewer, noticeId));

  return hosts;
}

/** Whether a part of all hosts is expected: those of one person, or what a search finds. */
export function findsFew({ role }: Viewer, { search, userId }: HostFilter): boolean {
  return !isSuperAdmin(role) || userId !== undefined || Boolean(search?.trim());
}

/** Of the viewer's own notices; one of somebody else has no hosts. */
function isOfNotice(eb: HostExpressions, { id }: Viewer, noticeId: string): Expression<SqlBool> {
  const hostIds = eb
    .selectFrom("notices as n")
    .select((notice) => {
      const ids = fieldOfItems(notice.ref("n.subjects"), "hostId");
      return notice.cast<string>(ids, "uuid").as("hostId");
    })
    .where("n.id", "=", noticeId)
    .where("n.userId", "=", id);
  return eb("h.id", "in", hostIds);
}

/** Hosts of the account's default project are not meant. */
export function isOutsideProjects(
  eb: HostExpressions,
  projectIds: readonly string[],
): Expression<SqlBool> {
  return eb.and([eb("h.projectId", "<>", ""), eb("h.projectId", "not in", [...projectIds])]);
}

/** What is not known to renew itself does not; a host that is billed by time is in neither half. */
function isPrepaidAndRenewed(eb: HostExpressions, isRenewed: boolean): Expression<SqlBool> {
  return eb.and([isPrepaid(eb), eb("h.autoRenew", isRenewed ? "is" : "is not", true)]);
}

/**
 * A host without an end is not past it: false, not null, so that the negation finds it. Unix
 * seconds, both included.
 */
function providerEndsIn(eb: HostExpressions, from: number, to: number): Expression<SqlBool> {
  return eb.fn.coalesce(eb.between(providerEnd(eb), from, to), eb.lit(false));
}

function hasAssignmentThatEnds(
  eb: HostExpressions,
  viewer: Viewer,
  from: number,
  to: number,
): Expression<SqlBool> {
  return hasAssignment(eb, viewer, (assignment) =>
    assignment.between("a.assignedExpireTime", from, to),
  );
}

/**
 * Not a comparison with the flag: PostgreSQL joins what "exists" names, and asks a comparison host
 * by host.
 */
function isOrIsNot(
  eb: HostExpressions,
  flag: boolean,
  condition: Expression<SqlBool>,
): Expression<SqlBool> {
  return flag ? condition : eb.not(condition);
}

/** The index of tags has only the hosts that have one. */
function hasTags(eb: HostExpressions, tags: readonly string[]): Expression<SqlBool> {
  return eb.and([hasItems(eb.ref("h.tags")), hasLowerCaseOf(eb.ref("h.tagKeys"), tags)]);
}

const ADDRESS = /^[\da-f.:]+$/i;

/** Who may search the addresses is who may see them. */
function matchesSearch(eb: HostExpressions, viewer: Viewer, search: string): Expression<SqlBool> {
  const pattern = eb.fn<string>("lower", [eb.val(containsPattern(search))]);
  const isInText = eb("h.searchText", "like", pattern);
  if (!ADDRESS.test(search)) return isInText;

  const hasAddress = eb("h.addressText", "like", pattern);
  return eb.or([isInText, eb.and([hasAddress, showsAddresses(eb, viewer)])]);
}
