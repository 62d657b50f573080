import { createTRPCClient, createWSClient, wsLink } from "@trpc/client";
import { describe, expect, it } from "vitest";
import { connect, follow } from "./raw-client.ts";
import { progress, signIn, startReplica, type streamRouter, useReplica } from "./replica.ts";
import { upgrade } from "./upgrade.ts";

const replica = useReplica();

describe("a server that shuts down", () => {
  it("answers running calls, announces the restart, and accepts no new sockets", async () => {
    const { token } = await signIn(replica.database, "client");
    await using streaming = await follow(replica.url, token);
    await using silent = await connect(replica.url, null);
    await using calling = await connect(replica.url, token);
    calling.send({ id: 1, method: "query", params: { path: "settings.get" } });
    calling.send({ id: 2, method: "query", params: { path: "settings.get" } });
    await calling.until(({ messages }) => messages.length > 0);
    await replica.webSockets.drain();
    for (const client of [streaming, silent, calling]) {
      expect(await client.closed).toEqual({ code: 1012, reason: "UNAVAILABLE" });
      expect(client.messages.at(-1)).toEqual({ id: null, method: "reconnect" });
    }
    expect(calling.messages.filter(({ result }) => result?.type === "data")).toHaveLength(2);
    expect((await upgrade(replica.port, "/trpc")).status).toBe(503);
  });
});

describe("the tRPC WebSocket client", () => {
  it("streams typed events and reconnects by itself to another replica when its server shuts down", async () => {
    await using other = await startReplica(replica.database);
    const { token } = await signIn(replica.database, "super_admin");
    let url = replica.url;
    const socket = createWSClient({ url: () => url, connectionParams: { token }, retryDelayMs: () => 20 });
    const client = createTRPCClient<typeof streamRouter>({ links: [wsLink({ client: socket })] });
    const received: string[] = [];
    const numbers: number[] = [];
    const subscription = client.events.stream.subscribe(undefined, {
      onData({ data }) {
        received.push(data.type === "stream.ready" ? `ready ${data.data.resumed}` : data.type);
        if (data.type === "sync.progress") numbers.push(data.data.hostsSeen);
      },
    });
    const until = async (isDone: () => boolean) => {
      for (let tries = 0; !isDone(); tries++) {
        if (tries > 500) throw new Error(`waited in vain: ${received}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    await until(() => received.length === 1);
    await replica.append(progress(1));
    await until(() => numbers.length === 1);
    url = other.url;
    await replica.webSockets.drain();
    await other.append(progress(2));
    await until(() => numbers.length === 2);
    expect(received).toEqual(["ready false", "sync.progress", "ready true", "sync.progress"]);
    expect(numbers).toEqual([1, 2]);
    expect(await client.settings.get.query()).toEqual({ show_network_info_to_client: false });
    subscription.unsubscribe();
    await socket.close();
  });
});
