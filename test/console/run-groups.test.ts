import { expect, it } from "vitest";
import { groupRuns } from "@/features/sync/run-groups";
import type { SyncRun } from "../../src/shared/sync.ts";

/** A run of the first account that changed nothing. */
function buildRun(id: string, more: Partial<SyncRun> = {}): SyncRun {
  return {
    id,
    configId: "a",
    configName: "主账号",
    trigger: "schedule",
    status: "succeeded",
    requestedBy: null,
    startedAt: 1,
    finishedAt: 2,
    regionsTotal: 1,
    regionsDone: 1,
    hostsTotal: 3,
    hostsSeen: 3,
    created: 0,
    updated: 0,
    unchanged: 3,
    gone: 0,
    rejected: 0,
    errors: [],
    ...more,
  };
}

const failed = (id: string, message: string) =>
  buildRun(id, {
    status: "failed",
    hostsSeen: 0,
    unchanged: 0,
    errors: [{ region: null, projectId: null, code: "auth", message }],
  });

/** `quiet a1 a2` for each group. */
const groupsOf = (runs: readonly SyncRun[], openId?: string) =>
  groupRuns(runs, openId).map(({ kind, runs: same }) =>
    [kind, ...same.map(({ id }) => id)].join(" "),
  );

it("runs of one account that changed nothing are one group, others lie between or not", () => {
  const other = buildRun("b1", { configId: "b" });
  const runs = [buildRun("a3"), other, buildRun("a2"), buildRun("a1", { unchanged: 4 })];

  expect(groupsOf(runs)).toEqual(["quiet a3 a2 a1", "single b1"]);
});

it.each([
  ["created", { created: 1 }],
  ["updated", { updated: 1 }],
  ["gone", { gone: 1 }],
  ["rejected", { rejected: 1 }],
  ["was cancelled", { status: "cancelled" }],
  ["goes on", { status: "running", finishedAt: null }],
] as const)("a run that %s stands for itself, between quiet ones", (_what, more) => {
  const runs = [buildRun("a4"), buildRun("a3"), buildRun("a2", more), buildRun("a1")];

  expect(groupsOf(runs)).toEqual(["quiet a4 a3", "single a2", "single a1"]);
});

it("runs that failed for the same reason are one group, another reason begins anew", () => {
  const runs = [
    failed("a4", "密钥无效"),
    failed("a3", "密钥无效"),
    failed("a2", "超时"),
    failed("a1", "超时"),
  ];

  expect(groupsOf(runs)).toEqual(["repeated a4 a3", "repeated a2 a1"]);
});

it("a run that was opened by its address stands for itself", () => {
  const runs = [buildRun("a4"), buildRun("a3"), buildRun("a2"), buildRun("a1")];

  expect(groupsOf(runs, "a3")).toEqual(["single a4", "single a3", "quiet a2 a1"]);
});

it("runs follow each other unless one of another account lies between", () => {
  const a = [failed("a4", "密钥无效"), failed("a3", "密钥无效")] as const;
  const other = buildRun("b1", { configId: "b" });

  const [together] = groupRuns([...a, other], undefined);
  const [apart] = groupRuns([a[0], other, a[1]], undefined);

  expect(together).toMatchObject({ runs: a, isUnbroken: true });
  expect(apart).toMatchObject({ runs: a, isUnbroken: false });
});
