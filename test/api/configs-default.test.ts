import { describe, expect, it } from "vitest";
import { useApp } from "../harness/app.ts";

const app = useApp();
const CONFIGS = "/api/hosts/configs";

async function defaults(): Promise<string[]> {
  const { data } = await app.root.get(`${CONFIGS}/list`);
  return data.filter(({ isDefault }: { isDefault: boolean }) => isDefault).map(({ id }: { id: string }) => id);
}

describe("the default configuration", () => {
  it("the first configuration becomes the default even if the caller did not choose it", async () => {
    const first = await app.config({ isDefault: false });
    await app.config();
    expect(await defaults()).toEqual([first]);
  });

  it("the default moves to the configuration that is made the default, at creation and later", async () => {
    const first = await app.config();
    const second = await app.config({ isDefault: true });
    expect(await defaults()).toEqual([second]);
    const { data } = await app.root.get(`${CONFIGS}/list`);
    expect(data.map(({ id }: { id: string }) => id)).toEqual([second, first]);
    expect((await app.root.put(`${CONFIGS}/${first}`, { isDefault: true })).data.isDefault).toBe(true);
    expect(await defaults()).toEqual([first]);
    expect((await app.root.put(`${CONFIGS}/${first}`, { isDefault: true })).status).toBe(200);
  });

  it("the default flag cannot be removed without another default", async () => {
    const first = await app.config();
    const second = await app.config();
    const answer = await app.root.put(`${CONFIGS}/${first}`, { isDefault: false, name: "lost" });
    expect([answer.status, answer.data.code]).toEqual([409, "STATE_CONFLICT"]);
    expect((await app.root.put(`${CONFIGS}/${second}`, { isDefault: false })).status).toBe(200);
    expect(await defaults()).toEqual([first]);
  });

  it("the default configuration cannot be deleted, even as the last one", async () => {
    const id = await app.config();
    const answer = await app.root.delete(`${CONFIGS}/${id}`);
    expect([answer.status, answer.data.code]).toEqual([409, "CONFLICT"]);
    expect(await defaults()).toEqual([id]);
  });

  it("there is exactly one default after concurrent creations", async () => {
    await Promise.all(Array.from({ length: 12 }, (_, index) => app.config({ isDefault: index % 2 === 0 })));
    expect(await defaults()).toHaveLength(1);
    expect((await app.root.get(`${CONFIGS}/list`)).data).toHaveLength(12);
  });

  it("there is exactly one default after concurrent changes of the default and deletions", async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => app.config()));
    const answers = await Promise.all([
      ...ids.map((id) => app.root.put(`${CONFIGS}/${id}`, { isDefault: true })),
      ...ids.map((id) => app.root.delete(`${CONFIGS}/${id}`)),
    ]);
    for (const { status } of answers) expect([200, 404, 409]).toContain(status);
    expect(await defaults()).toHaveLength(1);
  });
});
