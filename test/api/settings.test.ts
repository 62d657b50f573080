import { describe, expect, it } from "vitest";
import { StoredEvent } from "../../src/server/events/event.ts";
import { StreamEvent } from "../../src/shared/events.ts";
import { useApp } from "../harness/app.ts";

const app = useApp();
const PATH = "/api/system-config";

describe("the system settings", () => {
  it("the super admin changes the settings, gets them back unwrapped, and the change persists", async () => {
    const answer = await app.root.put(PATH, { show_network_info_to_client: true });
    expect([answer.status, answer.body]).toEqual([200, { show_network_info_to_client: true }]);
    expect((await app.root.get(PATH)).body).toEqual({ show_network_info_to_client: true });
    const events = await app.database.query("select payload from events where type = 'settings.changed'");
    expect(events).toEqual([{ payload: { show_network_info_to_client: true } }]);
  });

  it("a change keeps the settings it does not name", async () => {
    await app.root.put(PATH, { show_network_info_to_client: true });
    const answer = await app.root.put(PATH, {});
    expect([answer.status, answer.body]).toEqual([200, { show_network_info_to_client: true }]);
    expect((await app.root.get(PATH)).body).toEqual({ show_network_info_to_client: true });
  });
});

describe("settings events between versions", () => {
  it("are readable from a replica with more settings and from one with fewer", () => {
    const newer = { type: "settings.changed", data: { show_network_info_to_client: true, of_tomorrow: 1 } };
    expect(StoredEvent.parse(newer).data).toEqual({ show_network_info_to_client: true });
    expect(StoredEvent.parse({ type: "settings.changed", data: {} }).data).toEqual({});
    expect(StreamEvent.parse(newer).data).toEqual({ show_network_info_to_client: true });
  });
});
