import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { stillClock } from "../harness/fixed-clock.ts";

const clock = stillClock();
const app = useApp({ overrides: { clock }, config: { session: { ttl: 200, idle: 60 } } });

const meStatus = async () => (await app.root.get("/api/auth/me")).status;

it("a session used every twenty seconds stays alive although not every use is stored", async () => {
  for (let count = 0; count < 9; count++) {
    clock.forward(20);
    expect(await meStatus()).toBe(200);
  }
});

it("a session lives to the last second of its idle timeout and no longer", async () => {
  clock.forward(59);
  expect(await meStatus()).toBe(200);
  clock.forward(60);
  expect(await meStatus()).toBe(401);
});

it("a session lives to the last second of its absolute timeout and no longer", async () => {
  for (let count = 0; count < 4; count++) {
    clock.forward(40);
    expect(await meStatus()).toBe(200);
  }
  clock.forward(39);
  expect(await meStatus()).toBe(200);
  clock.forward(1);
  expect(await meStatus()).toBe(401);
});
