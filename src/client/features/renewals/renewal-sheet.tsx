import { isOpenRenewal } from "@shared/renewal-status.ts";
import type { Renewal } from "@shared/renewals.ts";
import { hasPermission, isClient } from "@shared/roles.ts";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { AuditLink } from "@/components/audit/audit-link";
import { EmailLink, PhoneLink } from "@/components/contact-links";
import { CopyableText } from "@/components/copyable-text";
import { DescriptionList } from "@/components/description-list";
import { DetailSheet } from "@/components/detail-sheet";
import { isMissing, QueryError } from "@/components/error-state";
import { hostSize, hostTitle } from "@/components/hosts/host-facts";
import { ProviderEndDate } from "@/components/hosts/provider-end-date";
import { RenewalStatusBadge } from "@/components/renewals/renewal-status-badge";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DialogBody, DialogFooter, DialogHeader } from "@/components/ui/dialog";
import { SheetClose } from "@/components/ui/sheet";
import { SkeletonText } from "@/components/ui/skeleton";
import { formatDate } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";
import { useExpiryItems, WaitingAge } from "./renewal-display";
import { expiryAfter, HOST_GONE } from "./renewal-rules";
import type { RenewalSearch } from "./renewal-search";
import { RenewalTimeline } from "./renewal-timeline";
import { UndoLine } from "./undo-line";

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

  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-center gap-2">
        <RenewalStatusBadge status={renewal.status} />
        <WaitingAge renewal={renewal} />
      </div>
      {hasPermission(role, "renewals:process") ? <UndoLine renewal={renewal} /> : null}
      {isClient(role) ? <OwnFacts renewal={renewal} /> : <FactsForStaff renewal={renewal} />}
      <RenewalTimeline renewal={renewal} />
      <div>
        <AuditLink subject={{ type: "host", id: renewal.host.id }} action="renewals" />
      </div>
    </div>
  );
}

function OwnFacts({ renewal }: { renewal: Renewal }) {
  const { host, requestedDuration } = renewal;
  const expiryItems = useExpiryItems(renewal);

  return (
    <DescriptionList
      items={[
        { label: "主机", value: hostTitle(host) },
        { label: "资源 ID", value: <CopyableText text={host.ucloudId} label="资源 ID" /> },
        { label: "规格", value: hostSize(host) },
        { label: "续费天数", value: `${requestedDuration} 天` },
        ...expiryItems,
      ]}
    />
  );
}

function FactsForStaff({ renewal }: { renewal: Renewal }) {
  const { host, user, requestedDuration } = renewal;
  const expiryItems = useExpiryItems(renewal);

  return (
    <>
      <HostGone renewal={renewal} />
      <DescriptionList
        items={[
          {
            label: "主机",
            value: <TextLink href={`/hosts?host=${host.id}`}>{hostTitle(host)}</TextLink>,
          },
          { label: "资源 ID", value: <CopyableText text={host.ucloudId} label="资源 ID" /> },
          { label: "规格", value: hostSize(host) },
          { label: "续费天数", value: `${requestedDuration} 天` },
          ...expiryItems,
          { label: "云端到期时间", value: <ProviderEnd renewal={renewal} /> },
        ]}
      />
      <section aria-labelledby="renewal-user">
        <h3 id="renewal-user" className="mb-1 font-semibold">
          申请人
        </h3>
        <DescriptionList
          items={[
            {
              label: "姓名",
              value: (
                <TextLink href={`/users/${user.id}`}>{`${user.name} · @${user.username}`}</TextLink>
              ),
            },
            { label: "邮箱", value: <EmailLink email={user.email} /> },
            { label: "手机号", value: <PhoneLink phone={user.phone} /> },
          ]}
        />
      </section>
    </>
  );
}

/** Of an open request compared with the end to come, which only the host itself allows. */
function ProviderEnd({ renewal }: { renewal: Renewal }) {
  const after = expiryAfter(renewal, useNow());
  const { data: host } = trpc.hosts.get.useQuery(
    { id: renewal.host.id },
    { enabled: after !== null },
  );
  if (after === null || host === undefined) return formatDate(renewal.host.expireTime);

  return <ProviderEndDate host={host} until={after} className="justify-end" />;
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
