import type { Notice, NoticeItem } from "@shared/notices.ts";
import { expiryState } from "@shared/time.ts";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { END_TONES } from "@/components/hosts/end-tones";
import { MiddleCut } from "@/components/middle-cut";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { formatExpiry } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { useNow } from "@/lib/use-now";
import { isAboutProvider } from "./notice-looks";

/** Shown before all of them are asked for. */
const FIRST = 3;

type NoticeHostsProps = {
  notice: Notice;
  /** A link to a host was followed. */
  onOpen: () => void;
};

/** The hosts of a notice, each with its end as it is now. */
export function NoticeHosts({ notice: { items, hostCount, type }, onOpen }: NoticeHostsProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, FIRST);
  const rest = items.length - shown.length;
  const unnamed = hostCount - items.length;
  if (items.length === 0) return null;

  const endName = isAboutProvider(type) ? "云端 " : "";

  return (
    <div className="grid max-w-2xl justify-items-start gap-1">
      <ul aria-label="涉及的主机" className="w-full divide-y rounded-md border bg-background">
        {shown.map((item) => (
          <li
            key={item.hostId}
            className="flex flex-wrap items-baseline justify-between gap-x-4 px-3 py-1.5 text-sm"
          >
            <Link
              href={`/hosts?host=${item.hostId}`}
              onClick={onOpen}
              title={item.hostName}
              className="min-w-0 max-w-full flex-auto basis-40 rounded-sm text-primary-ink hover:underline"
            >
              <MiddleCut text={item.hostName} />
            </Link>
            <HostEnd item={item} name={endName} />
          </li>
        ))}
      </ul>
      {rest > 0 ? (
        <Button variant="ghost" size="sm" onClick={() => setWhole(true)}>
          <ChevronDown />
          {`显示其余 ${formatNumber(rest)} 台`}
        </Button>
      ) : null}
      {unnamed > 0 ? (
        <p className="text-sm text-muted-foreground">
          {`另有 ${formatNumber(unnamed)} 台，请在主机列表中查看`}
        </p>
      ) : null}
    </div>
  );
}

/** `云端 2026-12-01 · 还有 3 天` */
function HostEnd({ item: { expireTime }, name }: { item: NoticeItem; name: string }) {
  const now = useNow();
  if (expireTime === null) return null;

  return (
    <span className={cn("whitespace-nowrap tabular-nums", END_TONES[expiryState(expireTime, now)])}>
      {`${name}${formatExpiry(expireTime, now)}`}
    </span>
  );
}
