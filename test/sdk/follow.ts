import type { ConsoleClient } from "../../src/sdk/public-types.ts";
import type { StreamEvent } from "../../src/shared/events.ts";

/** Every WatchedSocket, oldest first. A test empties it before it makes a client. */
export const sockets: WatchedSocket[] = [];

/** The runtime's own, which counts how often the server answered UNAVAILABLE. */
export class WatchedSocket extends WebSocket {
  refusals = 0;

  constructor(url: string) {
    super(url);
    sockets.push(this);
    this.addEventListener("message", ({ data }) => {
      if (/"error".*"code":"UNAVAILABLE"/.test(String(data))) this.refusals++;
    });
  }
}

/** Subscribes and keeps what comes. */
export function follow({ api }: ConsoleClient) {
  const events: StreamEvent[] = [];
  const errors: unknown[] = [];
  let completed = 0;
  const { unsubscribe } = api.events.stream.subscribe(undefined, {
    onData: ({ data }) => events.push(data),
    onError: (error) => errors.push(error),
    onComplete: () => completed++,
  });
  return { events, errors, completed: () => completed, unsubscribe };
}
