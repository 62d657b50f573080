import { Id } from "@shared/ids.ts";
import { z } from "zod";
import { forget, recallAll, remember } from "@/lib/tab-memory";

/** A batch whose page was left, reloaded, or lost with the session before it had ended. */
const UnfinishedBatch = z.object({
  /** Where its hosts can be chosen. */
  path: z.string(),
  label: z.string(),
  total: z.int(),
  /** The hosts that it is not known to have succeeded for. */
  hostIds: z.array(Id),
});
export type UnfinishedBatch = z.infer<typeof UnfinishedBatch>;

/** One for each page: the next batch there takes its place. */
export function rememberBatch(userId: string, batch: UnfinishedBatch): void {
  remember(keyOf(userId, batch.path), batch);
}

export function forgetBatch(userId: string, path: string): void {
  forget(keyOf(userId, path));
}

export function unfinishedBatches(userId: string): UnfinishedBatch[] {
  return recallAll({ userId, kind: "batch" }).flatMap((value) => {
    const { data } = UnfinishedBatch.safeParse(value);
    return data === undefined || data.hostIds.length === 0 ? [] : [data];
  });
}

function keyOf(userId: string, path: string) {
  return { userId, kind: "batch", name: path } as const;
}
