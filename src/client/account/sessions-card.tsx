import type { OwnSession } from "@shared/auth.ts";
import { useState } from "react";
import { errorMessage } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { ErrorState } from "@/components/error-state";
import { Button } from "@/components/ui/button";
import { Card, CardAction, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { formatNumber } from "@/lib/format-number";
import { SessionRow } from "./session-row";
import { useEndSessions } from "./use-end-sessions";

/** More are shown only when asked for. */
const SHOWN_AT_FIRST = 6;
const LOOK_AGAIN_MS = 60_000;

/** Where the person is signed in, and how to end that elsewhere. Nothing tells of sign-ins elsewhere, so it looks by itself. */
export function SessionsCard() {
  const sessions = trpc.auth.sessions.useQuery(undefined, {
    refetchInterval: LOOK_AGAIN_MS,
    refetchOnWindowFocus: true,
  });
  const { askForOne, askForOthers, confirmDialog } = useEndSessions();
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  return (
    <Card>
      <CardHeader>
        <CardTitle>登录会话</CardTitle>
        <CardDescription>仍然有效的登录。如有不认识的设备，请退出它并修改密码。</CardDescription>
        {others > 0 ? (
          <CardAction>
            <Button variant="outline" size="sm" onClick={() => askForOthers(others)}>
              退出其他会话
            </Button>
          </CardAction>
        ) : null}
      </CardHeader>
      <CardContent className="pt-2">
        {sessions.data !== undefined ? (
          <SessionList sessions={sessions.data} onEnd={askForOne} />
        ) : sessions.isError ? (
          <ErrorState
            className="py-8"
            message={errorMessage(sessions.error)}
            onRetry={() => sessions.refetch()}
            isRetrying={sessions.isFetching}
          />
        ) : (
          <SessionsSkeleton />
        )}
      </CardContent>
      {confirmDialog}
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

function SessionsSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">加载中...</span>
      {["current", "other"].map((row) => (
        <div key={row} className="flex h-15 items-center gap-3 border-b last:border-0">
          <Skeleton className="size-9 rounded-md" />
          <span className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-40" />
            <Skeleton className="h-3 w-56 max-w-full" />
          </span>
        </div>
      ))}
    </div>
  );
}
