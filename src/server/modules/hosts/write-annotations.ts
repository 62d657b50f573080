import type { EntityManager } from "@mikro-orm/postgresql";
import { fieldChanges } from "../audit-records/field-changes.ts";
import { recordAudit } from "../audit-records/record-audit.ts";
import type { AnnotateDeps } from "./deps.ts";
import type { HostRow } from "./entity.ts";
import { publishAnnotations } from "./events.ts";

interface Annotations {
  /** Absent fields stay as they are. */
  readonly tags?: readonly string[] | undefined;
  readonly note?: string | null | undefined;
}

/**
 * Writes them to a host that is locked for writing (`lockHost`), and tells of what has changed.
 * Sync, refreshes and releases never touch them, so a host that is gone and returns has them still.
 * They are no acts of the host's history, which its clients read.
 */
export async function writeAnnotations(
  deps: AnnotateDeps & { readonly em: EntityManager },
  host: HostRow,
  { tags, note }: Annotations,
): Promise<void> {
  const { em } = deps;
  const before = { tags: host.tags, note: host.note };
  if (tags !== undefined) host.tags = [...tags];
  if (note !== undefined) host.note = note || null;

  const changes = fieldChanges(before, { tags: host.tags, note: host.note });
  if (changes.length === 0) return;
  await em.flush();

  const at = deps.clock.now();
  const record = {
    action: "hosts.annotate",
    subject: { type: "host", id: host.id, label: host.name },
    changes,
  } as const;
  await recordAudit(deps, record, at);

  const areTagsChanged = changes.some(({ field }) => field === "tags");
  await publishAnnotations(em, { hostId: host.id, areTagsChanged }, at);
}
