import type { EntityManager, SqlEntityManager } from "@mikro-orm/postgresql";
import {
  MAX_NOTICE_ITEMS,
  NOTICE_TYPE_LABELS,
  type NoticeItem,
  type NoticeType,
} from "../../../shared/notices.ts";
import { isClient, type Role } from "../../../shared/roles.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { anyOf } from "../../platform/database/sql.ts";
import { inTurn } from "../../platform/database/transaction.ts";
import type { GroupMessage, NoticeSubject } from "../channels/group-message.ts";
import type { Message, MessageHost, Recipient } from "../channels/message.ts";
import { isVisibleAssignment, type Viewer } from "../hosts/access.ts";
import type { NoticeRow } from "../notice-records/entity.ts";
import { readNoticeItems } from "../notices/items.ts";
import { linkOfNotice } from "../notices/link.ts";
import type { ClaimedDelivery } from "./claim-delivery.ts";
import type { DeliveriesDeps } from "./deps.ts";

export type Composed =
  | {
      readonly kind: "message";
      readonly message: Message;
      /** Null where a group or a program reads it. */
      readonly recipient: Recipient | null;
    }
  | { readonly kind: "nothing"; readonly reason: string };

const NOTICE_GONE = nothing("通知已被删除");
const OWNER_GONE = nothing("接收人已停用或已删除");
const SWITCHED_OFF = nothing("接收人已关闭邮件通知");
const NO_ADDRESS = nothing("接收人没有填写邮箱");
const NOTHING_LEFT = nothing("涉及的主机已收回，或对接收人已不可见");

/**
 * What a delivery says. It is read when it is sent, in the scope that its reader has then, and not
 * when it was queued: a client who lost a host meanwhile gets no line about it, and it is not
 * counted. By e-mail that reader is the owner of the notice. A group or a program is shown what a
 * super admin sees, as only super admins make channels.
 */
export async function composeMessage(
  deps: DeliveriesDeps,
  delivery: ClaimedDelivery,
): Promise<Composed> {
  return await inTurn(deps, async (em) => {
    const own = { ...deps, em };
    const { groupMessage, noticeId } = delivery;
    if (groupMessage !== null) return await composeForGroup(own, delivery, groupMessage);
    return noticeId === null ? NOTICE_GONE : await composeForOwner(own, delivery, noticeId);
  });
}

interface Owner {
  readonly id: string;
  readonly role: Role;
  readonly name: string;
  readonly email: string | null;
  /** Whether this user wants e-mail. */
  readonly emailNotices: boolean;
}

interface OwnedNotice extends Pick<NoticeRow, "severity" | "title" | "message"> {
  readonly link: string | null;
  readonly subjects: readonly NoticeSubject[];
  /** Null unless the user is there and active. */
  readonly owner: Owner | null;
}

async function composeForOwner(
  deps: DeliveriesDeps,
  delivery: ClaimedDelivery,
  noticeId: string,
): Promise<Composed> {
  const notice = await findNotice(deps.em, noticeId);
  if (notice === undefined) return NOTICE_GONE;

  const { owner, ...content } = notice;
  if (owner === null) return OWNER_GONE;
  if (!owner.emailNotices) return SWITCHED_OFF;
  if (!owner.email) return NO_ADDRESS;

  const viewer = { id: owner.id, role: owner.role, now: deps.clock.now() };
  const recipient = { name: owner.name, address: owner.email };
  return await compose(deps, delivery, { ...content, viewer, recipient });
}

async function composeForGroup(
  deps: DeliveriesDeps,
  delivery: ClaimedDelivery,
  { text, userIds, ...content }: GroupMessage,
): Promise<Composed> {
  const words = text ?? (await describeRecipients(deps.em, delivery.type, userIds));
  const viewer = { id: delivery.id, role: "super_admin", now: deps.clock.now() } as const;
  return await compose(deps, delivery, { ...content, ...words, viewer, recipient: null });
}

interface Content extends Pick<Message, "severity" | "title" | "message"> {
  readonly link: string | null;
  readonly subjects: readonly NoticeSubject[];
  readonly viewer: Viewer;
  readonly recipient: Recipient | null;
}

async function compose(
  { em, consoleOrigin }: DeliveriesDeps,
  { id, type, createdAt }: ClaimedDelivery,
  { subjects, viewer, recipient, link, severity, title, message }: Content,
): Promise<Composed> {
  const isAboutLostHosts = type === "assignment.ended";
  const hosts = isAboutLostHosts
    ? await readLostHosts(em, viewer, subjects)
    : await readHosts(em, viewer, subjects);
  if (!isAboutLostHosts && subjects.length > 0 && hosts.length === 0) return NOTHING_LEFT;

  const told = new Set(subjects.map(({ hostId }) => hostId)).size;
  const isOutdated = !isAboutLostHosts && hosts.length < told;
  return {
    kind: "message",
    message: {
      id,
      type,
      severity,
      title: isOutdated ? `${NOTICE_TYPE_LABELS[type]}：${hosts.length} 台主机` : title,
      message,
      createdAt,
      hosts: hosts.slice(0, MAX_NOTICE_ITEMS),
      moreHosts: Math.max(0, hosts.length - MAX_NOTICE_ITEMS),
      url: consoleOrigin === null || link === null ? null : `${consoleOrigin}${link}`,
    },
    recipient,
  };
}

async function findNotice(em: SqlEntityManager, id: string): Promise<OwnedNotice | undefined> {
  const row = await kyselyOf(em)
    .selectFrom("notices as n")
    .leftJoin("users as u", (join) =>
      join.onRef("u.id", "=", "n.userId").on("u.isActive", "=", true),
    )
    .select(["n.id", "n.type", "n.severity", "n.title", "n.message", "n.link", "n.subjects"])
    .select(["u.id as userId", "u.role", "u.name", "u.email", "u.emailNotices"])
    .where("n.id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return undefined;

  const { userId, role, name, email, emailNotices, ...notice } = row;
  const link = linkOfNotice(notice);
  const isActive = userId !== null && role !== null && name !== null && emailNotices !== null;
  const owner = isActive ? { id: userId, role, name, email, emailNotices } : null;
  return { ...notice, link, owner };
}

/** For what concerns users: of what kind it is, and who was told. */
async function describeRecipients(
  em: SqlEntityManager,
  type: NoticeType,
  userIds: readonly string[],
): Promise<Pick<Message, "title" | "message">> {
  const users = await kyselyOf(em)
    .selectFrom("users")
    .select("name")
    .where("id", "=", anyOf(userIds))
    .orderBy("id")
    .execute();
  const names = users.map(({ name }) => name).join("、");
  const message = names === "" ? "接收人已删除。" : `已通知：${names}`;
  return { title: NOTICE_TYPE_LABELS[type], message };
}

/** All that the viewer sees now, those that end first in front. */
async function readHosts(
  em: EntityManager,
  viewer: Viewer,
  subjects: readonly NoticeSubject[],
): Promise<MessageHost[]> {
  const items = await readItems(em, viewer, subjects);
  const names = await findUserNames(em, viewer, items, subjects);
  return items.map(({ hostId, hostName, expireTime, daysLeft }) => ({
    hostId,
    name: hostName,
    expireTime,
    daysLeft,
    userNames: names.get(hostId) ?? [],
  }));
}

/**
 * Hosts whose assignments have ended, so neither an end nor a user is left to be told. Their client
 * sees them no more, and nothing is left; a super admin does.
 */
async function readLostHosts(
  em: EntityManager,
  viewer: Viewer,
  subjects: readonly NoticeSubject[],
): Promise<MessageHost[]> {
  if (isClient(viewer.role)) return [];

  const hosts = subjects.map(({ hostId }) => ({ hostId, assignmentId: null }));
  const items = await readItems(em, viewer, hosts);
  return items.map(({ hostId, hostName }) => {
    return { hostId, name: hostName, expireTime: null, daysLeft: null, userNames: [] };
  });
}

async function readItems(
  em: EntityManager,
  viewer: Viewer,
  subjects: readonly NoticeSubject[],
): Promise<NoticeItem[]> {
  const notice = { id: viewer.id, subjects: [...subjects] };
  const [items = []] = (await readNoticeItems(em, viewer, [notice])).values();
  return items;
}

/** By host: whose assignments the subjects name, or else who has the host. Nobody for a client. */
async function findUserNames(
  em: SqlEntityManager,
  viewer: Viewer,
  items: readonly NoticeItem[],
  subjects: readonly NoticeSubject[],
): Promise<ReadonlyMap<string, string[]>> {
  if (isClient(viewer.role) || items.length === 0) return new Map();

  const hostIds = items.map(({ hostId }) => hostId);
  const assignments = await kyselyOf(em)
    .selectFrom("assignments as a")
    .innerJoin("users as u", "u.id", "a.userId")
    .select(["a.id", "a.host as hostId", "u.name"])
    .where("a.host", "=", anyOf(hostIds))
    .where((eb) => isVisibleAssignment(eb, viewer))
    .orderBy("u.name")
    .orderBy("a.id")
    .execute();

  const named = new Set(subjects.map(({ assignmentId }) => assignmentId));
  const hostsByAssignment = new Set(
    subjects.filter(({ assignmentId }) => assignmentId !== null).map(({ hostId }) => hostId),
  );
  const names = new Map<string, string[]>();
  for (const { id, hostId, name } of assignments) {
    if (hostsByAssignment.has(hostId) && !named.has(id)) continue;
    names.set(hostId, [...(names.get(hostId) ?? []), name]);
  }
  return names;
}

function nothing(reason: string) {
  return { kind: "nothing", reason } as const;
}
