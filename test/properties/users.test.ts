import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import type { Role } from "../../src/shared/roles.ts";
import { type Account, PASSWORD, useApp } from "../harness/app.ts";
import type { RestAnswer } from "../harness/rest.ts";
import { snapshotUsers } from "../harness/users-snapshot.ts";
import { MADE, type Made, mostly, PROPERTY_LIMIT, pick, tellStories, verdictOf } from "./random-actions.ts";
import { type ModelUser, usersModel } from "./users-model.ts";

const app = useApp();
/** Few names in several spellings, one of them the first super admin's. */
const NAMES = ["zhang_san", "Zhang_San", "ZHANG_SAN", "li_si", "LI_SI", "Root"] as const;
const NOBODY = "0198a000-0000-7000-8000-000000000000";

const who = fc.nat(11);
/** The cast begins with two super admins. */
const actor = mostly([0, 1], who);
const admin = fc.option(fc.option(mostly([2, 3], who)), { nil: undefined });
const isActive = fc.option(fc.boolean(), { nil: undefined });
const role = fc.constantFrom<Role>("client", "client", "admin", "super_admin");
const username = fc.constantFrom(...NAMES);
const action = fc.oneof(
  { weight: 3, arbitrary: fc.record({ call: fc.constant("create"), actor, username, role, admin }) },
  { weight: 5, arbitrary: fc.record({ call: fc.constant("update"), actor, target: who, isActive, admin }) },
  { weight: 3, arbitrary: fc.record({ call: fc.constantFrom("get", "delete"), actor, target: who }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant("reset"), actor, target: who }) },
);
type Model = ReturnType<typeof usersModel>;

let cast: readonly Account[];
let start: readonly ModelUser[];
let restart: () => Promise<void>;

beforeEach(async () => {
  const [boss, lead, other] = [
    await app.account("super_admin"),
    await app.account("admin"),
    await app.account("admin"),
  ];
  const clients = [await app.account("client", { adminId: lead.id }), await app.account("client")];
  cast = [app.root, boss, lead, other, ...clients];
  start = await Promise.all(cast.map(modelOf));
  restart = await snapshotUsers(app);
});

it(
  "users: whoever calls whatever in whatever order, answers and rows are those of the rules",
  async () => {
    await tellStories(action, {
      runs: 8,
      async tell(story) {
        await restart();
        const model = usersModel(start);
        // Whoever is deleted can still be named.
        const known = [...start.map(({ id }) => id), NOBODY];
        for (const each of story) await play(model, known, each);
        for (const caller of model.signedIn()) await expectList(model, caller);
      },
    });
  },
  PROPERTY_LIMIT,
);

async function play(model: Model, known: string[], told: Made<typeof action>): Promise<void> {
  const actor = pick(cast, told.actor);
  const idOf = (index: number | null | undefined) => (typeof index === "number" ? pick(known, index) : index);
  switch (told.call) {
    case "create": {
      const wanted = { username: told.username, role: told.role, adminId: idOf(told.admin) };
      const answer = await actor.post("/api/users", { ...wanted, name: told.username, password: PASSWORD });
      const expected = model.create(actor.id, wanted);
      expect(verdictOf(answer), JSON.stringify(told)).toEqual(expected);
      if (expected !== MADE) break;
      model.created(answer.data.id, wanted);
      known.push(answer.data.id);
      break;
    }
    case "update": {
      const [id, change] = [pick(known, told.target), { isActive: told.isActive, adminId: idOf(told.admin) }];
      const answer = await actor.put(`/api/users/${id}`, change);
      expect(verdictOf(answer), JSON.stringify(told)).toEqual(model.update(actor.id, id, change));
      break;
    }
    default: {
      const id = pick(known, told.target);
      const answer = await CALLS[told.call](actor, id);
      expect(verdictOf(answer), JSON.stringify(told)).toEqual(model[told.call](actor.id, id));
    }
  }
  await expectSurvivor(model);
}

const CALLS: Readonly<Record<"get" | "delete" | "reset", (actor: Account, id: string) => Promise<RestAnswer>>> = {
  get: (actor, id) => actor.get(`/api/users/${id}`),
  delete: (actor, id) => actor.delete(`/api/users/${id}`),
  reset: (actor, id) => actor.post(`/api/users/${id}/reset-password`),
};

/** There always is a super admin who can act; the table as they see it. */
async function expectSurvivor(model: Model): Promise<void> {
  const survivors = model.signedIn().filter((user) => user.role === "super_admin" && user.isActive);
  await expectList(model, pick(survivors, 0));
}

async function expectList(model: Model, caller: ModelUser): Promise<void> {
  const account = cast.find(({ id }) => id === caller.id);
  if (account === undefined) throw new Error("only the cast is signed in");
  const { status, data } = await account.get("/api/users?limit=100");
  expect(status).toBe(caller.role === "client" ? 403 : 200);
  if (status !== 200) return;
  expect(data.pagination.total).toBe(data.users.length);
  expect(sorted(data.users.map(rowOf))).toEqual(sorted(model.listOf(caller).map(rowOf)));
}

/** What the rules of this machine speak of. */
function rowOf({ id, username, role, isActive, adminId, mustChangePassword }: Omit<ModelUser, "isSignedIn">) {
  return { id, username, role, isActive, adminId, mustChangePassword };
}

function sorted<Row extends { readonly id: string }>(rows: readonly Row[]): Row[] {
  return [...rows].sort((one, other) => (one.id < other.id ? -1 : 1));
}

async function modelOf({ id }: Account): Promise<ModelUser> {
  return { ...rowOf((await app.root.get(`/api/users/${id}`)).data), isSignedIn: true };
}
