import { splitTags } from "@shared/annotations.ts";
import { isClient, isSuperAdmin } from "@shared/roles.ts";
import { trpc } from "@/api/trpc";
import { AccountFilter } from "@/components/sync/account-filter";
import { TagsField } from "@/components/tags/tags-field";
import { useTagSuggestions } from "@/components/tags/use-tag-suggestions";
import { UserPicker } from "@/components/user-picker";
import { useCurrentUser } from "@/session/session";
import { daysIn, expiryOptions } from "./expiry-options";
import { FilterField, HostFilter } from "./host-filter";
import type { HostSearch } from "./host-search";
import { UserEndFilter } from "./user-end-filter";

type FilterProps = { search: HostSearch };

/** All others that the role may use; a client has none. */
export function MoreFilterFields({ search }: FilterProps) {
  const { role } = useCurrentUser();
  const isSuper = isSuperAdmin(role);
  if (isClient(role)) return null;

  return (
    <>
      {isSuper ? <ConfigFilter search={search} /> : null}
      <PersonFilter search={search} />
      {isSuper ? <AssignedFilter search={search} /> : null}
      <UserEndFilter search={search} isInRow={false} />
      <ProviderEndFilters search={search} />
      {isSuper ? <PresenceFilter search={search} /> : null}
      <TagFilterField search={search} />
    </>
  );
}

function ConfigFilter({ search: { params, setFilters } }: FilterProps) {
  return (
    <FilterField label="云账号">
      <AccountFilter
        value={params.configId}
        onValueChange={(configId) => setFilters({ configId })}
      />
    </FilterField>
  );
}

function PersonFilter({ search: { params, setFilters } }: FilterProps) {
  const { userId } = params;
  const user = trpc.users.get.useQuery({ id: userId ?? "" }, { enabled: userId !== undefined });

  return (
    <FilterField label="用户">
      <UserPicker
        only="client"
        aria-label="用户"
        placeholder="全部用户"
        clearable
        value={userId ?? null}
        selectedName={user.data?.name ?? "…"}
        onValueChange={(chosen) => setFilters({ userId: chosen ?? undefined })}
      />
    </FilterField>
  );
}

function AssignedFilter({ search: { params, setFilters } }: FilterProps) {
  return (
    <HostFilter
      label="分配"
      all="分配不限"
      value={params.assigned}
      onValueChange={(assigned) => setFilters({ assigned })}
      options={assignedOptions}
    />
  );
}

/** The ends at the provider, alone and beside those of the users. */
function ProviderEndFilters({ search: { params, setFilters } }: FilterProps) {
  return (
    <>
      <HostFilter
        label="云端到期"
        all="云端到期不限"
        value={params.expired ? "expired" : params.expiring?.toString()}
        onValueChange={(value) =>
          setFilters({ expired: value === "expired" || undefined, expiring: daysIn(value) })
        }
        options={expiryOptions("云端", params.expiring)}
      />
      <HostFilter
        label="自动续费"
        all="自动续费不限"
        value={params.autoRenew}
        onValueChange={(autoRenew) => setFilters({ autoRenew })}
        options={autoRenewOptions}
      />
      <HostFilter
        label="到期先后"
        all="到期先后不限"
        value={params.providerEndsFirst ? "true" : undefined}
        onValueChange={(value) => setFilters({ providerEndsFirst: value === "true" || undefined })}
        options={[{ value: "true", label: "云端早于用户到期" }]}
      />
    </>
  );
}

function PresenceFilter({ search: { params, setFilters } }: FilterProps) {
  return (
    <HostFilter
      label="云端情况"
      all="云端存在"
      value={params.gone ? "true" : undefined}
      onValueChange={(value) => setFilters({ gone: value === "true" || undefined })}
      options={[{ value: "true", label: "已消失" }]}
    />
  );
}

/** Hosts that have all of them. */
function TagFilterField({ search: { params, setFilters } }: FilterProps) {
  return (
    <TagsField
      label="标签"
      placeholder="输入或选择标签"
      help="多个标签时，只看全部都有的主机"
      className="md:col-span-2"
      values={splitTags(params.tag ?? "")}
      suggestions={useTagSuggestions()}
      onChange={(tags) => setFilters({ tag: tags.join() })}
    />
  );
}

const assignedOptions = [
  { value: "true" as const, label: "已分配" },
  { value: "false" as const, label: "未分配" },
];
const autoRenewOptions = [
  { value: "true" as const, label: "自动续费" },
  { value: "false" as const, label: "不自动续费" },
];
