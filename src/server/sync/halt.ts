import { regionName } from "../../shared/regions.ts";
import type { Halt } from "./questions.ts";
import type { Place } from "./rules.ts";
import type { RunContext } from "./run-context.ts";
import type { ReadPlace } from "./traverse.ts";

/** Regions that a sentence names before it only counts. */
const NAMED_REGIONS = 6;

/** Says once for all that was not asked for why a run was halted. Whether it was is known when everything read is written. */
export function explainHalt({ maxHosts, questions, progress }: RunContext, read: readonly ReadPlace[]): void {
  const { halted } = questions;
  if (halted === null) return;
  const unread = read.filter(({ isCut }) => isCut).map(({ place }) => place);
  const message = haltSentence(halted, { unread, maxHosts });
  progress.addError({ region: null, projectId: null, code: halted, message });
}

function haltSentence(why: Halt, { unread, maxHosts }: { unread: readonly Place[]; maxHosts: number }): string {
  switch (why) {
    case "provider-silent":
      return `云服务商没有任何应答，本次同步提前结束，未能读取 ${regionPhrase(unread)}，其中的主机保持原状；请检查服务器到API地址的网络，并到云平台查看有无故障公告，恢复后重新同步`;
    case "too-many-hosts":
      return `该配置的主机超过 ${maxHosts} 台的上限，本次同步提前结束，已写入的主机保留，未标记任何主机为已消失；请到云平台核实主机数量：若数量不符，请检查API地址并联系云服务商；若确有这么多，请按项目拆分为多个配置`;
  }
}

/** `2 个地域：香港、新加坡`. */
export function regionPhrase(places: readonly Place[]): string {
  const names = [...new Set(places.map(({ region }) => regionName(region)))];
  const named = names.slice(0, NAMED_REGIONS).join("、");
  return `${names.length} 个地域：${named}${names.length > NAMED_REGIONS ? " 等" : ""}`;
}
