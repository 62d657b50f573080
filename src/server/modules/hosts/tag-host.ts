import { MAX_TAGS, tagKey } from "../../../shared/annotations.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { AnnotateDeps } from "./deps.ts";
import { lockHost } from "./locks.ts";
import { writeAnnotations } from "./write-annotations.ts";

interface TagHost {
  readonly hostId: string;
  readonly add?: readonly string[] | undefined;
  readonly remove?: readonly string[] | undefined;
}

const TOO_MANY = `标签会超过 ${MAX_TAGS} 个，未作改动；请先移除不用的标签`;

/**
 * Adds tags at the end and removes others, without regard to case. What the host has already keeps
 * its spelling and its place. The lock on the host lets several add at once, and none is lost.
 */
export async function tagHost(
  deps: AnnotateDeps,
  { hostId, add = [], remove = [] }: TagHost,
): Promise<void> {
  await inTransaction(deps, async (em) => {
    const host = await lockHost(em, hostId);
    const kept = withoutTags(host.tags, remove);
    const tags = [...kept, ...withoutTags(add, kept)];
    if (tags.length > MAX_TAGS) throw new AppError("STATE_CONFLICT", TOO_MANY);

    await writeAnnotations({ ...deps, em }, host, { tags });
  });
}

function withoutTags(tags: readonly string[], others: readonly string[]): string[] {
  const keys = new Set(others.map(tagKey));
  return tags.filter((tag) => !keys.has(tagKey(tag)));
}
