import { Bell } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { Button } from "@/components/ui/button";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { cn } from "@/lib/cn";
import { lazyPage } from "@/lib/lazy";
import { shortCount } from "@/lib/short-count";
import { useIsMediumScreen } from "@/lib/use-media";
import { NoticeToasts } from "./notice-toasts";
import { NoticesSkeleton } from "./notices-skeleton";
import { useReadNotices } from "./use-read-notices";
import { useUnreadCount } from "./use-unread-count";

const NewestNotices = lazyPage<{ onLeave: () => void }>(() =>
  import("./newest-notices").then((m) => m.NewestNotices),
);

/** In the top bar: how many notices are unread, and the newest ones. A phone opens their page. */
export function NoticeBell() {
  const isMedium = useIsMediumScreen();
  return (
    <>
      {isMedium ? <BellWithPopover /> : <BellLink />}
      <NoticeToasts />
    </>
  );
}

function BellWithPopover() {
  const [isOpen, setOpen] = useState(false);
  useEffect(NewestNotices.prefetch, []);

  return (
    <Popover open={isOpen} onOpenChange={setOpen}>
      <PopoverTrigger className={cn(bellClass, "aria-expanded:bg-accent")}>
        <BellFace />
      </PopoverTrigger>
      <PopoverContent
        aria-label="最新通知"
        align="end"
        className="flex max-h-[min(36rem,var(--radix-popover-content-available-height))] w-100 flex-col"
      >
        <PopoverHeader />
        <Suspense fallback={<NoticesSkeleton />}>
          <NewestNotices onLeave={() => setOpen(false)} />
        </Suspense>
        <div className="border-t p-1.5">
          <Button variant="ghost" size="sm" asChild className="w-full">
            <Link href="/notices" onClick={() => setOpen(false)}>
              查看全部
            </Link>
          </Button>
        </div>
      </PopoverContent>
    </Popover>
  );
}

function PopoverHeader() {
  const unread = useUnreadCount();
  const { readAll } = useReadNotices();

  return (
    <div className="flex items-center justify-between gap-2 border-b py-1.5 pr-1.5 pl-3.5">
      <h2 className="font-medium">通知</h2>
      <Button variant="ghost" size="sm" disabled={unread === 0} onClick={readAll}>
        全部已读
      </Button>
    </div>
  );
}

function BellLink() {
  const [pathname] = useLocation();
  return (
    <Link
      href="/notices"
      aria-current={pathname === "/notices" ? "page" : undefined}
      className={bellClass}
    >
      <BellFace />
    </Link>
  );
}

const bellClass =
  "relative grid size-8.5 shrink-0 place-items-center rounded-md text-muted-foreground hover:bg-accent hover:text-foreground";

/** The bell with the number of unread notices, and its name: `通知，3 条未读`. */
function BellFace() {
  const count = useUnreadCount();
  return (
    <>
      <Bell className="size-4.5" />
      <span className="sr-only">{count === 0 ? "通知" : `通知，${shortCount(count)} 条未读`}</span>
      {count === 0 ? null : (
        <span
          aria-hidden="true"
          className="absolute -top-0.5 -right-0.5 min-w-4.5 rounded-full bg-danger px-1 text-center text-xs leading-4.5 font-medium text-danger-foreground tabular-nums ring-2 ring-card"
        >
          {shortCount(count)}
        </span>
      )}
    </>
  );
}
