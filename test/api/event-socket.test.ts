import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { connect, follow } from "../sockets/raw-client.ts";

const app = useApp();

it("a disabled user's socket closes within a second, and enabling the user restores nothing", async () => {
  const client = await app.account("client");
  const url = `${app.url.replace("http", "ws")}/trpc`;
  await using streaming = await follow(url, String(client.token));
  const answer = await app.root.put(`/api/users/${client.id}`, { isActive: false });
  expect(answer.status).toBe(200);
  const started = performance.now();
  expect((await streaming.closed).code).toBe(4401);
  expect(performance.now() - started).toBeLessThan(1_000);
  await app.root.put(`/api/users/${client.id}`, { isActive: true });
  await expect(follow(url, String(client.token))).rejects.toThrow("4401");
});

it("each frame of a stream is text and carries the client's call id until the client stops that call", async () => {
  await using client = await connect(`${app.url.replace("http", "ws")}/trpc`, app.root.token);
  const areText: boolean[] = [];
  client.socket.on("message", (_frame, isBinary) => areText.push(!isBinary));
  const subscribe = { method: "subscription", params: { path: "events.stream" } };
  client.send({ id: "一", jsonrpc: "2.0", ...subscribe });
  client.send({ id: 7, ...subscribe });
  await client.until(({ events }) => events.length === 2);

  await app.root.put("/api/system-config", { show_network_info_to_client: true });
  await client.until(({ events }) => events.length === 4);
  const received = client.messages.slice(-2);
  const [first, second] = client.events.slice(-2);
  const data = { id: first?.id, data: { type: "settings.changed", data: { show_network_info_to_client: true } } };
  const result = { type: "data", data, id: first?.id };
  expect(second?.id).toBe(first?.id);
  expect(received).toHaveLength(2);
  expect(received).toEqual(
    expect.arrayContaining([
      { id: "一", jsonrpc: "2.0", result },
      { id: 7, result },
    ]),
  );

  client.send({ id: "一", method: "subscription.stop" });
  await client.until(({ messages }) => messages.at(-1)?.result?.type === "stopped");
  await app.root.put("/api/system-config", { show_network_info_to_client: false });
  await client.until(({ events }) => events.length === 5);
  expect(client.messages.at(-1)).toMatchObject({ id: 7 });
  expect(areText).toEqual(areText.map(() => true));
});

it("the last event id must be text without NUL or unpaired surrogates", async () => {
  await using client = await connect(`${app.url.replace("http", "ws")}/trpc`, app.root.token);
  for (const lastEventId of ["1\0", "\ud800", "1".repeat(101)]) {
    client.subscribe(lastEventId, client.messages.length + 1);
    const count = client.messages.length + 1;
    await client.until(({ messages }) => messages.length === count);
    expect(client.messages.at(-1)?.error?.data.code).toBe("INVALID_INPUT");
    expect(client.messages.at(-1)?.error?.message).not.toBe("请输入文本");
  }
  expect(client.events).toEqual([]);
});
