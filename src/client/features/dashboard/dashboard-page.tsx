import type { HostSummary } from "@shared/host-summary.ts";
import { isAdmin, isSuperAdmin } from "@shared/roles.ts";
import { trpc } from "@/api/trpc";
import { QueryError } from "@/components/error-state";
import { PageHeader } from "@/components/page-header";
import { Card } from "@/components/ui/card";
import { EXPIRY_REFETCH_MS } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";
import { CatalogueSection } from "./catalogue-section";
import { ContactCard } from "./contact-card";
import { EndingSoon } from "./ending-soon";
import {
  EndNumbers,
  GoneStat,
  ProviderEndsFirstStat,
  UnassignedStat,
  WaitingStat,
} from "./host-numbers";
import { OwnHosts } from "./own-hosts";
import { OwnRequests } from "./own-requests";
import { RegionChart } from "./region-chart";
import { StatusCard } from "./status-card";
import { TodayCard } from "./today-card";

const DESCRIPTIONS = {
  super_admin: "今天要做的事，以及全部主机的状态与到期情况",
  admin: "您负责的用户的主机状态与到期情况",
  client: "您的主机用到哪一天，续费申请到了哪一步",
} as const;

/** What the role came for first, its numbers after it, the provider's products below. */
export function DashboardPage() {
  const { role } = useCurrentUser();
  const summary = trpc.hosts.summary.useQuery(undefined, { refetchInterval: EXPIRY_REFETCH_MS });

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader title="仪表盘" description={DESCRIPTIONS[role]} />
      {summary.isLoadingError ? (
        <Card>
          <QueryError query={summary} />
        </Card>
      ) : (
        <StartPage numbers={summary.data} />
      )}
      <CatalogueSection />
    </div>
  );
}

/** Undefined while they load. */
type StartPageProps = { numbers: HostSummary | undefined };

function StartPage({ numbers }: StartPageProps) {
  const { role } = useCurrentUser();
  if (isSuperAdmin(role)) return <SuperAdminStart numbers={numbers} />;
  if (isAdmin(role)) return <AdminStart numbers={numbers} />;
  return <ClientStart numbers={numbers} />;
}

/** Two columns that begin at one height; the second is the narrower one. */
const COLUMNS = "grid items-start gap-3 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]";

function SuperAdminStart({ numbers }: StartPageProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className={COLUMNS}>
        {/* Beside many tasks the numbers of ends fill the second column, where it is wide enough. */}
        <div className="min-w-0 min-[90rem]:row-span-2">
          <TodayCard numbers={numbers} />
        </div>
        <section aria-label="概况" className="grid grid-cols-2 gap-3">
          <StatusCard numbers={numbers} className="col-span-2" />
          <UnassignedStat numbers={numbers} />
          <GoneStat numbers={numbers} />
          <ProviderEndsFirstStat numbers={numbers} className="col-span-2" />
        </section>
        <EndNumbers
          numbers={numbers}
          className="lg:max-[90rem]:col-span-2 min-[90rem]:grid-cols-1"
        />
      </div>
      <RegionChart numbers={numbers} />
    </div>
  );
}

function AdminStart({ numbers }: StartPageProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className={COLUMNS}>
        <EndingSoon />
        <section aria-label="概况" className="grid grid-cols-2 gap-3">
          <StatusCard numbers={numbers} className="col-span-2" />
          <WaitingStat href="/admin/renewals" />
          <ProviderEndsFirstStat numbers={numbers} />
        </section>
      </div>
      <EndNumbers numbers={numbers} />
      <RegionChart numbers={numbers} />
    </div>
  );
}

function ClientStart({ numbers }: StartPageProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className={COLUMNS}>
        <div className="min-w-0 lg:row-span-2">
          <OwnHosts />
        </div>
        <div className="grid min-w-0 gap-3">
          <OwnRequests />
          <ContactCard />
        </div>
        <StatusCard numbers={numbers} />
      </div>
      <section aria-label="概况" className="grid items-end gap-3 lg:grid-cols-[3fr_1fr]">
        <EndNumbers numbers={numbers} />
        <WaitingStat href="/client/renewals?status=pending" />
      </section>
    </div>
  );
}
