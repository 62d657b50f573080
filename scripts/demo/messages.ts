import { createConsoleClient } from "../../src/sdk/index.ts";
import type { ConsoleClient } from "../../src/sdk/public-types.ts";
import { CHANNEL_TYPE_LABELS } from "../../src/shared/notice-channels.ts";
import { NoticeType } from "../../src/shared/notices.ts";
import { ANSWERS, DEMO_ADMIN, SIGN_INS } from "../demo-data.ts";

const DAY = 86_400;
/** Of the account whose password the admin resets. */
const FORGETFUL = "wu_jianguo";
/** An address of documentation (RFC 5737), which no account has signed in from. */
const NEW_ADDRESS = "203.0.113.20";

/** Where the channels of the demo lead. */
export interface ChannelTargets {
  readonly mailPort: number;
  readonly webhookUrl: string;
  readonly webhookSecret: string;
}

type Api = ConsoleClient["api"];

/** Sets up channels, and then does what notices tell of, so that something goes through them. */
export async function sendMessages(url: string, targets: ChannelTargets): Promise<void> {
  const admin = await signIn(url, DEMO_ADMIN);
  await createChannels(admin.api, targets);
  await giveHosts(url, admin.api);
  await resetPassword(url, admin.api);
  await signInElsewhere(url);
  await remindToday(admin.api);
  await admin.api.auth.logout.mutate();
}

async function createChannels({ auth, users, noticeChannels }: Api, targets: ChannelTargets) {
  const { id } = await auth.me.query();
  await users.update.mutate({ id, email: "admin@console.example.com" });

  await noticeChannels.create.mutate({
    type: "email",
    name: CHANNEL_TYPE_LABELS.email,
    types: NoticeType.options,
    config: {
      host: "127.0.0.1",
      port: targets.mailPort,
      security: "none",
      sender: "多主机管理系统 <notice@console.example.com>",
    },
  });
  await noticeChannels.create.mutate({
    type: "webhook",
    name: "工单系统",
    types: NoticeType.options,
    config: { url: targets.webhookUrl, secret: targets.webhookSecret },
  });
}

/** The first client gets hosts, asks for more time, and loses one of them. */
async function giveHosts(url: string, { hosts, renewals }: Api): Promise<void> {
  const client = await signIn(url, firstClient());
  const { id: userId } = await client.api.auth.me.query();
  const free = await hosts.list.query({ assigned: false, limit: 3 });
  const hostIds = free.hosts.map(({ id }) => id);
  const end = Math.floor(Date.now() / 1000) + 30 * DAY;
  const assign = { operation: "assign", userId, hostIds } as const;
  await hosts.batch.mutate({ ...assign, assignedExpireTime: end });
  await hosts.batch.mutate({ ...assign, assignedExpireTime: end + 30 * DAY });

  const decisions = ["completed", "approved", "rejected"] as const;
  for (const [index, hostId] of hostIds.entries()) {
    const request = { hostId, requestedDuration: 90 };
    const { id } = await client.api.renewals.create.mutate(request);
    const status = decisions[index] ?? "rejected";
    await renewals.process.mutate({ id, status, adminRemark: ANSWERS[status] });
  }
  await hosts.batch.mutate({ operation: "unassign", userId, hostIds: hostIds.slice(-1) });
}

/** Its owner chooses the usual one again. */
async function resetPassword(url: string, { users }: Api): Promise<void> {
  const found = await users.list.query({ search: FORGETFUL });
  const id = found.users[0]?.id;
  if (id === undefined) throw new Error(`the demo has no ${FORGETFUL}`);

  const { newPassword } = await users.resetPassword.mutate({ id });
  const { api } = await signIn(url, { username: FORGETFUL, password: newPassword });
  const { password } = DEMO_ADMIN;
  await api.auth.changePassword.mutate({ currentPassword: newPassword, newPassword: password });
}

/** As through a proxy, which the server trusts while it is filled. */
async function signInElsewhere(url: string): Promise<void> {
  const { username, password } = firstClient();
  const response = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": NEW_ADDRESS },
    body: JSON.stringify({ username, password }),
  });
  if (!response.ok) throw new Error(`the sign-in was answered with ${response.status}`);
}

/** Within a minute, at whatever hour the demo is started. */
async function remindToday({ reminders }: Api): Promise<void> {
  const settings = await reminders.settings.query();
  await reminders.updateSettings.mutate({ ...settings, isActive: true, sendAt: "00:00" });
}

function firstClient() {
  const client = SIGN_INS.at(-1);
  if (client === undefined) throw new Error("the demo has no client");
  return client;
}

interface Credentials {
  readonly username: string;
  readonly password: string;
}

async function signIn(url: string, { username, password }: Credentials): Promise<ConsoleClient> {
  const client = createConsoleClient({ url });
  await client.login(username, password);
  return client;
}
