import { splitTags } from "@shared/annotations.ts";
import { HOST_STATUS_LABELS } from "@shared/hosts.ts";
import { regionName } from "@shared/regions.ts";
import { isClient } from "@shared/roles.ts";
import { trpc } from "@/api/trpc";
import { useCurrentUser } from "@/session/session";
import { forbiddenFilters, type HostSearch } from "./host-search";

type FilterName = Exclude<
  keyof HostSearch["input"],
  "search" | "page" | "limit" | "sort" | "order"
>;

export interface SetFilter {
  readonly name: FilterName;
  /** `云账号：主账号`, `云端 7 天内到期` */
  readonly text: string;
  /** The page of the user whose hosts are listed. */
  readonly href: string | undefined;
  readonly remove: () => void;
}

/** The filters that narrow the list, in words; the search text is not among them. */
export function useSetFilters({ params, setFilters }: HostSearch): readonly SetFilter[] {
  const { role } = useCurrentUser();
  const forbidden = forbiddenFilters(role);
  const isAllowed = (name: FilterName) => params[name] !== undefined && !forbidden.includes(name);
  const configName = useConfigName(isAllowed("configId") ? params.configId : undefined);
  const userName = useUserName(isAllowed("userId") ? params.userId : undefined);

  const user = isClient(role) ? "" : "用户";
  const texts: Record<Exclude<FilterName, "tag">, string> = {
    status: `状态：${params.status === undefined ? "" : HOST_STATUS_LABELS[params.status]}`,
    region: `地域：${regionName(params.region ?? "")}`,
    configId: `云账号：${configName}`,
    userId: `用户：${userName}`,
    assigned: params.assigned === "true" ? "已分配" : "未分配",
    assignedExpired: `${user}已过期`,
    assignedExpiring: `${user} ${params.assignedExpiring} 天内到期`.trim(),
    expired: "云端已过期",
    expiring: `云端 ${params.expiring} 天内到期`,
    autoRenew: params.autoRenew === "true" ? "自动续费" : "不自动续费",
    providerEndsFirst: "云端早于用户到期",
    noticeId: "通知中的主机",
    gone: "已消失",
  };

  const others = NAMES.filter(isAllowed).map((name) => ({
    name,
    text: texts[name],
    href: name === "userId" ? `/users/${params.userId}` : undefined,
    remove: () => setFilters({ [name]: undefined }),
  }));
  const tags = isAllowed("tag") ? splitTags(params.tag ?? "") : [];

  return [...tags.map((tag) => tagFilter(tag, tags, setFilters)), ...others];
}

/** Each tag is removed by itself. */
function tagFilter(
  tag: string,
  all: readonly string[],
  setFilters: HostSearch["setFilters"],
): SetFilter {
  const rest = all.filter((other) => other !== tag);
  return {
    name: "tag",
    text: `标签：${tag}`,
    href: undefined,
    remove: () => setFilters({ tag: rest.join() }),
  };
}

const NAMES = [
  "status",
  "region",
  "configId",
  "userId",
  "assigned",
  "assignedExpired",
  "assignedExpiring",
  "expired",
  "expiring",
  "autoRenew",
  "providerEndsFirst",
  "noticeId",
  "gone",
] as const satisfies readonly Exclude<FilterName, "tag">[];

function useConfigName(id: string | undefined): string {
  const configs = trpc.configs.list.useQuery(undefined, { enabled: id !== undefined });
  if (configs.data === undefined) return configs.isError ? "未知" : "…";
  return configs.data.find((config) => config.id === id)?.name ?? "不存在";
}

function useUserName(id: string | undefined): string {
  const user = trpc.users.get.useQuery({ id: id ?? "" }, { enabled: id !== undefined });
  return user.data?.name ?? (user.isError ? "不存在，或不由您负责" : "…");
}
