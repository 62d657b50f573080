import { trpc } from "@/api/trpc";
import { QueryError } from "@/components/error-state";
import { Card } from "@/components/ui/card";
import { SkeletonText } from "@/components/ui/skeleton";
import { RulesForm } from "./rules-form";

export function RulesTab() {
  return (
    <Card className="max-w-3xl">
      <Rules />
    </Card>
  );
}

function Rules() {
  const settings = trpc.reminders.settings.useQuery();
  if (settings.data !== undefined) return <RulesForm stored={settings.data} />;
  if (settings.isError) return <QueryError query={settings} />;

  return (
    <div role="status" aria-label="正在加载提醒规则">
      <SkeletonText lines={9} className="gap-6 p-4" />
    </div>
  );
}
