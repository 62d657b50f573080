import { isAdmin, isAdminOrAbove, isClient } from "@shared/roles.ts";
import { trpc } from "@/api/trpc";
import { QueryError } from "@/components/error-state";
import { PageHeader } from "@/components/page-header";
import { Card } from "@/components/ui/card";
import { EXPIRY_REFETCH_MS } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";
import { CatalogueSection } from "./catalogue-section";
import { HostCharts } from "./host-charts";
import { HostNumbers } from "./host-numbers";
import { NextExpiries } from "./next-expiries";

const DESCRIPTIONS = {
  super_admin: "全部主机的状态、到期与同步情况",
  admin: "您负责的用户的主机状态与到期情况",
  client: "您的主机状态与到期情况",
} as const;

/**
 * The role's own numbers above, the provider's products below; a client has too few hosts for
 * charts.
 */
export function DashboardPage() {
  const { role } = useCurrentUser();
  const summary = trpc.hosts.summary.useQuery(undefined, { refetchInterval: EXPIRY_REFETCH_MS });

  return (
    <div className="grid gap-6">
      <PageHeader title="仪表盘" description={DESCRIPTIONS[role]} />
      {summary.isLoadingError ? (
        <Card>
          <QueryError query={summary} />
        </Card>
      ) : (
        <>
          {/* A client comes to see until when the hosts are there. */}
          {isClient(role) ? <NextExpiries /> : null}
          <HostNumbers numbers={summary.data} />
          {isAdmin(role) ? <NextExpiries /> : null}
          {isAdminOrAbove(role) ? <HostCharts numbers={summary.data} /> : null}
        </>
      )}
      <CatalogueSection />
    </div>
  );
}
