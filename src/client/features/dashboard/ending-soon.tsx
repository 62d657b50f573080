import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { DAY_SECONDS } from "@shared/time.ts";
import { keepPreviousData } from "@tanstack/react-query";
import { CalendarCheck, Check, Copy } from "lucide-react";
import { Link } from "wouter";
import { z } from "zod";
import { trpc } from "@/api/trpc";
import { CallLink } from "@/components/call-link";
import { CopyButton } from "@/components/copyable-text";
import { EmptyState } from "@/components/empty-state";
import { QueryError } from "@/components/error-state";
import { ExpiryDate } from "@/components/hosts/expiry-date";
import { GapText } from "@/components/hosts/gap-text";
import { hostTitle } from "@/components/hosts/host-facts";
import { SegmentedControl } from "@/components/segmented-control";
import { Button } from "@/components/ui/button";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { formatNumber } from "@/lib/format-number";
import { useCopy } from "@/lib/use-copy";
import { EXPIRY_REFETCH_MS, useNow } from "@/lib/use-now";
import { useSearchParams } from "@/lib/use-search-params";
import { type EndingGroup, type EndingHost, groupByClient, groupText } from "./ending-groups";
import { hostsHref } from "./hosts-href";

const Window = z.enum(["expired", "7", "30"]);
type Window = z.infer<typeof Window>;

const WINDOWS = [
  { value: "expired", label: "已过期" },
  { value: "7", label: "7 天内" },
  { value: "30", label: "30 天内" },
] as const satisfies readonly { value: Window; label: string }[];

const WindowSearch = z.object({ ends: Window.catch("7") });

/** Whose hosts end soon, by client: to call each once, or to copy the list. For admins. */
export function EndingSoon() {
  const { params, setParams } = useSearchParams(WindowSearch);
  const now = useNow();
  const ending = useEnding(params.ends, now);
  const phones = usePhones();
  const text = ending.groups
    .map((group) => groupText(group, phones.get(group.user.id) ?? null, now))
    .join("\n\n");

  return (
    <Card>
      <CardHeader>
        <CardTitle>谁的主机快到期</CardTitle>
        <CardAction className="max-sm:col-start-1 max-sm:row-start-2 max-sm:mt-2">
          <SegmentedControl
            aria-label="到期范围"
            value={params.ends}
            segments={WINDOWS}
            onValueChange={(ends) => setParams({ ends }, { replace: true })}
          />
          <CopyAll text={text} disabled={ending.groups.length === 0} />
        </CardAction>
      </CardHeader>
      <CardContent className="flex flex-col pt-3 pb-2">
        <EndingGroups ending={ending} window={params.ends} phones={phones} />
      </CardContent>
    </Card>
  );
}

/** The hosts of the window, as far as one page goes, by client. */
function useEnding(window: Window, now: number) {
  const filter =
    window === "expired" ? { assignedExpired: true } : { assignedExpiring: Number(window) };
  const list = trpc.hosts.list.useQuery(
    { ...filter, sort: "assignedExpireTime", limit: MAX_PAGE_SIZE },
    { placeholderData: keepPreviousData, refetchInterval: EXPIRY_REFETCH_MS },
  );

  function isInWindow(end: number): boolean {
    if (window === "expired") return end < now;
    return end >= now && end <= now + Number(window) * DAY_SECONDS;
  }

  return { list, groups: groupByClient(list.data?.hosts ?? [], isInWindow) };
}

/** Of the hundred clients whose hosts end next; the others are called from their own page. */
function usePhones(): ReadonlyMap<string, string | null> {
  const clients = trpc.users.list.useQuery({
    role: "client",
    sort: "nextEnd",
    order: "asc",
    limit: MAX_PAGE_SIZE,
  });
  return new Map((clients.data?.users ?? []).map(({ id, phone }) => [id, phone]));
}

function CopyAll({ text, disabled }: { text: string; disabled: boolean }) {
  const { isCopied, copy } = useCopy();
  return (
    <>
      <Button
        variant="outline"
        // As wide with either word: nothing beside it moves.
        className="min-w-27"
        disabled={disabled}
        onClick={(event) => void copy(text, event.currentTarget)}
      >
        {isCopied ? <Check className="text-success-ink" /> : <Copy />}
        {isCopied ? "已复制" : "复制全部"}
      </Button>
      <span role="status" className="sr-only">
        {isCopied ? "已复制" : ""}
      </span>
    </>
  );
}

type EndingGroupsProps = {
  ending: ReturnType<typeof useEnding>;
  window: Window;
  phones: ReadonlyMap<string, string | null>;
};

function EndingGroups({ ending: { list, groups }, window, phones }: EndingGroupsProps) {
  if (list.isLoadingError) return <QueryError query={list} />;
  if (list.data === undefined) return <Skeleton className="my-2 h-60" />;
  if (groups.length === 0) {
    return (
      <EmptyState
        icon={CalendarCheck}
        title={window === "expired" ? "没有已过期的主机" : `${window} 天内没有主机到期`}
        description="您负责的用户近期不需要联系。"
        className="flex-1 py-8"
      />
    );
  }

  const { pagination } = list.data;

  return (
    <>
      <ul aria-label="按用户的到期主机" className="divide-y">
        {groups.map((group) => (
          <GroupRow key={group.user.id} group={group} phone={phones.get(group.user.id) ?? null} />
        ))}
      </ul>
      {pagination.total > MAX_PAGE_SIZE ? (
        <p className="border-t py-2 text-sm text-muted-foreground">
          只列出最早的 {MAX_PAGE_SIZE} 台，
          <Link href={listHref(window)} className="inline-block py-1 text-primary-ink underline">
            查看全部 {formatNumber(pagination.total)} 台
          </Link>
        </p>
      ) : null}
    </>
  );
}

function listHref(window: Window): string {
  return hostsHref(window === "expired" ? { assignedExpired: true } : { assignedExpiring: window });
}

function GroupRow({ group, phone }: { group: EndingGroup; phone: string | null }) {
  const now = useNow();
  const { user, hosts } = group;

  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1 py-2.5 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <div className="flex min-w-0 flex-wrap content-start items-center gap-x-2">
        <Link
          href={`/users/${user.id}`}
          title={user.name}
          className="max-w-full truncate rounded-sm py-0.5 font-medium text-primary-ink hover:underline"
        >
          {user.name}
        </Link>
        <span className="text-sm text-muted-foreground tabular-nums">{hosts.length} 台</span>
        <CopyButton text={groupText(group, phone, now)} label={`${user.name} 的到期清单`} />
        {phone === null ? null : (
          <div className="basis-full">
            <CallLink phone={phone} />
          </div>
        )}
      </div>
      <ul aria-label={`${user.name} 的到期主机`} className="min-w-0">
        {hosts.map((ending) => (
          <EndingRow key={ending.host.id} ending={ending} />
        ))}
      </ul>
    </li>
  );
}

function EndingRow({ ending: { host, end } }: { ending: EndingHost }) {
  return (
    <li className="flex min-h-7 flex-wrap items-center justify-between gap-x-3 text-sm">
      <Link
        href={`/hosts?sort=assignedExpireTime&host=${host.id}`}
        title={`${hostTitle(host)} ${host.ucloudId}`}
        className="min-w-0 flex-1 truncate rounded-sm py-0.5 hover:underline"
      >
        {hostTitle(host)}
      </Link>
      <span className="flex items-center gap-2 whitespace-nowrap tabular-nums">
        <GapText host={host} until={end} />
        <ExpiryDate at={end} />
      </span>
    </li>
  );
}
