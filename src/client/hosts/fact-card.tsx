import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { cn } from "@/lib/cn";

type FactCardProps = {
  title: string;
  icon: LucideIcon;
  action?: ReactNode;
  className?: string;
  children: ReactNode;
};

export function FactCard({ title, icon: Icon, action, className, children }: FactCardProps) {
  return (
    <Card className={className}>
      <CardHeader className={cn("items-center", action !== undefined && "min-h-8")}>
        <CardTitle level={3} className="flex items-center gap-2">
          <Icon aria-hidden="true" className="size-4 text-muted-foreground" />
          {title}
        </CardTitle>
        {action === undefined ? null : <CardAction>{action}</CardAction>}
      </CardHeader>
      <CardContent className="pt-2 pb-2.5">{children}</CardContent>
    </Card>
  );
}
