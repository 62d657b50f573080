import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { cn } from "@/lib/cn";
import { NavList } from "./nav-list";
import { useSidebarCollapsed } from "./use-sidebar-collapsed";

/** From medium screens up; phones have the sheet of mobile-nav.tsx. */
export function Sidebar() {
  const { isCollapsed, toggle } = useSidebarCollapsed();
  const Icon = isCollapsed ? PanelLeftOpen : PanelLeftClose;
  const label = isCollapsed ? "展开侧边栏" : "收起侧边栏";
  return (
    <nav
      aria-label="主导航"
      className={cn(
        "sticky top-14 hidden h-[calc(100dvh-3.5rem)] shrink-0 flex-col border-r bg-card p-2 transition-[width] duration-300 ease-out md:flex print:hidden",
        isCollapsed ? "w-15.5" : "w-54",
      )}
    >
      <div className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto">
        <NavList isRail={isCollapsed} />
      </div>
      <button
        type="button"
        onClick={toggle}
        aria-expanded={!isCollapsed}
        aria-label={label}
        title={isCollapsed ? label : undefined}
        className="flex h-9 w-full items-center gap-3 overflow-hidden rounded-md px-3.5 text-sm whitespace-nowrap text-muted-foreground hover:bg-accent hover:text-foreground"
      >
        <Icon aria-hidden="true" className="size-4.5 shrink-0" />
        <span className={cn(isCollapsed && "sr-only")}>{label}</span>
      </button>
    </nav>
  );
}
