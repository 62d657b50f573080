import { setTimeout as sleep } from "node:timers/promises";
import type { Figure } from "./harness/figure.ts";
import { A_CLIENT, type Installation, startInstallation } from "./harness/installation.ts";
import type { Measurement } from "./harness/measurement.ts";
import { sampleMemory, settledMegabytes } from "./harness/memory.ts";
import { tokenOf } from "./harness/people.ts";
import { probeDuring } from "./harness/probes.ts";
import { percentile } from "./harness/samples.ts";
import { startProvider, subscribe } from "./harness/workbench.ts";

const HOSTS = 100_000;
/** How long the same is measured when nothing else goes on, ms. */
const REST = 10_000;
/** Between two assignments, ms. */
const ASSIGN_INTERVAL = 200;

/** What docs/scaling.md promises for two replicas: 100,000 hosts, 10,000 people, 1,000 of them at their consoles, while a sync changes every host. */
export const scale: Measurement = async (databases) => {
  if (!databases.kinds.includes("PostgreSQL")) return [];
  await using stack = new AsyncDisposableStack();
  const providerUrl = await startProvider(stack, { hosts: HOSTS, latency: 20 });
  const installation = await startInstallation(stack, databases, providerUrl);
  const { first, second, clock } = installation;
  await installation.changeEveryHost();
  const alone = await clock.run();
  const pids = [first.server.pid, second.server.pid];
  const idle = Math.max(...(await Promise.all(pids.map(settledMegabytes))));
  await installation.openConsoles();
  await installation.changeEveryHost();
  const nextAssignment = await listenToClient(stack, installation);
  const resting = await observe(installation, nextAssignment, () => sleep(REST));
  const samplers = pids.map((pid) => stack.use(sampleMemory(pid)));
  const busy = await observe(installation, nextAssignment, () => clock.run());
  const peak = Math.max(...samplers.map((sampler) => sampler.peak()));
  const { updated } = busy.result.run;
  if (updated !== HOSTS) throw new Error(`the sync changed ${updated} hosts`);
  return [
    {
      name: "sync that changes 100,000 hosts, 1,000 consoles open at 2 replicas",
      unit: "s",
      measured: busy.result.total,
      against: { name: "without consoles, nobody asking", value: alone.total },
    },
    {
      name: `p95 of ${busy.lists} lists of an operator and a client meanwhile`,
      unit: "ms",
      measured: busy.listP95,
      against: { name: "at rest", value: resting.listP95 },
    },
    {
      name: `p95 from ${busy.assignments} assignments at one replica to the client's console at the other meanwhile`,
      unit: "ms",
      measured: busy.assignmentP95,
      against: { name: "at rest", value: resting.assignmentP95 },
    },
    {
      name: "longest event-loop delay of both replicas meanwhile",
      unit: "ms",
      measured: busy.longestLag,
      against: { name: "at rest", value: resting.longestLag },
    },
    {
      name: "memory of the larger replica meanwhile",
      unit: "MB",
      measured: peak,
      against: { name: "idle, without consoles", value: idle },
    },
  ] satisfies Figure[];
};

interface Observed<Result> {
  readonly result: Result;
  readonly lists: number;
  /** ms, of the replica that was slower. */
  readonly listP95: number;
  readonly longestLag: number;
  readonly assignments: number;
  readonly assignmentP95: number;
}

/** People ask for lists at both replicas, the operator hands out hosts, while `work` goes on. */
async function observe<Result>(
  installation: Installation,
  nextAssignment: NextAssignment,
  work: () => Promise<Result>,
): Promise<Observed<Result>> {
  const over = new AbortController();
  const assigning = timeAssignments(installation, nextAssignment, over.signal);
  const outer = await probeDuring(installation.first, () => probeDuring(installation.second, work));
  over.abort();
  const delays = await assigning;
  const probed = [outer.probed, outer.result.probed];
  return {
    result: outer.result.result,
    lists: probed.reduce((sum, { lists }) => sum + lists, 0),
    listP95: Math.max(...probed.map(({ listP95 }) => listP95)),
    longestLag: Math.max(...probed.map(({ longestLag }) => longestLag)),
    assignments: delays.length,
    assignmentP95: percentile(delays, 0.95),
  };
}

/** Resolves when the client hears of the next one. */
type NextAssignment = () => Promise<void>;

/** A console of the client at the second replica. */
async function listenToClient(stack: AsyncDisposableStack, { second }: Installation): Promise<NextAssignment> {
  let heard = Promise.withResolvers<void>();
  await subscribe(stack, {
    url: second.server.url,
    token: tokenOf(A_CLIENT),
    onEvent: ({ type }) => {
      if (type === "assignment.changed") heard.resolve();
    },
  });
  return () => {
    heard = Promise.withResolvers();
    return heard.promise;
  };
}

/** From asking the first replica for an assignment until its client hears of it, ms. */
async function timeAssignments(
  { first, second }: Installation,
  nextAssignment: NextAssignment,
  signal: AbortSignal,
): Promise<number[]> {
  const { data } = await second.rest.get("/api/hosts?limit=1");
  const { data: me } = await second.rest.get("/api/auth/me");
  const assignment = {
    hostId: data.hosts[0].id,
    userId: me.id,
    assignedExpireTime: Math.floor(Date.now() / 1000) + 90 * 86_400,
  };
  const delays: number[] = [];
  while (!signal.aborted) {
    const heard = nextAssignment();
    const startedAt = performance.now();
    const answer = await first.rest.post("/api/hosts/assign", assignment);
    if (answer.status >= 300) throw new Error(`the host was not assigned: ${JSON.stringify(answer.body)}`);
    await heard;
    const delay = performance.now() - startedAt;
    delays.push(delay);
    await sleep(Math.max(0, ASSIGN_INTERVAL - delay));
  }
  return delays;
}
