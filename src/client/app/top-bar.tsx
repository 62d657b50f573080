import { isSuperAdmin } from "@shared/roles.ts";
import { Search } from "lucide-react";
import { Suspense } from "react";
import { Link } from "wouter";
import { Kbd } from "@/components/ui/kbd";
import { lazyPage } from "@/lib/lazy";
import { useCurrentUser } from "@/session/session";
import { ConnectionDot } from "./connection";
import { HelpLinks } from "./help-links";
import { MobileNav } from "./nav";
import { UserMenu } from "./user-menu";

const NoticeBell = lazyPage(() =>
  import("@/features/notices/notice-bell").then((m) => m.NoticeBell),
);
const SyncIndicator = lazyPage(() =>
  import("@/features/sync/sync-indicator").then((m) => m.SyncIndicator),
);

export function TopBar({ onSearch }: { onSearch: () => void }) {
  const { role } = useCurrentUser();
  return (
    <header className="sticky top-0 z-30 flex h-14 low:static items-center gap-1 border-b bg-card px-3 md:px-4 print:hidden">
      <MobileNav />
      {/* Without room for the whole name it wraps out of sight: a cut name says less than the mark
          alone. */}
      <Link
        href="/dashboard"
        className="mr-auto flex h-7 min-w-7 flex-wrap gap-x-2.5 overflow-hidden rounded-sm"
      >
        <img src="/favicon.svg" alt="" width={28} height={28} className="size-7 shrink-0" />
        <span className="text-lg leading-7 font-semibold whitespace-nowrap">多主机管理系统</span>
      </Link>
      <SearchButton onClick={onSearch} />
      {isSuperAdmin(role) ? (
        <Suspense fallback={<span className="w-9 shrink-0" />}>
          <SyncIndicator />
        </Suspense>
      ) : null}
      <ConnectionDot />
      <div className="hidden items-center md:flex">
        <HelpLinks className="h-8" />
      </div>
      <Suspense fallback={<span className="w-8.5 shrink-0" />}>
        <NoticeBell />
      </Suspense>
      <UserMenu />
    </header>
  );
}

function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      aria-keyshortcuts="Control+K Meta+K"
      className="flex h-8.5 items-center gap-2 rounded-md text-sm text-muted-foreground hover:text-foreground max-lg:w-8.5 max-lg:justify-center max-lg:hover:bg-accent lg:mr-2 lg:w-56 lg:border lg:border-border-strong lg:bg-background lg:px-2.5 lg:hover:border-input"
    >
      <Search className="size-4 shrink-0" />
      <span className="flex-1 text-left max-lg:sr-only">查找…</span>
      <Kbd className="max-lg:hidden">{isMac() ? "⌘K" : "Ctrl K"}</Kbd>
    </button>
  );
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
