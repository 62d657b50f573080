import type { Host } from "@shared/hosts.ts";
import { hasPermission } from "@shared/roles.ts";
import { RefreshCw, UserPlus } from "lucide-react";
import { useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { CopyableText } from "@/components/ui/copyable-text";
import { formatDateTime } from "@/lib/format";
import { notify } from "@/lib/notify";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session";
import { trpc } from "@/trpc";
import { BillingCard } from "./billing-card";
import { ExpiryBadge } from "./expiry-badge";
import { BasicCard, SystemCard } from "./facts-cards";
import { expiryFor } from "./host-expiry";
import { HostStatusBadge } from "./host-status";
import { hostTitle } from "./host-tab";
import { AssignDialog } from "./lazy-assign-dialog";
import { NetworkCard } from "./network-card";
import { UsersCard } from "./users-card";

/** All that the caller may know of one host, and what may be done with it. */
export function HostDetail({ host }: { host: Host }) {
  const { role } = useCurrentUser();
  const now = useNow();
  return (
    <article aria-label={`主机 ${hostTitle(host)}`} className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <h2 className="min-w-0 text-lg font-semibold [overflow-wrap:anywhere]">{hostTitle(host)}</h2>
            <HostStatusBadge host={host} />
            {host.goneAt === null ? <ExpiryBadge expiry={expiryFor(role, host)} now={now} /> : null}
          </div>
          <CopyableText text={host.ucloudId} label="资源 ID" className="text-muted-foreground" />
        </div>
        <div className="flex gap-2">
          {hasPermission(role, "hosts:sync") ? <SyncOneButton host={host} /> : null}
          {hasPermission(role, "hosts:assign") ? <AssignButton host={host} /> : null}
        </div>
      </div>
      {host.goneAt === null ? null : (
        <Alert tone="danger" title="该主机在云服务商处已不存在">
          {formatDateTime(host.goneAt)}{" "}
          起同步不到此主机，以下是最后一次读到的信息。分配记录仍然保留，主机重新出现后会自动恢复。
        </Alert>
      )}
      <div className="grid gap-4 xl:grid-cols-2">
        <BasicCard host={host} />
        <SystemCard host={host} />
        <BillingCard host={host} role={role} now={now} />
        <NetworkCard host={host} role={role} now={now} />
        <UsersCard host={host} role={role} now={now} />
      </div>
    </article>
  );
}

function SyncOneButton({ host }: { host: Host }) {
  const utils = trpc.useUtils();
  const syncOne = trpc.hosts.syncOne.useMutation({
    meta: { errorTitle: "同步失败" },
    onSuccess(fresh) {
      utils.hosts.get.setData({ id: fresh.id }, fresh);
      if (fresh.goneAt === null) notify.success("同步完成", `${hostTitle(fresh)} 已是最新状态`);
      else notify.warning("主机已消失", `云服务商处查不到 ${hostTitle(fresh)}`);
    },
  });
  return (
    <Button variant="outline" loading={syncOne.isPending} onClick={() => syncOne.mutate({ id: host.id })}>
      <RefreshCw aria-hidden="true" />
      同步此主机
    </Button>
  );
}

function AssignButton({ host }: { host: Host }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button disabled={host.goneAt !== null} onClick={() => setOpen(true)}>
        <UserPlus aria-hidden="true" />
        分配用户
      </Button>
      <AssignDialog host={host} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}
