import type { HeldReason } from "../../../shared/held-hosts.ts";
import { MASS_REMOVAL, MORE_ERRORS, type SyncRunError } from "../../../shared/sync.ts";
import { ProviderFailure } from "../../provider/failure.ts";
import type { Partition } from "../../provider/uhost-api.ts";
import {
  countsForMassRemoval,
  EMPTY_CONFIRM_SECONDS,
  type HeldHost,
  isHeldByMassRemoval,
  isMassRemoval,
  REMOVAL_WINDOW_SECONDS,
  type RemovalWindow,
} from "./absence.ts";

const MAX_ERRORS = 200;
const MAX_REASONS = 3;
const HOUR_SECONDS = 3_600;
const CONFIRM_HOURS = EMPTY_CONFIRM_SECONDS / HOUR_SECONDS;
const WINDOW_HOURS = REMOVAL_WINDOW_SECONDS / HOUR_SECONDS;
export const RUN_MINUTES = 30;

/** `code` is for programs, `message` for people. Without a partition it concerns the whole run. */
function problem(code: string, message: string, partition: Partition | null = null): SyncRunError {
  return {
    region: partition?.region ?? null,
    projectId: partition?.projectId ?? null,
    code,
    message,
  };
}

export function providerError(
  { kind, message }: ProviderFailure,
  partition: Partition | null,
): SyncRunError {
  return problem(kind, message, partition);
}

export const REGIONS_REFUSED = problem(
  "regions-refused",
  "该密钥无权列出地域，只读取默认地域；请在云服务商处授予其查看地域的权限",
);
export const PROJECTS_REFUSED = problem(
  "projects-refused",
  "该密钥无权列出项目，只读取默认项目；请在配置中填写可用的项目 ID",
);
export const NOTHING_OPENED = problem(
  "not-opened",
  "所有地域均未开通或该密钥无权使用，请检查密钥权限和项目 ID",
);
export const PROVIDER_SILENT = problem(
  "provider-silent",
  "云服务商没有任何应答，本次不再读取其余地域，其中的主机保持原状；请检查服务器到 API 地址的网络，恢复后重新同步",
);
export const STOPPED = problem("interrupted", "服务停止，同步未做完，已写入的数据有效，请重新同步");
export const OWNER_LOST = problem(
  "interrupted",
  "执行同步的服务进程已停止，或与数据库失去联系，已写入的数据有效，请重新同步",
);
export const TIMED_OUT = problem(
  "run-timeout",
  `同步超过 ${RUN_MINUTES} 分钟仍未完成，已停止，已写入的数据有效；请检查云服务商接口的响应速度后重试`,
);
export const INTERNAL = problem(
  "internal",
  "同步时服务器内部错误，请稍后重试；若持续出现，请联系技术支持",
);

/**
 * The first 200 and all that concern the whole run, with a last one that says how many there are.
 */
export function limitErrors(errors: readonly SyncRunError[]): readonly SyncRunError[] {
  if (errors.length <= MAX_ERRORS) return errors;
  const first = errors.filter(({ region }, index) => region === null || index < MAX_ERRORS);
  const message = `共有 ${errors.length} 个问题，只列出了 ${first.length} 个；请先处理已列出的，再重新同步`;
  return [...first, problem(MORE_ERRORS, message)];
}

export function unreadableRows(list: "地域" | "项目", count: number): SyncRunError {
  const message = `云服务商的${list}列表中有 ${count} 条无法识别，其中的主机未同步；请稍后重新同步，若持续出现，请联系云服务商`;
  return problem("rejected", message);
}

export function unreadableHosts(partition: Partition, rejections: readonly string[]): SyncRunError {
  const reasons = [...new Set(rejections)];
  const named = reasons.slice(0, MAX_REASONS);
  if (reasons.length > MAX_REASONS) named.push("等");
  const message = `${rejections.length} 条主机记录无法识别，已跳过（${named.join("；")}）；请稍后重新同步，若持续出现，请联系云服务商`;
  return problem("rejected", message, partition);
}

export function tooManyHosts(total: number): ProviderFailure {
  const message = `云服务商称该地域有 ${total} 台主机，超出同步的上限，未继续读取；请核实 API 地址，若确有这么多，请联系技术支持`;
  return new ProviderFailure("too-large", { message });
}

export function incompleteList(
  partition: Partition,
  total: number,
  received: number,
): SyncRunError {
  const message = `云服务商声明有 ${total} 台主机，实际返回 ${received} 台，未能确认数据完整，其余主机保持原状，请稍后重新同步`;
  return problem("incomplete", message, partition);
}

export function foundById(partition: Partition, count: number): SyncRunError {
  const message = `主机列表不完整：按 ID 又找到 ${count} 台列表中没有的主机，该地域未标记任何主机，请稍后重新同步`;
  return problem("incomplete", message, partition);
}

/** What a person can do about hosts that a mass removal holds. */
const DECIDE_MASS_REMOVAL =
  "请先到云服务商处核实：若主机仍在，请检查密钥权限后重新同步；若确已删除，请在“待确认消失”中确认，系统会逐台核实";

/**
 * Of all hosts of a configuration that a mass removal holds: those that this run or refresh holds,
 * with the numbers that decided it, and those that an earlier one holds.
 */
export function massRemoval(held: readonly HeldHost[], window: RemovalWindow): SyncRunError {
  const waiting = held.filter(isHeldByMassRemoval).length;
  const reason = waiting === held.length ? null : whyMassRemoval(held, window);
  if (reason === null) {
    const message = `有 ${waiting} 台主机仍未再出现，此前已因大批主机同时消失列为待确认，人工确认前不会标记为已消失，也不影响其他主机。${DECIDE_MASS_REMOVAL}`;
    return problem(MASS_REMOVAL, message);
  }

  const earlier = waiting > 0 ? `；此前的 ${waiting} 台也仍待确认` : "";
  return problem(MASS_REMOVAL, `${reason}${earlier}。${DECIDE_MASS_REMOVAL}`);
}

/** The numbers are those of the hosts that count; the others are named apart. */
function whyMassRemoval(held: readonly HeldHost[], window: RemovalWindow): string {
  const fresh = held.filter((host) => !isHeldByMassRemoval(host));
  const counted = fresh.filter((host) => countsForMassRemoval(host, window)).length;
  const young = fresh.length - counted;

  const since = window.isFirstDay ? "" : `${WINDOW_HOURS} 小时前`;
  const removed =
    window.removed > 0
      ? `，此前 ${WINDOW_HOURS} 小时内另有 ${window.removed} 台已标记为已消失`
      : "";
  const together =
    young > 0 ? `；另有 ${young} 台新增不足 ${WINDOW_HOURS} 小时的也未再出现，一并待确认` : "";
  return `有 ${counted} 台主机（${since}共 ${window.hosts} 台）未再出现${removed}；${WINDOW_HOURS} 小时内超过 30% 须人工确认，均列为待确认消失${together}`;
}

interface EmptyPartition {
  /** Hosts of the partition that are held. */
  readonly hosts: number;
  /** Of all empty partitions, these hosts and those whose time is up by then. */
  readonly together: number;
  readonly window: RemovalWindow;
}

/** Says what becomes of the hosts when nobody does anything. */
export function emptyPartition(
  partition: Partition,
  { hosts, together, window: { present } }: EmptyPartition,
): SyncRunError {
  const found = `云服务商返回空列表，但此前有 ${hosts} 台主机，均列为待确认消失`;
  if (isMassRemoval(together, { hosts: present, removed: 0 })) {
    const message = `${found}。列表为空的地域共有 ${together} 台主机（现有 ${present} 台），超过 30%，${CONFIRM_HOURS} 小时后仍为空也须人工确认。${DECIDE_MASS_REMOVAL}`;
    return problem("empty", message, partition);
  }

  const message = `${found}；请到云服务商处核实。若列表到 ${CONFIRM_HOURS} 小时后仍为空，届时的同步会把它们标记为已消失（那时消失的主机合计超过 30% 的，仍须人工确认）；也可在“待确认消失”中立即确认`;
  return problem("empty", message, partition);
}

export function unavailablePartition(partition: Partition, hosts: number): SyncRunError {
  const message = `云服务商称该地域未开通或项目已不存在，此前的 ${hosts} 台主机列为待确认消失；请在云服务商处核实，恢复权限后重新同步；若确已停用，请在“待确认消失”中确认`;
  return problem("unavailable", message, partition);
}

/** Of one host that a refresh holds, or that is held and was not found again. */
export const HELD_HOST_MESSAGES: Readonly<Record<HeldReason, string>> = {
  empty: `云服务商对该地域返回空列表，该主机列为待确认消失；请到云服务商处核实。若列表到 ${CONFIRM_HOURS} 小时后仍为空，届时的同步会标记它（那时消失的主机合计超过 30% 的，仍须人工确认）；也可在“待确认消失”中立即确认`,
  unavailable:
    "云服务商称该地域未开通或项目已不存在，该主机列为待确认消失；请在云服务商处核实，恢复权限后重新同步；若确已停用，请在“待确认消失”中确认",
  "mass-removal":
    "该主机仍未再出现，此前已因大批主机同时消失列为待确认，单独同步不会把它标记为已消失。请先到云服务商处核实：若主机仍在，请检查密钥权限后重新同步；若确已删除，请在“待确认消失”中确认",
};

export function keptHosts(count: number): SyncRunError {
  const message = `有 ${count} 台主机未再出现，已按此前的选择保留；若确已删除，请打开这些主机单独同步`;
  return problem("incomplete", message);
}
