import { expect, vi } from "vitest";
import type { StreamEvent } from "../../src/shared/events.ts";
import type { Account, TestApp } from "./app.ts";

/**
 * Opens an event stream for every account, from now or after an event. The returned function makes a last change and returns
 * the events that each account received before it.
 */
export async function listen(
  app: Pick<TestApp, "trpc" | "root">,
  accounts: Readonly<Record<string, Pick<Account, "token">>>,
  lastEventId?: string,
): Promise<() => Promise<Record<string, StreamEvent[]>>> {
  const streams = Object.entries(accounts).map(([name, { token }]) => {
    const received: StreamEvent[] = [];
    const input = lastEventId === undefined ? undefined : { lastEventId };
    app.trpc(token ?? "").events.stream.subscribe(input, { onData: ({ data }) => received.push(data) });
    return [name, received] as const;
  });
  for (const [, received] of streams) {
    await vi.waitFor(() => expect(received[0]?.type).toBe("stream.ready"), 5_000);
  }
  return async () => {
    await app.root.put("/api/system-config", { show_network_info_to_client: true });
    for (const [, received] of streams) {
      await vi.waitFor(() => expect(received.at(-1)?.type).toBe("settings.changed"), 5_000);
    }
    return Object.fromEntries(streams.map(([name, received]) => [name, received.slice(1, -1)]));
  };
}
