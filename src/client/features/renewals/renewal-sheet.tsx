import { isOpenRenewal, RENEWAL_STATUS_LABELS } from "@shared/renewal-status.ts";
import type { Renewal } from "@shared/renewals.ts";
import { isClient } from "@shared/roles.ts";
import {
  Ban,
  CircleCheck,
  CircleDollarSign,
  CircleX,
  Clock,
  FilePlus2,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { CopyableText } from "@/components/copyable-text";
import { DescriptionList } from "@/components/description-list";
import { DetailSheet } from "@/components/detail-sheet";
import { isMissing, QueryError } from "@/components/error-state";
import { hostSize, hostTitle } from "@/components/hosts/host-display";
import { Remark } from "@/components/remark";
import { PROMISE } from "@/components/renewals/renewal-promise";
import { RenewalStatusBadge } from "@/components/renewals/renewal-status-badge";
import { Alert } from "@/components/ui/alert";
import { type BadgeTone, softTones } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { DialogBody, DialogFooter, DialogHeader } from "@/components/ui/dialog";
import { SheetClose } from "@/components/ui/sheet";
import { SkeletonText } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { formatDateTime, formatExpiry } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";
import { useExpiryItems, WaitingBadge } from "./renewal-display";
import { HOST_GONE } from "./renewal-rules";
import type { RenewalSearch } from "./renewal-search";

type RenewalSheetProps = {
  search: RenewalSearch;
  /** The rows of the page: shown until the details have loaded. */
  renewals: readonly Renewal[];
  actions: (renewal: Renewal) => ReactNode;
};

/** The details of the request that the address names. */
export function RenewalSheet({ search: { params, setParams }, ...rest }: RenewalSheetProps) {
  return (
    <DetailSheet
      id={params.renewal}
      onClose={() => setParams({ renewal: undefined }, { replace: true })}
    >
      {(id) => <OpenRenewal id={id} {...rest} />}
    </DetailSheet>
  );
}

function OpenRenewal({
  id,
  renewals,
  actions,
}: Omit<RenewalSheetProps, "search"> & { id: string }) {
  const listed = renewals.find((renewal) => renewal.id === id);
  const query = useRenewal(id, listed);
  const renewal = isMissing(query.error) ? undefined : query.data;
  const foot = renewal === undefined ? null : actions(renewal);

  return (
    <>
      <DialogHeader
        title="续费申请详情"
        description={renewal === undefined ? undefined : hostTitle(renewal.host)}
      />
      <DialogBody>
        <RenewalBody renewal={renewal} query={query} />
      </DialogBody>
      {foot === null ? null : <DialogFooter>{foot}</DialogFooter>}
    </>
  );
}

function useRenewal(id: string, listed: Renewal | undefined) {
  return trpc.renewals.get.useQuery({ id }, { placeholderData: () => listed });
}

type RenewalBodyProps = {
  /** Undefined while it loads, and when it cannot be seen. */
  renewal: Renewal | undefined;
  query: ReturnType<typeof useRenewal>;
};

function RenewalBody({ renewal, query }: RenewalBodyProps) {
  if (renewal !== undefined) return <RenewalDetail renewal={renewal} />;
  if (!query.isError) return <SkeletonText lines={8} />;

  const back = (
    <SheetClose asChild>
      <Button variant="outline">返回列表</Button>
    </SheetClose>
  );
  return <QueryError query={query} missing={{ title: "看不到这个续费申请", action: back }} />;
}

function RenewalDetail({ renewal }: { renewal: Renewal }) {
  const { role } = useCurrentUser();
  const now = useNow();
  const { host, user } = renewal;
  const isOwn = isClient(role);
  const expiryItems = useExpiryItems(renewal);

  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-center gap-2">
        <RenewalStatusBadge status={renewal.status} />
        <WaitingBadge renewal={renewal} />
      </div>
      {isOwn ? null : <HostGone renewal={renewal} />}
      <DescriptionList
        items={[
          {
            label: "主机",
            value: isOwn ? (
              hostTitle(host)
            ) : (
              <TextLink href={`/hosts?host=${host.id}`}>{hostTitle(host)}</TextLink>
            ),
          },
          { label: "资源 ID", value: <CopyableText text={host.ucloudId} label="资源 ID" /> },
          { label: "配置", value: hostSize(host) },
          { label: "续费天数", value: `${renewal.requestedDuration} 天` },
          ...expiryItems,
          ...(isOwn ? [] : [{ label: "云端到期时间", value: formatExpiry(host.expireTime, now) }]),
        ]}
      />
      {isOwn ? null : (
        <section aria-labelledby="renewal-user">
          <h3 id="renewal-user" className="mb-1 font-semibold">
            申请人
          </h3>
          <DescriptionList
            items={[
              {
                label: "姓名",
                value: (
                  <TextLink href={`/users/${user.id}`}>
                    {user.name} · @{user.username}
                  </TextLink>
                ),
              },
              { label: "邮箱", value: user.email },
              { label: "手机号", value: user.phone },
            ]}
          />
        </section>
      )}
      <section aria-labelledby="renewal-course">
        <h3 id="renewal-course" className="mb-3 font-semibold">
          处理进度
        </h3>
        <ol>
          {[submitted(renewal), ...decided(renewal)].map((step) => (
            <TimelineStep key={step.title} {...step} />
          ))}
        </ol>
      </section>
    </div>
  );
}

/** Why an open request cannot be completed, if its host is gone. */
function HostGone({ renewal }: { renewal: Renewal }) {
  const isOpen = isOpenRenewal(renewal);
  const { data: host } = trpc.hosts.get.useQuery({ id: renewal.host.id }, { enabled: isOpen });
  if (!isOpen || typeof host?.goneAt !== "number") return null;

  return (
    <Alert tone="danger" live>
      {HOST_GONE}
    </Alert>
  );
}

function TextLink(props: { href: string; children: ReactNode }) {
  return <Link className="rounded-sm text-primary-ink hover:underline" {...props} />;
}

type Step = {
  title: string;
  time?: string;
  description?: string;
  icon: LucideIcon;
  /** Without one it is still to come. */
  tone?: BadgeTone;
};

function TimelineStep({ title, time, description, icon: Icon, tone }: Step) {
  return (
    <li className="group/step relative flex gap-3 pb-5 last:pb-0">
      <span
        aria-hidden="true"
        className="absolute top-8 bottom-1 left-3.5 w-px -translate-x-1/2 bg-border-strong group-last/step:hidden"
      />
      <span
        className={cn(
          "grid size-7 shrink-0 place-items-center rounded-full",
          tone
            ? softTones[tone]
            : "border border-dashed border-border-strong text-subtle-foreground",
        )}
      >
        <Icon className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1 pt-0.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <p
            className={cn(
              "min-w-0 font-medium [overflow-wrap:anywhere]",
              !tone && "text-muted-foreground",
            )}
          >
            {title}
          </p>
          {time ? <time className="text-xs text-muted-foreground">{time}</time> : null}
        </div>
        {description ? (
          <p className="mt-0.5 text-sm text-muted-foreground">
            <Remark text={description} />
          </p>
        ) : null}
      </div>
    </li>
  );
}

function submitted({ user, createdAt, requestedDuration, remark }: Renewal): Step {
  return {
    title: `“${user.name}”提交申请`,
    time: formatDateTime(createdAt),
    description: `申请续费 ${requestedDuration} 天${remark ? `：${remark}` : ""}`,
    icon: FilePlus2,
    tone: "accent",
  };
}

/**
 * What has happened to a request since, and what is still to come. `processedBy` is null for a
 * client.
 */
function decided({
  status,
  requestedDuration,
  processedAt,
  processedBy,
  adminRemark,
}: Renewal): Step[] {
  const notes = [
    processedBy && `处理人：${processedBy.name}`,
    adminRemark && `备注：${adminRemark}`,
  ];
  const decision = {
    time: formatDateTime(processedAt),
    description: notes.filter(Boolean).join("，"),
  };
  switch (status) {
    case "pending":
      return [{ title: RENEWAL_STATUS_LABELS.pending, description: PROMISE, icon: Clock }];
    case "approved":
      return [
        { ...decision, title: "已批准", icon: CircleCheck, tone: "info" },
        {
          title: "待付款",
          description: "收到付款并标记完成后，到期时间顺延",
          icon: CircleDollarSign,
        },
      ];
    case "completed":
      return [
        {
          ...decision,
          title: `已完成，到期时间已延长 ${requestedDuration} 天`,
          icon: CircleCheck,
          tone: "success",
        },
      ];
    case "rejected":
      return [{ ...decision, title: "已拒绝", icon: CircleX, tone: "danger" }];
    case "cancelled":
      return [{ ...decision, title: "已取消", icon: Ban, tone: "neutral" }];
  }
}
