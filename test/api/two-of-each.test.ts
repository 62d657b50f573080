import { describe, expect, it } from "vitest";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { now, PART_OF_DAY } from "../harness/data.ts";
import { assertOk, type RestAnswer } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";
import { type Effects, useWorld } from "../harness/world.ts";

const world = useWorld();

const accountId = (name: Parameters<typeof world.account>[0]) => world.account(name).id;
const put = (path: string, body: object) => world.app.root.put(path, body);
const batch = (body: object) => world.app.root.post("/api/hosts/batch", body);
/** No whole number of days from now. */
const laterEnd = () => now() + 200 * DAY_SECONDS + PART_OF_DAY;

interface Act extends Effects {
  readonly title: string;
  readonly act: () => Promise<RestAnswer>;
}

const ACTS: readonly Act[] = [
  {
    title: "a new end of one client's period",
    act: () =>
      world.app.root.post("/api/hosts/assign", {
        hostId: world.host("first"),
        userId: accountId("client"),
        assignedExpireTime: laterEnd(),
      }),
    rows: [
      "assignment_changed first/client by root: new",
      "assignments first/client: changed",
      "notice assignment.changed of client: new",
    ],
    events: [
      "assignment.changed client first",
      "hosts.changed client config first",
      "notice.created client new",
    ],
  },
  {
    title: "taking a host from one of its clients",
    act: () =>
      world.app.root.post("/api/hosts/unassign", {
        hostId: world.host("first"),
        userId: accountId("client"),
      }),
    rows: [
      "assignments first/client: changed",
      "notice assignment.ended of client: new",
      "renewal_cancelled first/client by root: new",
      "renewals first/client: changed",
      "unassigned first/client by root: new",
    ],
    events: [
      "assignment.changed client first",
      "hosts.changed client config first",
      "notice.created client new",
      "renewal.cancelled first/client",
    ],
  },
  {
    title: "a batch that takes two hosts from one of their clients",
    act: () =>
      batch({
        operation: "unassign",
        hostIds: [world.host("first"), world.host("second")],
        userId: accountId("client"),
      }),
    rows: [
      "assignments first/client: changed",
      "assignments second/client: changed",
      "notice assignment.ended of client: new",
      "renewal_cancelled first/client by root: new",
      "renewal_cancelled second/client by root: new",
      "renewals first/client: changed",
      "renewals second/client: changed",
      "unassigned first/client by root: new",
      "unassigned second/client by root: new",
    ],
    events: [
      "assignment.changed client first",
      "assignment.changed client second",
      "hosts.changed client config first",
      "hosts.changed client config second",
      "notice.created client new",
      "renewal.cancelled first/client",
      "renewal.cancelled second/client",
    ],
  },
  {
    title: "a batch that takes a host from all its clients",
    act: () => batch({ operation: "unassign", hostIds: [world.host("first")] }),
    rows: [
      "assignments first/client: changed",
      "assignments first/sibling: changed",
      "assignments first/stranger: changed",
      "notice assignment.ended of client: new",
      "notice assignment.ended of sibling: new",
      "notice assignment.ended of stranger: new",
      "renewal_cancelled first/client by root: new",
      "renewal_cancelled first/stranger by root: new",
      "renewals first/client: changed",
      "renewals first/stranger: changed",
      "unassigned first/client by root: new",
      "unassigned first/sibling by root: new",
      "unassigned first/stranger by root: new",
    ],
    events: [
      "assignment.changed client first",
      "assignment.changed first sibling",
      "assignment.changed first stranger",
      "hosts.changed client config first",
      "hosts.changed config first sibling",
      "hosts.changed config first stranger",
      "notice.created client new",
      "notice.created new sibling",
      "notice.created new stranger",
      "renewal.cancelled first/client",
      "renewal.cancelled first/stranger",
    ],
  },
  {
    title: "a batch that assigns two hosts to a client",
    act: () =>
      batch({
        operation: "assign",
        hostIds: [world.host("third"), world.host("fourth")],
        userId: accountId("stranger"),
        days: 90,
      }),
    rows: [
      "assigned fourth/stranger by root: new",
      "assigned third/stranger by root: new",
      "assignments fourth/stranger: new",
      "assignments third/stranger: new",
      "notice assignment.given of stranger: new",
    ],
    events: [
      "assignment.changed fourth stranger",
      "assignment.changed stranger third",
      "hosts.changed fourth otherConfig stranger",
      "hosts.changed otherConfig stranger third",
      "notice.created new stranger",
    ],
  },
  {
    title: "a transfer to another client of the same admin",
    act: () =>
      batch({
        operation: "transfer",
        hostIds: [world.host("second")],
        fromUserId: accountId("client"),
        userId: accountId("sibling"),
      }),
    rows: [
      "assigned second/sibling by root: new",
      "assignments second/client: changed",
      "assignments second/sibling: new",
      "notice assignment.ended of client: new",
      "notice assignment.given of sibling: new",
      "renewal_cancelled second/client by root: new",
      "renewals second/client: changed",
      "unassigned second/client by root: new",
    ],
    events: [
      "assignment.changed client second",
      "assignment.changed second sibling",
      "hosts.changed client config second",
      "hosts.changed config second sibling",
      "notice.created client new",
      "notice.created new sibling",
      "renewal.cancelled second/client",
    ],
  },
  {
    title: "a client's new request",
    act: () =>
      world.account("client").post("/api/renewals", {
        hostId: world.host("third"),
        requestedDuration: 30,
      }),
    rows: [
      "notice renewal.submitted of boss: new",
      "notice renewal.submitted of root: new",
      "renewal_created third/client by client: new",
      "renewals third/client: new",
    ],
    events: ["notice.created boss new", "notice.created new root", "renewal.created new"],
  },
  {
    title: "a client's withdrawal of a request",
    act: () => world.account("client").delete(`/api/renewals/${world.renewal("first/client")}`),
    rows: ["renewal_cancelled first/client by client: new", "renewals first/client: changed"],
    events: ["renewal.cancelled first/client"],
  },
  {
    title: "the completion of one request",
    act: () =>
      put(`/api/renewals/${world.renewal("first/client")}/process`, { status: "completed" }),
    rows: [
      "assignment_changed first/client by root: new",
      "assignments first/client: changed",
      "notice renewal.completed of client: new",
      "renewal_completed first/client by root: new",
      "renewals first/client: changed",
    ],
    events: [
      "assignment.changed client first",
      "hosts.changed client first",
      "notice.created client new",
      "renewal.processed first/client",
    ],
  },
  {
    title: "a batch that rejects the requests of one client",
    act: () =>
      put("/api/renewals/batch", {
        ids: [world.renewal("first/client"), world.renewal("second/client")],
        status: "rejected",
        adminRemark: "未付款",
      }),
    rows: [
      "notice renewal.rejected of client: new",
      "renewal_rejected first/client by root: new",
      "renewal_rejected second/client by root: new",
      "renewals first/client: changed",
      "renewals second/client: changed",
    ],
    events: [
      "notice.created client new",
      "renewal.processed first/client",
      "renewal.processed second/client",
    ],
  },
  {
    title: "disabling a client",
    act: () => put(`/api/users/${accountId("client")}`, { isActive: false }),
    rows: ["session of client: deleted", "user client: changed"],
    events: ["user.changed client"],
  },
  {
    title: "deleting a client",
    act: () => world.app.root.delete(`/api/users/${accountId("client")}`),
    rows: [
      "assignments first/client: changed",
      "assignments second/client: changed",
      "assignments third/client: changed",
      "failures of account:client: deleted",
      "failures of pair:client@192.0.2.7: deleted",
      "known address of client: deleted",
      "notice security.new_address of client: deleted",
      "renewal_cancelled first/client by root: new",
      "renewal_cancelled second/client by root: new",
      "renewals first/client: changed",
      "renewals second/client: changed",
      "session of client: deleted",
      "unassigned first/client by root: new",
      "unassigned second/client by root: new",
      "unassigned third/client by root: new",
      "user client: deleted",
    ],
    events: [
      "hosts.changed admin client first second third",
      "renewal.cancelled first/client",
      "renewal.cancelled second/client",
      "user.changed admin client",
    ],
  },
  {
    title: "moving a client to the other admin",
    act: () => put(`/api/users/${accountId("client")}`, { adminId: accountId("otherAdmin") }),
    rows: ["user client: changed"],
    events: ["hosts.changed admin client first second third", "user.changed admin client"],
  },
  {
    title: "disabling an admin",
    act: () => put(`/api/users/${accountId("admin")}`, { isActive: false }),
    rows: [
      "session of admin: deleted",
      "user admin: changed",
      "user client: changed",
      "user sibling: changed",
    ],
    events: ["user.changed admin"],
  },
  {
    title: "deleting an admin",
    act: () => world.app.root.delete(`/api/users/${accountId("admin")}`),
    rows: [
      "failures of account:admin: deleted",
      "failures of pair:admin@192.0.2.7: deleted",
      "known address of admin: deleted",
      "notice security.new_address of admin: deleted",
      "session of admin: deleted",
      "user admin: deleted",
      "user client: changed",
      "user sibling: changed",
    ],
    events: ["user.changed admin"],
  },
  {
    title: "resetting the password of a client",
    act: () => world.app.root.post(`/api/users/${accountId("client")}/reset-password`),
    rows: [
      "failures of account:client: deleted",
      "failures of pair:client@192.0.2.7: deleted",
      "notice security.password_reset of client: new",
      "session of client: deleted",
      "user client: changed",
    ],
    events: ["notice.created client new", "user.changed client"],
  },
  {
    title: "a client's new password",
    act: () =>
      world.account("client").put("/api/auth/password", {
        currentPassword: PASSWORD,
        newPassword: "Another2Horse",
      }),
    rows: [
      "failures of change:client: deleted",
      "notice security.password_changed of client: new",
      "session of client: changed",
      "user client: changed",
    ],
    events: ["notice.created client new"],
  },
  {
    title: "a new default configuration",
    act: () => put(`/api/hosts/configs/${world.config("otherConfig")}`, { isDefault: true }),
    rows: ["config config: changed", "config otherConfig: changed"],
    events: ["config.changed config", "config.changed otherConfig"],
  },
  {
    title: "switching a configuration off",
    act: () => put(`/api/hosts/configs/${world.config("otherConfig")}`, { isActive: false }),
    rows: ["config otherConfig: changed"],
    events: ["config.changed otherConfig"],
  },
  {
    title: "naming one project of a configuration",
    act: () => put(`/api/hosts/configs/${world.config("config")}`, { projectIds: ["org-1"] }),
    rows: [
      "config config: changed",
      "gone second by root: new",
      "host former: changed",
      "host second: changed",
    ],
    events: ["config.changed config", "hosts.changed config second", "removals.changed config"],
  },
  {
    title: "deleting a configuration",
    act: () => world.app.root.delete(`/api/hosts/configs/${world.config("otherConfig")}`),
    rows: [
      "config otherConfig: deleted",
      "gone fourth by root: new",
      "gone third by root: new",
      // Those that are gone lose their configuration as well.
      "host former: changed",
      "host fourth: changed",
      "host third: changed",
    ],
    events: [
      "config.changed otherConfig",
      "hosts.changed fourth otherConfig third",
      "removals.changed otherConfig",
    ],
  },
  {
    title: "keeping one held host",
    act: () =>
      world.app.root.post("/api/hosts/held-removals/dismiss", { hostIds: [world.host("first")] }),
    rows: ["host first: changed"],
    events: ["removals.changed config"],
  },
  {
    title: "keeping all held hosts of a configuration",
    act: () =>
      world.app.root.post("/api/hosts/held-removals/dismiss", {
        all: true,
        configId: world.config("config"),
      }),
    rows: ["host first: changed", "host second: changed"],
    events: ["removals.changed config"],
  },
  {
    title: "confirming the removal of one held host",
    act: () =>
      world.app.root.post("/api/hosts/held-removals/confirm", { hostIds: [world.host("first")] }),
    rows: ["gone first by root: new", "host first: changed"],
    events: ["hosts.changed config first", "removals.changed config"],
  },
];

describe("in a world with two of each", () => {
  for (const { title, act, rows, events } of ACTS) {
    it(`${title} changes nothing else`, async () => {
      const effects = await world.effectsOf(async () => {
        await assertOk(act());
      });

      expect(effects).toEqual({ rows, events });
    });
  }
});
