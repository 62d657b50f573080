import { v7 } from "uuid";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { z } from "zod";
import type { NoticeSubject } from "../../src/server/modules/channels/group-message.ts";
import { type ChannelSetup, sealConfig } from "../../src/server/modules/channels/sealed-config.ts";
import { composeMessage } from "../../src/server/modules/deliveries/compose-message.ts";
import { deliverJob } from "../../src/server/modules/deliveries/deliver-job.ts";
import {
  addNotices,
  type NewNotice,
  tellGroups,
} from "../../src/server/modules/notice-records/add-notices.ts";
import { inTransaction } from "../../src/server/platform/database/transaction.ts";
import { createOutboundGuard } from "../../src/server/platform/egress/guard.ts";
import { createLocalBus } from "../../src/server/platform/local-bus.ts";
import { createMetrics } from "../../src/server/platform/metrics.ts";
import { createSecretBox } from "../../src/server/platform/secrets.ts";
import { openStorage, type Storage } from "../../src/server/storage.ts";
import { NoticeSeverity, NoticeType } from "../../src/shared/notices.ts";
import type { Role } from "../../src/shared/roles.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { databaseClockOf, fixedClock } from "../harness/clocks.ts";
import { insertHosts } from "../harness/data.ts";
import { insertRows, openTestDatabase, type TestDatabase } from "../harness/database.ts";
import { firstDelivery } from "../harness/deliveries.ts";
import { silentLog } from "../harness/silent-log.ts";
import { ENCRYPTION_KEY } from "../harness/storage.ts";

export const ORIGIN = "https://console.example.com";

const GroupMessage = z.object({
  severity: NoticeSeverity,
  text: z.object({ title: z.string(), message: z.string() }).nullable(),
  link: z.string().nullable(),
  userIds: z.array(z.string()),
  subjects: z.array(z.object({ hostId: z.string(), assignmentId: z.string().nullable() })),
});

interface UserOptions {
  readonly name?: string;
  readonly adminId?: string;
  readonly email?: string | null;
}

interface ChannelOptions {
  readonly name?: string;
  readonly types?: readonly string[];
}

type NoticeOptions = Partial<NewNotice> & Pick<NewNotice, "userId">;

/**
 * The deliveries of a database without a server: nothing is sent before a test says so, and a wait
 * between two messages moves the clock. `allowed` are the origins of receivers.
 */
export function useDeliveries(allowed: readonly string[]) {
  const clock = fixedClock();
  const sleeping = {
    ...clock,
    async sleep(ms: number) {
      clock.forward(Math.ceil(ms / 1000));
    },
  };
  const outbound = createOutboundGuard({ allowedOrigins: allowed });
  const secrets = createSecretBox(Buffer.from(ENCRYPTION_KEY, "base64"));
  let database: TestDatabase | undefined;
  let storage: Storage | undefined;

  beforeAll(async () => {
    database = await openTestDatabase();
    storage = await openStorage(
      { databaseUrl: null, dataDir: "/nonexistent" },
      { connection: database.connection, log: silentLog },
    );
  });
  beforeEach(async () => {
    clock.rewind();
    await opened().database.clear();
  });
  afterAll(async () => {
    await storage?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
    await outbound[Symbol.asyncDispose]();
  });

  function opened() {
    if (database === undefined || storage === undefined) throw new Error("opened before each test");
    return { database, orm: storage.orm };
  }

  function deps() {
    return {
      em: opened().orm.em.fork(),
      bus: createLocalBus(),
      clock: sleeping,
      consoleOrigin: ORIGIN,
      databaseClock: databaseClockOf(clock),
      log: silentLog,
      metrics: createMetrics(),
      outbound,
      secrets,
    };
  }

  const query: TestDatabase["query"] = (sql, parameters) =>
    opened().database.query(sql, parameters);

  return {
    clock,
    query,
    clear: () => opened().database.clear(),

    async user(role: Role, { name = "张三", adminId, email = null }: UserOptions = {}) {
      const id = v7();
      const user = {
        id,
        username: `user_${id.slice(-12)}`,
        password_hash: "none",
        name,
        role,
        email,
        is_active: true,
        admin_id: adminId ?? null,
        must_change_password: false,
        created_at: clock.now(),
      };
      await insertRows(opened().database, "users", [user]);
      return id;
    },

    async hosts(...names: string[]) {
      return await insertHosts(
        opened(),
        names.map((name) => ({ name })),
      );
    },

    /** Assigns the host until so many days from now. */
    async assignment(hostId: string, userId: string, days = 3): Promise<NoticeSubject> {
      const id = v7();
      const row = {
        id,
        host_id: hostId,
        user_id: userId,
        user_name: "张三",
        user_username: "zhangsan",
        assigned_by: userId,
        assigned_by_name: "管理员",
        assigned_at: clock.now() - DAY_SECONDS,
        assigned_expire_time: clock.now() + days * DAY_SECONDS,
        created_at: clock.now() - DAY_SECONDS,
      };
      await insertRows(opened().database, "assignments", [row]);
      return { hostId, assignmentId: id };
    },

    async endAssignment({ assignmentId }: NoticeSubject) {
      await query("update assignments set ended_at = $2 where id = $1", [
        assignmentId,
        clock.now(),
      ]);
    },

    async channel(setup: ChannelSetup, { name = "运维群", types }: ChannelOptions = {}) {
      const id = v7();
      const row = {
        id,
        name,
        type: setup.type,
        config_sealed: sealConfig({ secrets }, id, setup),
        types: types ?? ["assignment.expiring", "sync.failing"],
        is_active: true,
        created_at: clock.now(),
      };
      await insertRows(opened().database, "notice_channels", [row]);
      return id;
    },

    /** Adds notices of one batch, as an act does. */
    async notify(...notices: NoticeOptions[]) {
      const batchId = v7();
      const complete = notices.map((notice) => ({
        batchId,
        type: "sync.failing" as const,
        severity: "warning" as const,
        title: "同步连续失败",
        message: "配置连续三次同步失败。",
        link: "/configs",
        subjects: [],
        ...notice,
      }));
      // Nothing is sent before the test says so.
      const jobs = { send: async () => false };
      await inTransaction(deps(), async (em) => {
        await addNotices({ em, jobs }, complete, clock.now());
        await tellGroups({ em, jobs }, complete, { at: clock.now() });
      });
    },

    /** What the worker of the channel does with everything that is due. */
    async deliver(channelId: string, signal = new AbortController().signal) {
      await deliverJob(deps()).handle({ channelId }, { ...firstDelivery(), signal });
    },

    /** What each delivery would say now, by the owner of its notice. */
    async composed(channelId: string, setup: ChannelSetup) {
      const rows = await query(
        `select d.id, d.batch_id, d.notice_id, d.type, d.created_at, d.group_message, n.user_id
         from notice_deliveries d left join notices n on n.id = d.notice_id
         where d.channel_id = $1 order by d.id`,
        [channelId],
      );
      const messages = rows.map(async (row) => {
        const delivery = {
          id: String(row.id),
          channelId,
          batchId: String(row.batch_id),
          noticeId: row.notice_id === null ? null : String(row.notice_id),
          type: NoticeType.parse(row.type),
          groupMessage: row.group_message === null ? null : GroupMessage.parse(row.group_message),
          createdAt: Number(row.created_at),
          attempts: 1,
          formerAttemptAt: null,
          setup,
        };
        const composed = await composeMessage(deps(), delivery);
        if (composed.kind === "nothing") return { owner: row.user_id, title: null, hosts: [] };

        const { title, hosts } = composed.message;
        return { owner: row.user_id, title, hosts: hosts.map(({ hostId }) => hostId) };
      });
      return await Promise.all(messages);
    },

    deliveries() {
      return query(
        `select id, status, attempts, error, last_attempt_at, next_attempt_at
         from notice_deliveries order by id`,
      );
    },
  };
}
