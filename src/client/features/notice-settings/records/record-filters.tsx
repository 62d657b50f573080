import { DELIVERY_STATUS_LABELS, DeliveryStatus } from "@shared/notice-channels.ts";
import { trpc } from "@/api/trpc";
import { hostTitle } from "@/components/hosts/host-facts";
import { ClearFilters, FilterSelect } from "@/components/list-filters";
import { UserPicker } from "@/components/user-picker";
import { HostPicker } from "./host-picker";
import type { RecordSearch } from "./record-search";

type FilterProps = { search: RecordSearch };

export function RecordFilters({ search }: FilterProps) {
  const { params, setFilters } = search;

  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <RecipientFilter search={search} />
      <HostFilter search={search} />
      <FilterSelect
        label="发送状态"
        all="全部状态"
        className="min-w-28 flex-1 md:w-32 md:flex-none"
        value={params.status}
        onValueChange={(status) => setFilters({ status })}
        options={DeliveryStatus.options.map((value) => ({
          value,
          label: DELIVERY_STATUS_LABELS[value],
        }))}
      />
      <ClearFilters search={search} />
    </div>
  );
}

function RecipientFilter({ search: { params, setFilters } }: FilterProps) {
  const { userId } = params;
  const user = trpc.users.get.useQuery({ id: userId ?? "" }, { enabled: userId !== undefined });

  return (
    <div className="min-w-36 flex-1 md:w-48 md:flex-none">
      <UserPicker
        aria-label="接收人"
        placeholder="全部接收人"
        clearable
        value={userId ?? null}
        selectedName={user.data?.name ?? "…"}
        onValueChange={(id) => setFilters({ userId: id ?? undefined })}
      />
    </div>
  );
}

function HostFilter({ search: { params, setFilters } }: FilterProps) {
  const { hostId } = params;
  const host = trpc.hosts.get.useQuery({ id: hostId ?? "" }, { enabled: hostId !== undefined });

  return (
    <div className="min-w-36 flex-1 md:w-56 md:flex-none">
      <HostPicker
        value={hostId ?? null}
        selectedName={host.data === undefined ? "…" : hostTitle(host.data)}
        onValueChange={(id) => setFilters({ hostId: id ?? undefined })}
      />
    </div>
  );
}
