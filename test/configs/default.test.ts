import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";

const app = useApp();
const CONFIGS = "/api/hosts/configs";

async function defaults(): Promise<string[]> {
  const { data } = await app.root.get(`${CONFIGS}/list`);
  return data.filter(({ isDefault }: { isDefault: boolean }) => isDefault).map(({ id }: { id: string }) => id);
}

describe("the default configuration", () => {
  it("is the first one, even if that was not asked for", async () => {
    const first = await app.config({ isDefault: false });
    await app.config();
    expect(await defaults()).toEqual([first]);
  });

  it("moves to the one that is made the default, at creation and later", async () => {
    const first = await app.config();
    const second = await app.config({ isDefault: true });
    expect(await defaults()).toEqual([second]);
    const { data } = await app.root.get(`${CONFIGS}/list`);
    expect(data.map(({ id }: { id: string }) => id)).toEqual([second, first]);
    expect((await app.root.put(`${CONFIGS}/${first}`, { isDefault: true })).data.isDefault).toBe(true);
    expect(await defaults()).toEqual([first]);
    expect((await app.root.put(`${CONFIGS}/${first}`, { isDefault: true })).status).toBe(200);
  });

  it("cannot be given up without another", async () => {
    const first = await app.config();
    const second = await app.config();
    const answer = await app.root.put(`${CONFIGS}/${first}`, { isDefault: false, name: "lost" });
    expect([answer.status, answer.data.code]).toEqual([409, "STATE_CONFLICT"]);
    expect((await app.root.put(`${CONFIGS}/${second}`, { isDefault: false })).status).toBe(200);
    expect(await defaults()).toEqual([first]);
  });

  it("cannot be deleted, the last one included", async () => {
    const id = await app.config();
    const answer = await app.root.delete(`${CONFIGS}/${id}`);
    expect([answer.status, answer.data.code]).toEqual([409, "CONFLICT"]);
    expect(await defaults()).toEqual([id]);
  });

  it("is one, however many are made at once", async () => {
    await Promise.all(Array.from({ length: 12 }, (_, index) => app.config({ isDefault: index % 2 === 0 })));
    expect(await defaults()).toHaveLength(1);
    expect((await app.root.get(`${CONFIGS}/list`)).data).toHaveLength(12);
  });

  it("is one, however many are made the default or deleted at once", async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => app.config()));
    const answers = await Promise.all([
      ...ids.map((id) => app.root.put(`${CONFIGS}/${id}`, { isDefault: true })),
      ...ids.map((id) => app.root.delete(`${CONFIGS}/${id}`)),
    ]);
    for (const { status } of answers) expect([200, 404, 409]).toContain(status);
    expect(await defaults()).toHaveLength(1);
  });
});
