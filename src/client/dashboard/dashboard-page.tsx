import { isAdminOrAbove, isSuperAdmin } from "@shared/roles.ts";
import { PageHeader } from "@/components/ui/page-header";
import { useCurrentUser } from "@/session";
import { CatalogueSection } from "./catalogue-section";
import { ChartsSection } from "./charts-section";
import { OperatorNumbers } from "./operator-numbers";
import { OwnNumbers } from "./own-numbers";

const DESCRIPTIONS = {
  super_admin: "全部主机的状态、到期与同步情况",
  admin: "您负责的用户的主机状态与到期情况",
  client: "您的主机状态与到期情况",
} as const;

/** The role's own numbers above, the provider's products below; a client has too few hosts for charts. */
export function DashboardPage() {
  const { role } = useCurrentUser();
  return (
    <div className="grid gap-6">
      <PageHeader title="仪表盘" description={DESCRIPTIONS[role]} />
      {isSuperAdmin(role) ? <OperatorNumbers /> : <OwnNumbers />}
      {isAdminOrAbove(role) ? <ChartsSection /> : null}
      <CatalogueSection />
    </div>
  );
}
