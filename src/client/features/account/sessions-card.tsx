import type { OwnSession } from "@shared/auth.ts";
import { Monitor, Smartphone, SquareTerminal } from "lucide-react";
import { useState } from "react";
import { trpc } from "@/api/trpc";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { QueryError } from "@/components/error-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardAction, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { formatAgo, formatDateTime } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { notify } from "@/lib/notify";
import { type DialogState, useDialog } from "@/lib/use-dialog";
import { useNow } from "@/lib/use-now";

/** The others follow a click. */
const SHOWN_AT_FIRST = 6;
const REFRESH_MS = 60_000;

/** The user's own sessions. No event announces a new one, so the list is polled. */
export function SessionsCard() {
  const sessions = trpc.auth.sessions.useQuery(undefined, {
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
  });
  const one = useDialog<"end", OwnSession>();
  const all = useDialog<"end", { count: number }>();
  const [ending, endingOthers] = [one.dialog("end"), all.dialog("end")];
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  return (
    <Card>
      <CardHeader>
        <CardTitle>登录会话</CardTitle>
        <CardDescription>仍然有效的登录。如有不认识的设备，请退出它并修改密码。</CardDescription>
        {others > 0 ? (
          <CardAction>
            <Button variant="outline" size="sm" onClick={() => all.show("end", { count: others })}>
              退出其他会话
            </Button>
          </CardAction>
        ) : null}
      </CardHeader>
      <CardContent className="pt-2">
        {sessions.data !== undefined ? (
          <SessionList sessions={sessions.data} onEnd={(session) => one.show("end", session)} />
        ) : sessions.isError ? (
          <QueryError query={sessions} className="py-8" />
        ) : (
          <div role="status">
            <span className="sr-only">加载中...</span>
            <Skeleton className="h-30" />
          </div>
        )}
      </CardContent>
      {ending === null ? null : <EndOneDialog {...ending} />}
      {endingOthers === null ? null : <EndOthersDialog {...endingOthers} />}
    </Card>
  );
}

function SessionList({ sessions, onEnd }: { sessions: readonly OwnSession[]; onEnd: (session: OwnSession) => void }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? sessions : sessions.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <ul>
        {shown.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => onEnd(session)} />
        ))}
      </ul>
      {sessions.length <= 1 ? <p className="pt-3 text-sm text-muted-foreground">没有其他会话</p> : null}
      {shown.length < sessions.length ? (
        <Button variant="ghost" size="sm" className="mt-2 w-full" onClick={() => setWhole(true)}>
          显示全部 {formatNumber(sessions.length)} 个会话
        </Button>
      ) : null}
    </>
  );
}

const ICONS = { phone: Smartphone, computer: Monitor, program: SquareTerminal } as const;

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
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

function EndOneDialog({ subject: session, ...dialog }: DialogState<OwnSession>) {
  const end = trpc.auth.endSession.useMutation({
    meta: { errorTitle: "退出失败" },
    onSuccess: () => notify.success("已退出该会话"),
  });
  return (
    <ConfirmDialog
      {...dialog}
      title="退出该会话"
      description={
        <>
          确定退出 <strong>{deviceOf(session.userAgent).name}</strong>（IP {session.ip}
          ）上的登录？该设备需要重新登录才能继续使用。
        </>
      }
      confirmLabel="退出会话"
      onConfirm={() => end.mutateAsync({ id: session.id })}
    />
  );
}

function EndOthersDialog({ subject: { count }, ...dialog }: DialogState<{ count: number }>) {
  const end = trpc.auth.endOtherSessions.useMutation({
    meta: { errorTitle: "退出失败" },
    onSuccess: ({ ended }) =>
      notify.success("已退出其他会话", {
        message: ended === 0 ? "没有其他会话" : `共 ${formatNumber(ended)} 个会话已失效`,
      }),
  });
  return (
    <ConfirmDialog
      {...dialog}
      title="退出其他会话"
      description={
        <>
          确定退出其他 <strong>{formatNumber(count)} 个会话</strong>？这些设备需要重新登录，当前会话不受影响。
        </>
      }
      confirmLabel="退出其他会话"
      onConfirm={() => end.mutateAsync()}
    />
  );
}

/** In this order: many call themselves by the names of those below them as well. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/MicroMessenger\//, "微信"],
  [/\bEdgA?(?:iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*Safari\//, "Safari"],
  [/^curl\//, "curl"],
  [/^(?:node|undici)\b|^Node\.js/i, "Node.js"],
  [/^python/i, "Python"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Windows/, "Windows"],
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

const PHONES: readonly string[] = ["iPhone", "iPad", "Android"];

type Device = { kind: "phone" | "computer" | "program"; name: string };

/** `Chrome · Windows` out of what the browser calls itself. A guess for reading, never for deciding. */
function deviceOf(userAgent: string): Device {
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  if (browser === undefined && system === undefined) return { kind: "program", name: "未知设备" };
  const name = [browser, system].filter((part) => part !== undefined).join(" · ");
  if (system === undefined) return { kind: "program", name };
  return { kind: PHONES.includes(system) ? "phone" : "computer", name };
}

function nameIn(names: readonly (readonly [RegExp, string])[], userAgent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1];
}
