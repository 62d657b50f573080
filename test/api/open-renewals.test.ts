import { beforeEach, expect, it } from "vitest";
import type { RenewalStatus } from "../../src/shared/renewal-status.ts";
import { useApp, useTeam } from "../harness/app.ts";
import {
  assign,
  decide,
  insertHost,
  renewalIn,
  requestRenewal,
  unassign,
} from "../harness/data.ts";
import type { RestClient } from "../harness/rest.ts";

const app = useApp();
const team = useTeam(app);
let hostId: string;

beforeEach(async () => {
  hostId = await insertHost(app);
  for (const { id } of [team.client, team.otherClient]) await assign(app, hostId, id);
});

/** In the list and of the single host. */
async function openRenewals(account: RestClient) {
  const list = await account.get("/api/hosts");
  const one = await account.get(`/api/hosts/${hostId}`);
  return [list.data.hosts[0].openRenewal, one.data.openRenewal];
}

const twice = (renewal: object | null) => [renewal, renewal];

it("a host without an open request has none for anybody", async () => {
  for (const status of ["rejected", "completed", "cancelled"] as const satisfies RenewalStatus[]) {
    await renewalIn(app, { client: team.client, hostId }, status);
  }

  for (const account of [app.root, team.admin, team.client]) {
    expect(await openRenewals(account)).toEqual(twice(null));
  }
});

it("a host shows the newest open request in the caller's scope", async () => {
  const own = await requestRenewal(team.client, hostId, 30);
  const newest = await requestRenewal(team.otherClient, hostId, 90);
  await decide(app, own, "approved");

  const ofClient = twice({
    id: own,
    status: "approved",
    requestedDuration: 30,
    createdAt: expect.any(Number),
  });
  const ofOther = twice({
    id: newest,
    status: "pending",
    requestedDuration: 90,
    createdAt: expect.any(Number),
  });
  for (const account of [team.client, team.admin]) {
    expect(await openRenewals(account)).toEqual(ofClient);
  }
  for (const account of [team.otherClient, team.otherAdmin, app.root]) {
    expect(await openRenewals(account)).toEqual(ofOther);
  }
});

it("assigning answers with the open request, taking back with the one that is left", async () => {
  const kept = await requestRenewal(team.client, hostId);
  const cancelled = await requestRenewal(team.otherClient, hostId);

  const assigned = await app.root.post("/api/hosts/assign", {
    hostId,
    userId: team.client.id,
    days: 60,
  });
  const unassigned = await unassign(app, hostId, team.otherClient.id);

  expect(assigned.data.openRenewal).toMatchObject({ id: cancelled, status: "pending" });
  expect(unassigned.data.openRenewal).toMatchObject({ id: kept, status: "pending" });
});
