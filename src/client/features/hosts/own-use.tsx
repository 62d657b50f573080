import type { Host } from "@shared/hosts.ts";
import { expiryState } from "@shared/time.ts";
import { AdminContact } from "@/components/admin-contact";
import { END_TONES } from "@/components/hosts/end-tones";
import { Card } from "@/components/ui/card";
import { formatDateTime, formatTimeLeft } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";

/** Until when a client has the host, and whom to call about it. */
export function OwnUse({ host: { expireTime } }: { host: Host }) {
  const { admin } = useCurrentUser();
  const now = useNow();
  const tone = expireTime === null ? "normal" : expiryState(expireTime, now);
  const note = expireTime !== null && tone === "normal" ? " · 正常" : "";

  return (
    <Card className="flex-row flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3 tabular-nums">
      <p>
        {"我的到期时间："}
        <span className={END_TONES[tone]}>
          {`${formatDateTime(expireTime)} · ${formatTimeLeft(expireTime, now)}${note}`}
        </span>
      </p>
      {admin === null ? null : (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-sm text-muted-foreground">{`负责管理员 ${admin.name}`}</span>
          <AdminContact />
        </div>
      )}
    </Card>
  );
}
