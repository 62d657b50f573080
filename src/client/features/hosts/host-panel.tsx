import { HOST_STATUS_LABELS, type Host, type HostUser, UNSETTLED_STATUSES } from "@shared/hosts.ts";
import { hasPermission, isClient } from "@shared/roles.ts";
import { History, LayoutGrid, RefreshCw, UserPlus } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { trpc } from "@/api/trpc";
import { AuditLink } from "@/components/audit/audit-link";
import { HOST_TABLE } from "@/components/batch/batch-acts";
import { CopyableText } from "@/components/copyable-text";
import { isMissing, QueryError } from "@/components/error-state";
import { hostTitle } from "@/components/hosts/host-facts";
import { HostStatusBadge } from "@/components/hosts/host-status";
import { SegmentedControl } from "@/components/segmented-control";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { SkeletonText } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { formatDateTime } from "@/lib/format";
import { useLanding } from "@/lib/landing";
import { lazyDialog, lazyPage } from "@/lib/lazy";
import { notify } from "@/lib/notify";
import { type DialogState, useDialog } from "@/lib/use-dialog";
import { useCurrentUser } from "@/session/session";
import { HostAnnotations } from "./host-annotations";
import { HostCards } from "./host-cards";
import { HostEndLine } from "./host-end-line";
import { useHostSearch } from "./host-search";
import { type UserAction, UsersCard } from "./host-users";
import { OpenRenewalNotice } from "./open-renewal-notice";
import { OwnExpiryNotice } from "./own-expiry-notice";
import { OwnRenewal } from "./own-renewal";
import { OwnUse } from "./own-use";
import { RenewalFailedNotice } from "./renewal-failed-notice";
import { StaleNotice } from "./stale-notice";
import { TransitionNotice } from "./transition-notice";

const AssignDialog = lazyDialog(() => import("./assign-dialog").then((m) => m.AssignDialog));
const UnassignDialog = lazyDialog(() => import("./unassign-dialog").then((m) => m.UnassignDialog));
const BatchRemindDialog = lazyDialog(() =>
  import("@/components/batch/batch-remind-dialog").then((m) => m.BatchRemindDialog),
);
const HostHistory = lazyPage(() => import("./host-history").then((m) => m.HostHistory));

type HostPanelProps = {
  id: string;
  /** The page of the list; a host on it is drawn at once. */
  hosts: readonly Host[];
};

/** All that the caller may know of one host, and what may be done with it. */
export function HostPanel({ id, hosts }: HostPanelProps) {
  const query = trpc.hosts.get.useQuery(
    { id },
    { initialData: () => hosts.find((host) => host.id === id) },
  );
  if (query.data !== undefined && !isMissing(query.error)) {
    return <HostDetail key={id} host={query.data} />;
  }
  if (!query.isError) return <HostPanelSkeleton />;

  const back = (
    <Button variant="outline" asChild>
      <Link href="/hosts">返回主机列表</Link>
    </Button>
  );

  return (
    <Card>
      <QueryError query={query} missing={{ title: "看不到这台主机", action: back }} />
    </Card>
  );
}

export function HostPanelSkeleton() {
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <SkeletonText lines={2} className="col-span-full w-64" />
      {[6, 5, 4, 3].map((lines) => (
        <Card key={lines}>
          <SkeletonText lines={lines} className="gap-5.5 p-4" />
        </Card>
      ))}
    </div>
  );
}

function HostDetail({ host }: { host: Host }) {
  const { role } = useCurrentUser();
  const canAssign = hasPermission(role, "hosts:assign");
  const { show, dialog } = useDialog<UserAction, HostUser>();

  return (
    <article
      aria-label={`主机 ${hostTitle(host)}`}
      className={cn("grid gap-4", isClient(role) && "max-sm:pb-24")}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <HostHeading host={host} />
        <div className="flex gap-2 print:hidden">
          {isClient(role) && host.goneAt === null ? (
            // In reach of the thumb, however long the page is.
            <div
              data-slot="thumb-bar"
              className="max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-20 max-sm:border-t max-sm:bg-card max-sm:p-3 low:static!"
            >
              <OwnRenewal host={host} />
            </div>
          ) : null}
          <AuditLink subject={{ type: "host", id: host.id }} />
          {hasPermission(role, "hosts:sync") ? <SyncOneButton host={host} /> : null}
          {canAssign ? <AssignButton host={host} /> : null}
        </div>
      </div>
      {isClient(role) ? <OwnUse host={host} /> : <HostAnnotations host={host} />}
      <RenewalFailedNotice host={host} />
      <GoneNotice host={host} />
      <StaleNotice host={host} />
      <TransitionNotice host={host} />
      <OpenRenewalNotice host={host} />
      {isClient(role) ? <OwnExpiryNotice host={host} /> : null}
      <HostContent host={host} onAct={canAssign ? show : null} />
      <UserActionDialogs host={host} dialog={dialog} />
    </article>
  );
}

/** Which host it is, in which state, and until when; a client reads the own end below. */
function HostHeading({ host }: { host: Host }) {
  const { role } = useCurrentUser();
  const heading = useRef<HTMLHeadingElement>(null);
  useLanding(heading);

  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2
          ref={heading}
          tabIndex={-1}
          className="min-w-0 rounded-sm text-lg font-semibold [overflow-wrap:anywhere]"
        >
          {hostTitle(host)}
        </h2>
        <HostStatusBadge host={host} />
      </div>
      <CopyableText text={host.ucloudId} label="资源 ID" className="text-muted-foreground" />
      {isClient(role) ? null : <HostEndLine host={host} />}
    </div>
  );
}

function GoneNotice({ host: { goneAt } }: { host: Host }) {
  if (goneAt === null) return null;
  return (
    <Alert tone="danger" title="该主机在云服务商处已不存在">
      {formatDateTime(goneAt)}{" "}
      起同步不到此主机，以下是最后一次读到的信息。分配记录仍然保留，主机重新出现后会自动恢复。
    </Alert>
  );
}

type HostContentProps = {
  host: Host;
  /** Null for those who only read. */
  onAct: ((action: UserAction, user: HostUser) => void) | null;
};

/** The facts of the host or its history, as the address says. */
function HostContent({ host, onAct }: HostContentProps) {
  const { role } = useCurrentUser();
  const { params, setParams } = useHostSearch();
  useEffect(HostHistory.prefetch, []);

  return (
    <>
      <SegmentedControl
        aria-label="主机信息"
        className="print:hidden"
        value={params.tab ?? "facts"}
        onValueChange={(tab) =>
          setParams({ tab: tab === "history" ? tab : undefined }, { replace: true })
        }
        segments={[
          { value: "facts", label: "概况", icon: <LayoutGrid /> },
          { value: "history", label: "历史", icon: <History /> },
        ]}
      />
      {params.tab === "history" ? (
        <Suspense fallback={<SkeletonText lines={4} />}>
          <HostHistory hostId={host.id} />
        </Suspense>
      ) : (
        <div className="grid gap-4 xl:grid-cols-2">
          {isClient(role) ? null : <UsersCard host={host} onAct={onAct} />}
          <HostCards host={host} />
        </div>
      )}
    </>
  );
}

function AssignButton({ host }: { host: Host }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button disabled={host.goneAt !== null} onClick={() => setOpen(true)}>
        <UserPlus />
        分配用户
      </Button>
      <AssignDialog host={host} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}

type UserActionDialogsProps = {
  host: Host;
  dialog: (action: UserAction) => DialogState<HostUser> | null;
};

/** Of the panel, not of a row: the user may leave the list while one is open. */
function UserActionDialogs({ host, dialog }: UserActionDialogsProps) {
  const edit = dialog("edit");
  const remind = dialog("remind");
  const unassign = dialog("unassign");

  return (
    <>
      {edit === null ? null : (
        <AssignDialog key={edit.subject.id} host={host} user={edit.subject} {...edit} />
      )}
      {remind === null ? null : <RemindDialog host={host} {...remind} />}
      {unassign === null ? null : <UnassignDialog host={host} {...unassign} />}
    </>
  );
}

/** Everybody who has the host is reminded, as of several hosts at once. */
function RemindDialog({ host, subject: _, ...dialog }: DialogState<HostUser> & { host: Host }) {
  return (
    <BatchRemindDialog
      {...dialog}
      subject={{
        hosts: [host],
        scope: { kind: "choice", firstId: undefined },
        path: HOST_TABLE,
      }}
      onFinished={() => undefined}
    />
  );
}

/** `仍在重启中`: the newest state, and not yet the end of what somebody waits for. */
function stateAfterSync({ status }: Host): string {
  return UNSETTLED_STATUSES.includes(status) ? `仍在${HOST_STATUS_LABELS[status]}` : "已是最新状态";
}

function SyncOneButton({ host }: { host: Host }) {
  const syncOne = trpc.hosts.syncOne.useMutation({
    meta: { errorTitle: "同步失败" },
    onSuccess(fresh) {
      const name = `“${hostTitle(fresh)}”`;
      if (fresh.goneAt === null) {
        notify.success("同步完成", { message: `${name}${stateAfterSync(fresh)}` });
      } else {
        notify.warning("主机已消失", { message: `云服务商处查不到${name}` });
      }
    },
  });
  return (
    <Button
      variant="outline"
      loading={syncOne.isPending}
      onClick={() => syncOne.mutate({ id: host.id })}
    >
      <RefreshCw />
      同步此主机
    </Button>
  );
}
