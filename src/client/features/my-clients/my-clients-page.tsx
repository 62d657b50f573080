import { SortOrder } from "@shared/page.ts";
import { type ListedUser, UserSort } from "@shared/users.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { EmailLink, PhoneLink } from "@/components/contact-links";
import { type Column, DataTable } from "@/components/data-table";
import { ExportButton, shownTotal } from "@/components/export/export-button";
import { SearchBox } from "@/components/list-filters";
import { ListView } from "@/components/list-view";
import { PageHeader } from "@/components/page-header";
import { PersonName } from "@/components/person-name";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { HostCount, NextEnd } from "@/components/users/user-facts";
import { UserLines } from "@/components/users/user-lines";
import { formatNumber } from "@/lib/format-number";
import { personSearch } from "@/lib/half-width";
import { listSearch, SearchParam } from "@/lib/list-search";
import { useIsLargeScreen } from "@/lib/use-media";
import { EXPIRY_REFETCH_MS } from "@/lib/use-now";

const useClientSearch = listSearch({
  input: {
    search: SearchParam,
    sort: UserSort.catch("nextEnd"),
    order: SortOrder.catch("asc"),
  },
  urlOnly: {},
});

type ClientSearch = ReturnType<typeof useClientSearch>;

/**
 * The clients of an admin, whose hosts end next on top. An end that has passed is none to come, so
 * the hosts that have ended are counted above the list.
 */
export function MyClientsPage() {
  const search = useClientSearch();
  const { input, params, setFilters } = search;
  const listInput = { ...input, search: personSearch(input.search) };
  const list = trpc.users.list.useQuery(listInput, {
    placeholderData: keepPreviousData,
    refetchInterval: EXPIRY_REFETCH_MS,
  });

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="我的用户"
        aside={
          list.data ? (
            <Badge className="tabular-nums">{formatNumber(list.data.pagination.total)} 人</Badge>
          ) : null
        }
        actions={<ExportButton list="users" input={listInput} total={shownTotal(list)} />}
      />
      <SearchBox
        label="搜索用户"
        placeholder="搜索姓名、用户名、手机号或邮箱"
        value={params.search}
        onSearch={(text) => setFilters({ search: text }, { replace: params.search !== "" })}
        className="md:max-w-80 print:hidden"
      />
      <ExpiredHosts />
      <ListView
        list={list}
        search={search}
        noun="用户"
        unit="人"
        empty={{
          icon: Users,
          title: "还没有由您负责的用户",
          description: "超级管理员把用户交给您负责后，会显示在这里。",
        }}
      >
        {(page) => (
          <Clients clients={page?.users} search={search} isStale={list.isPlaceholderData} />
        )}
      </ListView>
    </div>
  );
}

/** How many hosts their users have no more time for, as a way to them. */
function ExpiredHosts() {
  const summary = trpc.hosts.summary.useQuery(undefined, { refetchInterval: EXPIRY_REFETCH_MS });
  const expired = summary.data?.assigned.expired ?? 0;
  if (expired === 0) return null;

  return (
    <Link
      href="/hosts?assignedExpired=true&view=table"
      className="w-fit rounded-sm py-0.5 text-sm text-danger-ink tabular-nums hover:underline"
    >
      {`${formatNumber(expired)} 台主机用户已到期`}
    </Link>
  );
}

type ClientsProps = {
  clients: readonly ListedUser[] | undefined;
  search: ClientSearch;
  isStale: boolean;
};

/** A table, or lines where it has no room. */
function Clients({ clients, search: { params, setFilters }, isStale }: ClientsProps) {
  const shared = { label: "我的用户", isStale };
  if (!useIsLargeScreen()) {
    return (
      <UserLines {...shared} users={clients} badges={(client) => <Disabled client={client} />} />
    );
  }

  return (
    <DataTable
      {...shared}
      rows={clients}
      columns={COLUMNS}
      sorting={{
        by: params.sort,
        order: params.order,
        onChange: (by, order) =>
          setFilters({ sort: UserSort.options.find((sort) => sort === by) ?? "nextEnd", order }),
      }}
    />
  );
}

function Disabled({ client }: { client: ListedUser }) {
  return client.isActive ? null : <Badge>已停用</Badge>;
}

const COLUMNS: readonly Column<ListedUser>[] = [
  {
    id: "user",
    header: "用户",
    sort: "name",
    className: "min-w-44 max-w-80",
    isRowHead: true,
    cell: (client) => (
      <div className="flex min-w-0 items-center gap-3">
        <Avatar name={client.name} />
        <PersonName person={client} href={`/users/${client.id}`}>
          <Disabled client={client} />
        </PersonName>
      </div>
    ),
  },
  {
    id: "phone",
    header: "手机号",
    className: "whitespace-nowrap",
    cell: ({ phone }) => <PhoneLink phone={phone} />,
  },
  {
    id: "email",
    header: "邮箱",
    className: "max-w-72",
    cell: ({ email }) => <EmailLink email={email} />,
  },
  {
    id: "hosts",
    header: "主机",
    sort: "hostCount",
    className: "whitespace-nowrap tabular-nums",
    cell: (client) => <HostCount user={client} />,
  },
  {
    id: "nextEnd",
    header: "下次到期",
    sort: "nextEnd",
    className: "whitespace-nowrap",
    cell: (client) => <NextEnd user={client} />,
  },
];
