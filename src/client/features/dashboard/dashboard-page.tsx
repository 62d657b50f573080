import type { HostSummary } from "@shared/host-summary.ts";
import { isAdmin, isSuperAdmin } from "@shared/roles.ts";
import type { ReactNode } from "react";
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

type ColumnsProps = { main: ReactNode; beside: ReactNode };

/**
 * Two columns, the second the narrower one. No card is stretched: what stands in which of them is
 * chosen so that they end at about one height where there is something to show.
 */
function Columns({ main, beside }: ColumnsProps) {
  const column = "flex min-w-0 flex-col gap-3";
  return (
    <div className="grid gap-3 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
      <div className={column}>{main}</div>
      <div className={column}>{beside}</div>
    </div>
  );
}

function SuperAdminStart({ numbers }: StartPageProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Columns
        main={<TodayCard numbers={numbers} />}
        beside={
          <>
            <section aria-label="概况" className="grid grid-cols-2 gap-3">
              <StatusCard numbers={numbers} className="col-span-2" />
              <UnassignedStat numbers={numbers} />
              <GoneStat numbers={numbers} />
              <ProviderEndsFirstStat numbers={numbers} className="col-span-2" />
            </section>
            <RegionChart numbers={numbers} />
          </>
        }
      />
      <EndNumbers numbers={numbers} className="lg:grid-cols-2 lg:items-start" />
    </div>
  );
}

function AdminStart({ numbers }: StartPageProps) {
  return (
    <Columns
      main={
        <>
          <EndingSoon />
          <RegionChart numbers={numbers} />
        </>
      }
      beside={
        <>
          <section aria-label="概况" className="grid grid-cols-2 gap-3">
            <StatusCard numbers={numbers} className="col-span-2" />
            <WaitingStat href="/admin/renewals" />
            <ProviderEndsFirstStat numbers={numbers} />
          </section>
          <EndNumbers numbers={numbers} />
        </>
      }
    />
  );
}

function ClientStart({ numbers }: StartPageProps) {
  return (
    <Columns
      main={
        <>
          <OwnHosts />
          <EndNumbers numbers={numbers} />
          <WaitingStat href="/client/renewals?status=pending" />
        </>
      }
      beside={
        <>
          <OwnRequests />
          <ContactCard />
          <StatusCard numbers={numbers} />
        </>
      }
    />
  );
}
