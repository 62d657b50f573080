import type { OwnSession } from "@shared/auth.ts";
import { type LucideIcon, Monitor, Smartphone, SquareTerminal } from "lucide-react";
import { trpc } from "@/api/trpc";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { QueryError } from "@/components/error-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import {
  Card,
  CardAction,
  CardContent,
  CardDescription,
  CardHeader,
  CardTitle,
} from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { type DeviceKind, deviceOf } from "@/lib/device-of";
import { formatAgo, formatDateTime } from "@/lib/format";
import { notify } from "@/lib/notify";
import { type DialogState, useDialog } from "@/lib/use-dialog";
import { useNow } from "@/lib/use-now";

const REFRESH_MS = 60_000;

/** The user's own sessions. No event announces a new one, so the list is polled. */
export function SessionsCard() {
  const sessions = useSessions();
  const { show, dialog } = useDialog<"end", Ending>();
  const ending = dialog("end");
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent).length ?? 0;

  return (
    <Card>
      <CardHeader>
        <CardTitle>登录会话</CardTitle>
        <CardDescription>仍然有效的登录。如有不认识的设备，请退出它并修改密码。</CardDescription>
        {others > 0 ? (
          <CardAction>
            <Button variant="outline" size="sm" onClick={() => show("end", { others })}>
              退出其他会话
            </Button>
          </CardAction>
        ) : null}
      </CardHeader>
      <CardContent className="max-h-120 overflow-y-auto pt-2">
        <SessionList
          sessions={sessions}
          others={others}
          onEnd={(session) => show("end", session)}
        />
      </CardContent>
      {ending && <EndDialog {...ending} />}
    </Card>
  );
}

function useSessions() {
  return trpc.auth.sessions.useQuery(undefined, {
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
  });
}

type SessionListProps = {
  sessions: ReturnType<typeof useSessions>;
  /** How many there are beside the current one. */
  others: number;
  onEnd: (session: OwnSession) => void;
};

function SessionList({ sessions, others, onEnd }: SessionListProps) {
  if (sessions.data !== undefined) {
    return (
      <>
        <ul>
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => onEnd(session)} />
          ))}
        </ul>
        {others === 0 ? <p className="pt-3 text-sm text-muted-foreground">没有其他会话</p> : null}
      </>
    );
  }

  if (sessions.isError) return <QueryError query={sessions} className="py-8" />;

  return (
    <div role="status">
      <span className="sr-only">加载中...</span>
      <Skeleton className="h-30" />
    </div>
  );
}

const ICONS: Readonly<Record<DeviceKind, LucideIcon>> = {
  phone: Smartphone,
  computer: Monitor,
  program: SquareTerminal,
};

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const { ip, userAgent, createdAt, lastSeenAt, expiresAt, isCurrent } = session;
  const now = useNow();
  const { kind, name } = deviceOf(userAgent);
  const Icon = ICONS[kind];

  return (
    <li className="flex min-h-15 items-center gap-3 border-b py-2.5 last:border-0">
      <span className="grid size-9 shrink-0 place-items-center rounded-md bg-secondary text-muted-foreground">
        <Icon className="size-4.5" />
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
          <span
            title={`登录于 ${formatDateTime(createdAt)}，最晚 ${formatDateTime(expiresAt)} 失效`}
          >
            {isCurrent
              ? `登录于 ${formatDateTime(createdAt)}`
              : `最近活动 ${formatAgo(lastSeenAt, now)}`}
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

/** One session, or the number of all others. */
type Ending = OwnSession | { others: number };

function EndDialog({ subject, ...dialog }: DialogState<Ending>) {
  const endOne = trpc.auth.endSession.useMutation({
    onSuccess: () => notify.success("已退出该会话"),
  });
  const endOthers = trpc.auth.endOtherSessions.useMutation({
    onSuccess: ({ ended }) =>
      notify.success("已退出其他会话", { message: `共 ${ended} 个会话已失效` }),
  });
  const isOne = "id" in subject;
  const name = isOne
    ? `${deviceOf(subject.userAgent).name}（IP ${subject.ip}）`
    : `其他 ${subject.others} 个会话`;

  return (
    <ConfirmDialog
      {...dialog}
      title={isOne ? "退出该会话" : "退出其他会话"}
      description={
        <>
          确定退出 <strong>{name}</strong>？退出的设备需要重新登录才能继续使用，当前会话不受影响。
        </>
      }
      confirmLabel={isOne ? "退出会话" : "退出其他会话"}
      errorTitle="退出失败"
      onConfirm={() => (isOne ? endOne.mutateAsync({ id: subject.id }) : endOthers.mutateAsync())}
    />
  );
}
