import fc from "fast-check";
import { expect, it } from "vitest";
import type { NoticeSubject } from "../../src/server/modules/channels/group-message.ts";
import type { ChannelSetup } from "../../src/server/modules/channels/sealed-config.ts";
import { useDeliveries } from "../deliveries/fixture.ts";
import { within } from "../harness/time-limits.ts";

/** Multiplies the number of runs. */
const MORE_RUNS = Number(process.env.PROPERTY_RUNS ?? 1);
const RUNS = 12 * MORE_RUNS;
const world = useDeliveries([]);

const MAIL = {
  host: "8.8.8.8",
  port: 465,
  security: "tls",
  sender: "notice@example.com",
} as const;
const SETUPS: readonly ChannelSetup[] = [
  { type: "email", config: MAIL },
  { type: "wecom", config: { url: "https://8.8.8.8/robot" } },
];
const NAMES = ["client", "otherClient", "admin", "root"] as const;

/** What happens to a user, or to a host of it, between the queue and the sending. */
const CHANGES = [
  ["update users set is_active = false where name = $1"],
  ["update users set admin_id = null where name = $1"],
  [
    `update assignments set ended_at = 1900000000
     where id = (
       select min(a.id::text)::uuid from assignments a join users u on u.id = a.user_id
       where u.name = $1 and a.ended_at is null
     )`,
  ],
  [
    `update assignments set ended_at = 1900000000
     where ended_at is null and user_id = (select id from users where name = $1)`,
    "update users set admin_id = null where admin_id = (select id from users where name = $1)",
    "delete from users where name = $1",
  ],
] as const;

const change = fc.record({
  statements: fc.constantFrom(...CHANGES),
  name: fc.constantFrom(...NAMES),
});

/** Two clients of an admin with two hosts each, and a notice about all four hosts to everybody. */
async function arrange() {
  await world.clear();
  const email = "reader@example.com";
  const admin = await world.user("admin", { name: "admin", email });
  const clients = [];
  for (const name of ["client", "otherClient"]) {
    clients.push(await world.user("client", { name, adminId: admin, email }));
  }
  const root = await world.user("super_admin", { name: "root", email });

  const subjects: NoticeSubject[] = [];
  for (const client of clients) {
    for (const host of await world.hosts("一", "二")) {
      subjects.push(await world.assignment(host, client));
    }
  }

  const channels = [];
  for (const setup of SETUPS) channels.push({ id: await world.channel(setup), setup });
  const title = "4 台主机同步失败";
  await world.notify(...[...clients, admin, root].map((userId) => ({ userId, title, subjects })));
  return channels;
}

/** The hosts that a user may know of now; those of the group when there is no user. */
async function hostsFor(userId: unknown): Promise<unknown[]> {
  const rows = await world.query(
    `select a.host_id
     from assignments a
     join users holder on holder.id = a.user_id
     where a.ended_at is null and ($1::uuid is null or exists (
       select from users reader
       where reader.id = $1 and reader.is_active and case reader.role
         when 'client' then reader.id = a.user_id
         when 'admin' then reader.id = holder.admin_id
         else true
       end
     ))
     order by a.host_id`,
    [userId],
  );
  return rows.map((row) => row.host_id);
}

it(
  "whatever changes before it is sent, a message names and counts only hosts in its reader's scope",
  async () => {
    const changes = fc.array(change, { maxLength: 6 });
    const property = fc.asyncProperty(changes, async (list) => {
      const channels = await arrange();

      for (const { statements, name } of list) {
        for (const statement of statements) await world.query(statement, [name]);
      }

      for (const { id, setup } of channels) {
        const messages = await world.composed(id, setup);
        expect(messages).toHaveLength(setup.type === "email" ? NAMES.length : 1);
        for (const { owner, title, hosts } of messages) {
          expect(hosts.toSorted()).toEqual(await hostsFor(owner));
          const told = hosts.length === 0 ? null : `${hosts.length} 台主机`;
          expect(title?.match(/\d+ 台主机/)?.[0] ?? null).toBe(told);
        }
      }
    });

    await fc.assert(property, { numRuns: RUNS });
  },
  within(60_000),
);
