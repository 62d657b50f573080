import type { OwnSession } from "@shared/auth.ts";
import { Monitor, Smartphone, SquareTerminal } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatAgo, formatDateTime } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { deviceOf } from "./device-name";

const ICONS = { phone: Smartphone, computer: Monitor, program: SquareTerminal } as const;

export function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const { ip, userAgent, createdAt, lastSeenAt, expiresAt, isCurrent } = session;
  const now = useNow();
  const { kind, name } = deviceOf(userAgent);
  const Icon = ICONS[kind];
  return (
    <li className="flex min-h-15 items-center gap-3 border-b py-2.5 last:border-0">
      <span className="grid size-9 shrink-0 place-items-center rounded-md bg-secondary text-muted-foreground">
        <Icon aria-hidden="true" className="size-4.5" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="truncate font-medium" title={userAgent}>
            {name}
          </span>
          {isCurrent ? <Badge tone="success">当前会话</Badge> : null}
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-muted-foreground">
          <span className="font-mono text-xs leading-5 [overflow-wrap:anywhere]">{ip}</span>
          <span title={`登录于 ${formatDateTime(createdAt)}，最晚 ${formatDateTime(expiresAt)} 失效`}>
            {isCurrent ? `登录于 ${formatDateTime(createdAt)}` : `最近活动 ${formatAgo(lastSeenAt, now)}`}
          </span>
        </p>
      </div>
      {isCurrent ? null : (
        <Button variant="outline" size="sm" aria-label={`退出 ${name}（${ip}）`} onClick={onEnd}>
          退出
        </Button>
      )}
    </li>
  );
}
