import { ActionFilter, AuditOutcome, AuditSubjectType } from "@shared/audit.ts";
import { Id } from "@shared/ids.ts";
import { periodParams } from "@/components/period/period-params";
import { listSearch, SearchParam } from "@/lib/list-search";

/** The address of the page: whose acts on what it lists, and of which time. */
export const useAuditSearch = listSearch({
  input: {
    search: SearchParam,
    actorId: Id.optional().catch(undefined),
    action: ActionFilter.optional().catch(undefined),
    subjectType: AuditSubjectType.optional().catch(undefined),
    subjectId: Id.optional().catch(undefined),
    outcome: AuditOutcome.optional().catch(undefined),
  },
  urlOnly: periodParams("week"),
});

export type AuditSearch = ReturnType<typeof useAuditSearch>;
