import { expect, it } from "vitest";
import { createTurns } from "../../src/server/events/turns.ts";

it("lets streams deliver so much in one turn of the event loop, and the others in later ones, in the order in which they asked", async () => {
  const turns = createTurns(10);
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const served: { readonly stream: number; readonly turn: number }[] = [];
  const streams = Array.from({ length: 7 }, async (_, stream) => {
    await turns.take(4);
    served.push({ stream, turn });
  });
  await Promise.all(streams);
  isOver = true;
  expect(served.map(({ stream }) => stream)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  const perTurn = Map.groupBy(served, (each) => each.turn);
  // The one that passes ten is let in, the next one is not.
  expect([...perTurn.values()].map(({ length }) => length)).toEqual([3, 3, 1]);
});

it("waits for nobody when there is room, however often it is asked", async () => {
  const turns = createTurns(10);
  for (let round = 0; round < 5; round++) {
    expect(turns.take(10)).toBeNull();
    expect(turns.take(1)).not.toBeNull();
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
  }
});
