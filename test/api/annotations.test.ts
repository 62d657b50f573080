import { beforeEach, describe, expect, it } from "vitest";
import { MAX_NOTE_LENGTH, MAX_TAG_LENGTH, MAX_TAGS } from "../../src/shared/annotations.ts";
import { type Account, useApp, useTeam } from "../harness/app.ts";
import { idsOf, insertHost, MISSING } from "../harness/data.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";

const app = useApp();
const team = useTeam(app);

let hostId: string;

beforeEach(async () => {
  hostId = await insertHost(app, { name: "web-01" });
});

const annotate = (body: object, id = hostId, caller: RestClient = app.root) =>
  caller.put(`/api/hosts/${id}/annotations`, body);
const tag = (body: object, hostIds: readonly string[] = [hostId]) =>
  app.root.post("/api/hosts/batch", { operation: "tag", hostIds, ...body });
const readHost = async (caller: RestClient = app.root, id = hostId) =>
  (await assertOk(caller.get(`/api/hosts/${id}`))).data;
const tagsOf = async (id = hostId) => (await readHost(app.root, id)).tags;
const namesUpTo = (count: number) => Array.from({ length: count }, (_, index) => `tag-${index}`);

/** Newest first. */
async function entriesOf(action: string) {
  const { data } = await assertOk(app.root.get(`/api/audit?action=${action}`));
  return data.entries;
}

async function assign(id: string, client: Account) {
  await assertOk(app.root.post("/api/hosts/assign", { hostId: id, userId: client.id, days: 30 }));
}

describe("tags and the note of a host", () => {
  it("are empty at first", async () => {
    expect(await readHost()).toMatchObject({ tags: [], note: null });
  });

  it("are stored, and returned in the given order", async () => {
    const answer = await assertOk(annotate({ tags: ["生产", "Web", "客户 A"], note: "月底迁移" }));

    const expected = { tags: ["生产", "Web", "客户 A"], note: "月底迁移" };
    expect(answer.data).toMatchObject(expected);
    expect(await readHost()).toMatchObject(expected);
  });

  it("a field that is not sent stays as it is", async () => {
    await assertOk(annotate({ tags: ["a"], note: "b" }));

    await assertOk(annotate({ tags: ["c"] }));
    await assertOk(annotate({ note: "d" }));
    await assertOk(annotate({}));

    expect(await readHost()).toMatchObject({ tags: ["c"], note: "d" });
  });

  it("a tag loses the blanks around it", async () => {
    await assertOk(annotate({ tags: [" 生产\t", "\u200bweb"] }));

    expect(await tagsOf()).toEqual(["生产", "web"]);
  });

  it("the longest note and the most and longest tags are taken", async () => {
    const tags = namesUpTo(MAX_TAGS).map((name) => name.padEnd(MAX_TAG_LENGTH, "x"));
    const note = "长".repeat(MAX_NOTE_LENGTH);

    await assertOk(annotate({ tags, note }));

    expect(await readHost()).toMatchObject({ tags, note });
  });

  it.each([
    ["21 tags", { tags: namesUpTo(MAX_TAGS + 1) }, "标签最多 20 个"],
    ["a tag of 31 characters", { tags: ["x".repeat(31)] }, "标签最多 30 个字符"],
    ["an empty tag", { tags: ["a", " "] }, "标签不能为空"],
    ["a tag with a comma", { tags: ["a,b"] }, "标签不能包含逗号"],
    ["a tag with a comma of Chinese keyboards", { tags: ["a，b"] }, "标签不能包含逗号"],
    ["a tag twice, in another case", { tags: ["Web", "web"] }, "标签不能重复，不区分大小写"],
    ["a text for the tags", { tags: "a" }, "标签必须是列表"],
    ["a note of 2,001 characters", { note: "x".repeat(2_001) }, "内部备注最多 2000 个字符"],
  ])("%s is refused", async (_what, body, message) => {
    const answer = await annotate(body);

    expect([answer.status, answer.data.errors[0].message]).toEqual([400, message]);
    expect(await readHost()).toMatchObject({ tags: [], note: null });
  });

  it.each(["", null, "\u200b"])("the note %j clears it", async (note) => {
    await assertOk(annotate({ note: "b" }));

    await assertOk(annotate({ note }));

    expect((await readHost()).note).toBeNull();
  });

  it("an empty list clears the tags", async () => {
    await assertOk(annotate({ tags: ["a"] }));

    await assertOk(annotate({ tags: [] }));

    expect(await tagsOf()).toEqual([]);
  });

  it("a host that is gone may be annotated, one that does not exist may not", async () => {
    const gone = await insertHost(app, { gone_at: 5 });

    await assertOk(annotate({ tags: ["退役"] }, gone));
    const missing = await annotate({ tags: ["a"] }, MISSING);

    expect(await tagsOf(gone)).toEqual(["退役"]);
    expect(missing.status).toBe(404);
  });
});

describe("who sees tags and notes", () => {
  beforeEach(async () => {
    await assign(hostId, team.client);
    await assertOk(annotate({ tags: ["生产"], note: "内部" }));
  });

  it("a super admin sees both, an admin the tags, a client neither", async () => {
    const seen = [app.root, team.admin, team.client].map(async (caller) => {
      const { tags, note } = await readHost(caller);
      return { tags, note };
    });

    expect(await Promise.all(seen)).toEqual([
      { tags: ["生产"], note: "内部" },
      { tags: ["生产"], note: null },
      { tags: [], note: null },
    ]);
  });

  it("lists show the same", async () => {
    const seen = [app.root, team.admin, team.client].map(async (caller) => {
      const { data } = await assertOk(caller.get("/api/hosts"));
      const [{ tags, note }] = data.hosts;
      return { tags, note };
    });

    expect(await Promise.all(seen)).toEqual([
      { tags: ["生产"], note: "内部" },
      { tags: ["生产"], note: null },
      { tags: [], note: null },
    ]);
  });

  it("only super admins write them", async () => {
    const byAdmin = await annotate({ tags: [] }, hostId, team.admin);
    const byClient = await annotate({ tags: [] }, hostId, team.client);

    expect([byAdmin.status, byClient.status]).toEqual([403, 403]);
  });

  it("clients do not read of them in the history of the host", async () => {
    const { body } = await assertOk(team.client.get(`/api/hosts/${hostId}/history`));

    expect(JSON.stringify(body)).not.toMatch(/生产|内部|annotate/);
  });
});

describe("the filter by tags", () => {
  let both: string;
  let one: string;

  beforeEach(async () => {
    both = await insertHost(app, { name: "a" });
    one = await insertHost(app, { name: "b 数据库" });
    await assertOk(annotate({ tags: ["Prod", "客户 A"] }, both));
    await assertOk(annotate({ tags: ["prod"] }, one));
  });

  const find = async (text: string, caller: RestClient = app.root) =>
    idsOf(await caller.get(`/api/hosts?tag=${encodeURIComponent(text)}`));

  it.each([
    ["PROD", () => [both, one]],
    ["prod,客户 a", () => [both]],
    [" 客户 A ， prod ", () => [both]],
    ["prod,other", () => []],
    ["pro", () => []],
    ['"prod"', () => []],
    [",", () => [both, one, hostId]],
  ])("%j finds the hosts that have all of them", async (text, expected) => {
    expect(await find(text)).toEqual(expected());
  });

  it("finds for an admin only hosts of its clients", async () => {
    await assign(one, team.client);

    expect(await find("prod", team.admin)).toEqual([one]);
    expect(await find("prod", team.otherAdmin)).toEqual([]);
  });

  it("combines with other filters and counts what it finds", async () => {
    const { data } = await assertOk(
      app.root.get(`/api/hosts?tag=prod&search=${encodeURIComponent("数据库")}`),
    );

    expect([data.hosts.map(({ id }: { id: string }) => id), data.pagination.total]).toEqual([
      [one],
      1,
    ]);
  });
});

describe("the list of tags", () => {
  const list = (caller: RestClient = app.root) => caller.get("/api/hosts/tags");

  it("is empty without tags", async () => {
    expect((await assertOk(list())).data).toEqual([]);
  });

  it("has the most used ones first, then by name, merged in their most used spelling", async () => {
    for (const tags of [["Prod", "北京"], ["prod", "b"], ["prod", "安全"], ["安全"]]) {
      await assertOk(annotate({ tags }, await insertHost(app)));
    }

    expect((await assertOk(list())).data).toEqual([
      { tag: "prod", count: 3 },
      { tag: "安全", count: 2 },
      { tag: "北京", count: 1 },
      { tag: "b", count: 1 },
    ]);
  });

  it("counts no hosts that are gone", async () => {
    await assertOk(annotate({ tags: ["a"] }, await insertHost(app, { gone_at: 5 })));

    expect((await assertOk(list())).data).toEqual([]);
  });

  it("has for an admin those of its clients' hosts, and is refused to clients", async () => {
    await assertOk(annotate({ tags: ["seen"] }));
    await assertOk(annotate({ tags: ["other"] }, await insertHost(app)));
    await assign(hostId, team.client);

    const refused = await list(team.client);

    expect((await assertOk(list(team.admin))).data).toEqual([{ tag: "seen", count: 1 }]);
    expect((await assertOk(list(team.otherAdmin))).data).toEqual([]);
    expect(refused.status).toBe(403);
  });
});

describe("tagging several hosts", () => {
  it("adds and removes without regard to case; what a host has keeps place and spelling", async () => {
    await assertOk(annotate({ tags: ["Prod", "old", "web"] }));

    await assertOk(tag({ add: ["new", "prod"], remove: ["OLD", "none"] }));

    expect(await tagsOf()).toEqual(["Prod", "web", "new"]);
  });

  it("a host that would have too many is refused alone, and stays as it is", async () => {
    const other = await insertHost(app);
    await assertOk(annotate({ tags: namesUpTo(MAX_TAGS) }));

    const { data } = await assertOk(tag({ add: ["one more"] }, [hostId, MISSING, other]));

    expect(data.results).toMatchObject([
      { hostId, ok: false, code: "STATE_CONFLICT" },
      { hostId: MISSING, ok: false, code: "NOT_FOUND" },
      { hostId: other, ok: true },
    ]);
    expect(await tagsOf()).toHaveLength(MAX_TAGS);
    expect(await tagsOf(other)).toEqual(["one more"]);
  });

  it("a full host takes a tag in place of another", async () => {
    await assertOk(annotate({ tags: namesUpTo(MAX_TAGS) }));

    const { data } = await assertOk(tag({ add: ["new"], remove: ["tag-0"] }));

    expect(data.results).toEqual([{ hostId, ok: true }]);
    expect(await tagsOf()).toEqual([...namesUpTo(MAX_TAGS).slice(1), "new"]);
  });

  it.each([
    ["nothing", {}, "请填写要添加或移除的标签"],
    ["empty lists", { add: [], remove: [] }, "请填写要添加或移除的标签"],
    ["one tag on both sides", { add: ["a"], remove: ["A"] }, "同一个标签不能既添加又移除"],
  ])("%s is refused", async (_what, body, message) => {
    const answer = await tag(body);

    expect([answer.status, answer.data.errors[0].message]).toEqual([400, message]);
  });

  it("twenty who add at once all do", async () => {
    const added = namesUpTo(MAX_TAGS);

    await Promise.all(added.map((name) => assertOk(tag({ add: [name] }))));

    expect((await tagsOf()).toSorted()).toEqual(added.toSorted());
  });
});

describe("the audit log of tags and notes", () => {
  it("has one entry with what was there before", async () => {
    await assertOk(annotate({ tags: ["a"], note: "one" }));

    await assertOk(annotate({ tags: ["a", "b"], note: "" }));

    const [entry] = await entriesOf("hosts.annotate");
    expect(entry).toMatchObject({
      subject: { type: "host", id: hostId, label: "web-01" },
      outcome: "ok",
      changes: [
        { field: "tags", from: ["a"], to: ["a", "b"] },
        { field: "note", from: "one", to: null },
      ],
    });
  });

  it("a call that changes nothing has an entry without changes", async () => {
    await assertOk(annotate({ tags: ["a"] }));

    await assertOk(annotate({ tags: ["a"] }));

    const entries = await entriesOf("hosts.annotate");
    expect(entries).toHaveLength(2);
    expect(entries[0]).toMatchObject({ subject: { id: hostId }, changes: [] });
  });

  it("a batch has an entry for each host that it changed, with the action of one", async () => {
    const other = await insertHost(app, { name: "web-02" });
    await assertOk(annotate({ tags: ["a"] }));

    await assertOk(tag({ add: ["a"] }, [hostId, other]));

    const entries = await entriesOf("hosts.annotate");
    expect(entries.map(({ subject }: { subject: { id: string } }) => subject.id)).toEqual([
      other,
      hostId,
    ]);
    expect(await entriesOf("hosts.batch")).toEqual([]);
  });
});

describe("the note of a user", () => {
  const userPath = () => `/api/users/${team.client.id}`;
  const noteFor = async (caller: RestClient, path: string) =>
    (await assertOk(caller.get(path))).data.note;

  beforeEach(async () => {
    await assertOk(app.root.put(userPath(), { note: "欠款两个月" }));
  });

  it("is shown to super admins, in the list and alone", async () => {
    const { data } = await assertOk(app.root.get("/api/users?search=client"));

    expect(await noteFor(app.root, userPath())).toBe("欠款两个月");
    expect(data.users.map(({ note }: { note: string | null }) => note)).toContain("欠款两个月");
  });

  it("is hidden from the user's admin", async () => {
    const { data } = await assertOk(team.admin.get("/api/users"));

    expect(await noteFor(team.admin, userPath())).toBeNull();
    expect(data.users[0].note).toBeNull();
  });

  it("is hidden from a session's own user, a super admin too", async () => {
    await assertOk(app.root.put(`/api/users/${app.root.id}`, { note: "自己的" }));

    expect(await noteFor(team.client, "/api/auth/me")).toBeNull();
    expect(await noteFor(app.root, "/api/auth/me")).toBeNull();
    expect(await noteFor(app.root, `/api/users/${app.root.id}`)).toBe("自己的");
  });

  it("stays when other fields change, and is cleared by an empty text", async () => {
    await assertOk(app.root.put(userPath(), { name: "新名字" }));
    expect(await noteFor(app.root, userPath())).toBe("欠款两个月");

    await assertOk(app.root.put(userPath(), { note: "" }));
    expect(await noteFor(app.root, userPath())).toBeNull();
  });

  it("its change is in the audit log", async () => {
    const [entry] = await entriesOf("users.update");

    expect(entry.changes).toEqual([{ field: "note", from: null, to: "欠款两个月" }]);
  });
});
