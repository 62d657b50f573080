import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { follow, type RawClient } from "../sockets/raw-client.ts";

const app = useApp();

/** Number of accepted and rejected subscriptions of a socket. */
function outcomes({ events, messages }: RawClient): { readonly ready: number; readonly refused: number } {
  return {
    ready: events.filter(({ event }) => event.type === "stream.ready").length,
    refused: messages.filter(({ error }) => error?.data.code === "TOO_MANY_REQUESTS").length,
  };
}

it("a user has at most 20 subscriptions over all sockets, and the limit does not affect other users", async () => {
  const url = `${app.url.replace("http", "ws")}/trpc`;
  await using one = await follow(url, app.root.token ?? "");
  await using other = await follow(url, app.root.token ?? "");
  for (let id = 2; id <= 12; id++) for (const client of [one, other]) client.subscribe(undefined, id);
  for (const client of [one, other]) {
    await client.until((each) => outcomes(each).ready + outcomes(each).refused === 12, 10_000);
  }
  const [first, second] = [outcomes(one), outcomes(other)];
  expect([first.ready + second.ready, first.refused + second.refused]).toEqual([20, 4]);
  const { token } = await app.account("client");
  await using _third = await follow(url, token ?? "");
});
