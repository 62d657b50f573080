import { Link, useLocation } from "wouter";
import { Tooltip } from "@/components/ui/tooltip";
import { cn } from "@/lib/cn";
import { prefetchPage } from "@/routes";
import { useCurrentUser } from "@/session/session";
import { isCurrentItem, type NavItem, navItemsFor } from "./nav-items";

type NavListProps = {
  /** Icons alone; the labels are then tooltips. */
  isRail?: boolean;
  onNavigate?: () => void;
};

export function NavList({ isRail = false, onNavigate }: NavListProps) {
  const { role } = useCurrentUser();
  const [pathname] = useLocation();
  return (
    <ul className="grid gap-0.5">
      {navItemsFor(role).map((item) => (
        <li key={item.href}>
          <NavLink item={item} isCurrent={isCurrentItem(item, pathname)} isRail={isRail} onNavigate={onNavigate} />
        </li>
      ))}
    </ul>
  );
}

type NavLinkProps = { item: NavItem; isCurrent: boolean; isRail: boolean; onNavigate: (() => void) | undefined };

function NavLink({ item, isCurrent, isRail, onNavigate }: NavLinkProps) {
  const { icon: Icon, label, href } = item;
  const prefetch = () => prefetchPage(href);
  const link = (
    <Link
      href={href}
      aria-current={isCurrent ? "page" : undefined}
      onClick={() => onNavigate?.()}
      onPointerEnter={prefetch}
      onFocus={prefetch}
      className={cn(
        "flex h-9 items-center gap-3 overflow-hidden rounded-md px-3 whitespace-nowrap text-muted-foreground transition-colors hover:bg-accent hover:text-foreground max-md:h-11 max-md:text-lg",
        isCurrent && "bg-primary-soft font-medium text-primary-ink hover:bg-primary-soft hover:text-primary-ink",
      )}
    >
      <Icon aria-hidden="true" className="size-4.5 shrink-0" />
      <span className={cn(isRail && "sr-only")}>{label}</span>
    </Link>
  );
  return isRail ? (
    <Tooltip content={label} side="right">
      {link}
    </Tooltip>
  ) : (
    link
  );
}
