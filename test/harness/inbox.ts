import { type Notice, NoticeList, type NoticeType } from "../../src/shared/notices.ts";
import { assertOk, type RestClient } from "./rest.ts";

/** The newest notices of a user, with the hosts that it may see of them now. */
export async function inboxOf(user: RestClient, query = ""): Promise<NoticeList> {
  const { data } = await assertOk(user.get(`/api/notices?limit=100${query}`));
  return NoticeList.parse(data);
}

/** Those of one type, newest first. */
export async function noticesOf(user: RestClient, type: NoticeType): Promise<Notice[]> {
  const { notices } = await inboxOf(user, `&type=${type}`);
  return notices;
}

/** The types in the inbox, oldest first. */
export async function typesOf(user: RestClient): Promise<NoticeType[]> {
  const { notices } = await inboxOf(user);
  return notices.map(({ type }) => type).toReversed();
}

export function hostIdsOf({ items }: Notice): string[] {
  return items.map(({ hostId }) => hostId).toSorted();
}
