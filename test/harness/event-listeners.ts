import type { StreamEvent } from "../../src/shared/events.ts";
import { follow } from "../sockets/raw-client.ts";
import type { Account, TestApp } from "./app.ts";

/**
 * Opens an event stream for every account, from now or after an event. The returned function makes a last change and returns
 * the events that each account received before it.
 */
export async function listen(
  { url, root }: Pick<TestApp, "url" | "root">,
  accounts: Readonly<Record<string, Pick<Account, "token">>>,
  lastEventId?: string,
): Promise<() => Promise<Record<string, StreamEvent[]>>> {
  const socketUrl = `${url.replace("http", "ws")}/trpc`;
  const opened = Object.entries(accounts).map(async ([name, { token }]) => {
    return [name, await follow(socketUrl, token ?? "", lastEventId)] as const;
  });
  const streams = await Promise.all(opened);
  return async () => {
    await root.put("/api/system-config", { show_network_info_to_client: true });
    const received: Record<string, StreamEvent[]> = {};
    for (const [name, stream] of streams) {
      await stream.until(({ events }) => events.at(-1)?.event.type === "settings.changed");
      received[name] = stream.events.map(({ event }) => event).slice(1, -1);
      await stream[Symbol.asyncDispose]();
    }
    return received;
  };
}
