import { type BatchHostsInput, MAX_BATCH_HOSTS } from "@shared/batch.ts";
import type { Host } from "@shared/hosts.ts";
import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { trpc } from "@/api/trpc";
import type { Result } from "@/components/batch/batch-results";

type ToInput = (hostIds: string[]) => BatchHostsInput;

/**
 * Acts on hosts in as many calls as they need, with a result for each. A call that fails ends it;
 * what was done before stays done.
 */
export function useHostBatch() {
  const batch = trpc.hosts.batch.useMutation();

  return async (hosts: readonly Host[], toInput: ToInput): Promise<Result[]> => {
    const results: Result[] = [];
    for (let from = 0; from < hosts.length; from += MAX_BATCH_HOSTS) {
      const chunk = hosts.slice(from, from + MAX_BATCH_HOSTS);
      const answer = await batch.mutateAsync(toInput(chunk.map(({ id }) => id)));
      for (const host of chunk) {
        const result = answer.results.find(({ hostId }) => hostId === host.id);
        results.push({ ...result, id: host.id, host });
      }
    }

    return results;
  };
}

/** Reads all hosts of a user, those that are gone at the provider among them. */
export function useReadHosts() {
  const { client } = trpc.useUtils();

  return async (userId: string): Promise<Host[]> => {
    const hosts: Host[] = [];
    for (let page = 1; ; page++) {
      const list = await client.hosts.list.query({ userId, limit: MAX_PAGE_SIZE, page });
      hosts.push(...list.hosts);
      if (page >= list.pagination.totalPages) return hosts;
    }
  };
}

export function isDone({ ok }: Result): boolean {
  return ok === true;
}
