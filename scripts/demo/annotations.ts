import type { ConsoleClient } from "../../src/sdk/public-types.ts";
import { MAX_BATCH_HOSTS } from "../../src/shared/batch.ts";

type Api = ConsoleClient["api"];

/** What hosts with this in their names are tagged with. */
const TAGS_BY_NAME = [
  ["支付网关", ["生产", "核心"]],
  ["订单服务", ["生产", "核心"]],
  ["物流跟踪", ["生产"]],
  ["测试环境", ["测试"]],
  ["db", ["数据库"]],
] as const;

/** Of the first client's hosts, in the order of their names. */
const OWN_NOTES = [
  "合同 YS-2026-031，续费按季度开票。\n计划 2027 年一季度迁移到上海二，迁移前先通知客户的运维负责人。",
  "客户自行备份，重装前必须先电话确认。",
];

/** Of the first clients. */
const USER_NOTES = [
  "月结客户，发票寄北京办公室；晚上 8 点后请勿致电。",
  "有 84 台主机，续费统一按季度谈，联系人是采购部王经理。",
];

/** Tags on many hosts, notes on a few hosts and users. */
export async function annotateDemo(api: Api, userIds: readonly string[]): Promise<void> {
  const [firstId] = userIds;
  const { hosts: own } = await api.hosts.list.query({ userId: firstId, sort: "name" });

  for (const [search, tags] of TAGS_BY_NAME) {
    const found = await api.hosts.list.query({ search, limit: MAX_BATCH_HOSTS });
    await addTags(api, found.hosts, tags);
  }
  await addTags(api, own, ["客户A"]);

  for (const [index, note] of OWN_NOTES.entries()) {
    const host = own.at(-1 - index);
    if (host !== undefined) await api.hosts.annotate.mutate({ id: host.id, note });
  }
  for (const [index, note] of USER_NOTES.entries()) {
    const id = userIds[index];
    if (id !== undefined) await api.users.update.mutate({ id, note });
  }
}

async function addTags(
  { hosts }: Api,
  chosen: readonly { readonly id: string }[],
  tags: readonly string[],
): Promise<void> {
  const hostIds = chosen.map(({ id }) => id);
  await hosts.batch.mutate({ operation: "tag", hostIds, add: [...tags] });
}
