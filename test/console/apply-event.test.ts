import { QueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createEventApplier } from "../../src/client/api/apply-event.ts";
import { trpc } from "../../src/client/api/trpc.ts";

const HOSTS = getQueryKey(trpc.hosts.list, {}, "query");
const CHANGES = getQueryKey(trpc.hosts.changes, {}, "query");

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A page that has read both, and what it has to read again after a time. */
function open() {
  const queryClient = new QueryClient();
  for (const key of [HOSTS, CHANGES]) queryClient.setQueryData(key, {});
  const isStale = (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated;

  return {
    apply: createEventApplier(queryClient),
    staleAfter(ms: number) {
      vi.advanceTimersByTime(ms);
      return { hosts: isStale(HOSTS), changes: isStale(CHANGES) };
    },
  };
}

it("reads hosts at once when they change, and the list of changes some seconds later", () => {
  const { apply, staleAfter } = open();

  apply({ type: "hosts.changed", data: {} });

  expect(staleAfter(1_000)).toEqual({ hosts: true, changes: false });
  expect(staleAfter(10_000)).toEqual({ hosts: true, changes: true });
});

it("reads the list of changes at once when held hosts are decided", () => {
  const { apply, staleAfter } = open();

  apply({ type: "removals.changed", data: { configId: "" } });

  expect(staleAfter(1_000)).toEqual({ hosts: true, changes: true });
});
