import "@/zod-setup";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { LiveUpdatesProvider } from "@/api/live-updates";
import { Skeleton, SkeletonText } from "@/components/ui/skeleton";
import { RenewalToasts } from "@/features/renewals/renewal-toasts";
import { ZONE_NOTE } from "@/lib/browser-zone";
import { DOCK_ID } from "@/lib/dock";
import { lazyDialog } from "@/lib/lazy";
import { useHotkey } from "@/lib/use-hotkey";
import { usePaletteKeys } from "./command-menu/use-palette-keys";
import { ConnectionBanner } from "./connection";
import { DraftNotice } from "./draft-notice";
import { ErrorBoundary } from "./error-boundary";
import { Sidebar } from "./nav";
import { TopBar } from "./top-bar";
import { UnfinishedBatchNotice } from "./unfinished-batch-notice";

const CommandMenu = lazyDialog(() =>
  import("./command-menu/command-menu").then((m) => m.CommandMenu),
);
const ShortcutsDialog = lazyDialog(() =>
  import("./shortcuts-dialog").then((m) => m.ShortcutsDialog),
);

/** The frame around every page of a signed-in user, with live updates and shortcuts. */
export function Shell({ children }: { children: ReactNode }) {
  const [isSearching, setSearching] = useState(false);
  const [typed, setTyped] = useState("");
  const [isExplaining, setExplaining] = useState(false);

  /** The palette begins anew each time. */
  function showPalette(isShown: boolean): void {
    setSearching(isShown);
    if (!isShown) setTyped("");
  }

  useHotkey("?", () => setExplaining(true));
  useHotkey("mod+k", () => showPalette(!isSearching));
  useHotkey("/", () => {
    if (!focusSearch()) showPalette(true);
  });
  usePaletteKeys({
    isOpen: isSearching,
    onType: setTyped,
    onClose: () => showPalette(false),
  });

  return (
    <LiveUpdatesProvider>
      <div className="flex min-h-dvh flex-col">
        <a
          href="#main"
          className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-primary px-3 py-2 text-primary-foreground focus:translate-y-0 focus:shadow-md print:hidden"
        >
          跳到主要内容
        </a>
        <TopBar onSearch={() => showPalette(true)} />
        <div className="flex flex-1">
          <Sidebar />
          <div className="flex min-w-0 flex-1 flex-col">
            <ConnectionBanner />
            <UnfinishedBatchNotice />
            <Main>{children}</Main>
            {/* Invisible while the page above it loads, which would push it away. */}
            <footer className="peer-has-data-[slot=skeleton]:invisible px-4 py-4 text-center text-xs text-muted-foreground md:px-6 print:hidden">
              © 2024 多主机管理系统
            </footer>
            <div id={DOCK_ID} className="sticky bottom-0 z-20" />
          </div>
        </div>
      </div>
      <RenewalToasts />
      <DraftNotice />
      <CommandMenu
        open={isSearching}
        onOpenChange={showPalette}
        typed={typed}
        onTypedChange={setTyped}
        onExplain={() => setExplaining(true)}
      />
      <ShortcutsDialog open={isExplaining} onOpenChange={setExplaining} />
    </LiveUpdatesProvider>
  );
}

/** Another page gets the focus and starts at its top, as after a page load. */
function Main({ children }: { children: ReactNode }) {
  const [pathname] = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;

    shown.current = pathname;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [pathname]);

  return (
    <main
      ref={main}
      id="main"
      tabIndex={-1}
      className="peer mx-auto grid w-full max-w-[100rem] min-w-0 flex-1 grid-cols-[minmax(0,1fr)] content-start px-4 py-5 outline-none md:px-6"
    >
      {ZONE_NOTE === null ? null : (
        <p className="pb-3 text-xs text-muted-foreground">{ZONE_NOTE}</p>
      )}
      <ErrorBoundary key={pathname}>
        <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
      </ErrorBoundary>
    </main>
  );
}

function PageSkeleton() {
  return (
    <div role="status" className="grid gap-5">
      <span className="sr-only">加载中...</span>
      <div className="grid gap-2">
        <Skeleton className="h-7 w-36" />
        <Skeleton className="h-5 w-64 max-w-full" />
      </div>
      <Skeleton className="h-8.5 w-full max-w-xl" />
      <div className="grid h-72 content-start gap-4 rounded-md border bg-card p-4 shadow-xs">
        <Skeleton className="h-5 w-48 max-w-full" />
        <SkeletonText lines={4} />
      </div>
    </div>
  );
}

function focusSearch(): boolean {
  for (const field of document.querySelectorAll<HTMLInputElement>("main input[type='search']")) {
    if (field.checkVisibility()) {
      field.focus();
      field.select();
      return true;
    }
  }
  return false;
}
