import { type ReactNode, Suspense, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { ConnectionBanner } from "./connection-banner";
import { PageBoundary } from "./page-boundary";
import { PageSkeleton } from "./page-skeleton";
import { Sidebar } from "./sidebar";
import { TopBar } from "./top-bar";
import { useKeptFocus } from "./use-kept-focus";

/** The frame around every page of a signed-in person. */
export function Shell({ onSearch, children }: { onSearch: () => void; children: ReactNode }) {
  const [pathname] = useLocation();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-primary px-3 py-2 text-primary-foreground shadow-md focus:translate-y-0"
      >
        跳到主要内容
      </a>
      <TopBar onSearch={onSearch} />
      <div className="flex flex-1">
        <Sidebar />
        <div className="flex min-w-0 flex-1 flex-col">
          <ConnectionBanner />
          <Main pathname={pathname}>{children}</Main>
          {/* Unseen while what stands above it is still to come: it would be pushed away. */}
          <footer className="peer-has-data-[slot=skeleton]:invisible px-4 py-4 text-center text-xs text-muted-foreground md:px-6">
            © 2024 多主机管理系统
          </footer>
        </div>
      </div>
    </div>
  );
}

/** A change of page moves the focus and the scroll to its beginning, as a real page load would. */
function Main({ pathname, children }: { pathname: string; children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useKeptFocus(main);
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
      <PageBoundary key={pathname}>
        <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
      </PageBoundary>
    </main>
  );
}
