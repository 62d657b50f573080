import { setTimeout as sleep } from "node:timers/promises";
import argon2 from "argon2";
import { Agent, request } from "undici";
import { HASHES } from "../src/server/app.ts";
import type { Bench } from "./harness/bench.ts";
import { type Figure, figure } from "./harness/figure.ts";
import { addUsers, PASSWORD, startInstallation } from "./harness/installation.ts";
import { load, pageRequests } from "./harness/load.ts";

const ACCOUNTS = 100;
const CALLERS = 8;
const ROUND_MS = 6_000;
const LISTS_PER_SECOND = 50;
const WRONG_IN_FLIGHT = 80;
const GENUINE = 50;
const GENUINE_INTERVAL_MS = 200;
const GENUINE_LIMIT_MS = 2_000;

/** How many sign-ins a second, while lists stay fast and a flood of wrong ones shuts nobody out? */
export async function signIns(bench: Bench, stack: AsyncDisposableStack): Promise<Figure[]> {
  const installation = await startInstallation(stack, bench, 1_000, 0);
  const { url, token, database, sync } = installation;
  await sync();
  await addUsers(installation, ACCOUNTS, "client");
  const [user] = await database.query("select password_hash as digest from users limit 1");
  const verify = () => argon2.verify(String(user?.digest), PASSWORD);
  const signInFrom = connect(stack, url, "127.0.0.1");
  const signIn = async (n: number) => {
    const status = await signInFrom(`user${1 + (n % ACCOUNTS)}`, PASSWORD);
    if (status !== 200) throw new Error(`a sign-in returned ${status}`);
  };
  const readLists = () =>
    load(url, pageRequests(token), AbortSignal.timeout(ROUND_MS), LISTS_PER_SECOND);
  // The first round warms the server up.
  await perSecond(CALLERS, signIn);
  const alone = [
    `argon2 alone, ${HASHES.concurrency} at once`,
    await perSecond(HASHES.concurrency, verify),
  ] as const;
  const signedIn = await perSecond(CALLERS, signIn);
  const undisturbed = ["without sign-ins", (await readLists()).p95] as const;
  const [{ p95 }] = await Promise.all([readLists(), perSecond(CALLERS, signIn)]);
  const inTime = await shareDuringFlood(stack, url);
  return [
    figure(`sign-ins of ${CALLERS} callers`, signedIn, "/s", { reference: alone, ratioBar: 0.9 }),
    figure(`p95 of ${LISTS_PER_SECOND} lists a second meanwhile`, p95, "ms", {
      reference: undisturbed,
      bar: 100,
    }),
    figure(`sign-ins answered in 2 s, ${WRONG_IN_FLIGHT} wrong ones in flight`, 100 * inTime, "%", {
      bar: 90,
    }),
  ];
}

/**
 * Keeps wrong sign-ins from one address in flight. Returns the share (0…1) of genuine ones from
 * others that succeed in time.
 */
async function shareDuringFlood(stack: AsyncDisposableStack, url: string): Promise<number> {
  const signInWrong = connect(stack, url, "127.0.0.2");
  let isOver = false;
  const wrong = Array.from({ length: WRONG_IN_FLIGHT }, async (_, n) => {
    for (let round = 0; !isOver; round++) await signInWrong(`stranger${n}-${round}`, "wrong");
  });
  const genuine = Array.from({ length: GENUINE }, async (_, n) => {
    await sleep((n + 1) * GENUINE_INTERVAL_MS);
    const startedAt = performance.now();
    const status = await connect(stack, url, `127.0.1.${n + 1}`)(`user${n + 1}`, PASSWORD);
    return status === 200 && performance.now() - startedAt <= GENUINE_LIMIT_MS;
  });
  const inTime = (await Promise.all(genuine)).filter(Boolean).length;
  isOver = true;
  await Promise.all(wrong);
  return inTime / GENUINE;
}

/** Signs in from a loopback address. Returns the status. */
function connect(stack: AsyncDisposableStack, url: string, localAddress: string) {
  const dispatcher = stack.adopt(new Agent({ localAddress }), (agent) => agent.destroy());
  const headers = { "content-type": "application/json" };
  return async (username: string, password: string): Promise<number> => {
    const body = JSON.stringify({ username, password });
    const answer = await request(`${url}/api/auth/login`, {
      method: "POST",
      dispatcher,
      headers,
      body,
    });
    await answer.body.arrayBuffer();
    return answer.statusCode;
  };
}

/** How often a second `callers` run `once`, each one after the other. */
async function perSecond(callers: number, once: (n: number) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  let done = 0;
  const calling = Array.from({ length: callers }, async () => {
    while (elapsed() < ROUND_MS) await once(done++);
  });
  await Promise.all(calling);
  return (done / elapsed()) * 1000;
}
