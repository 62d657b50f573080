import type { ReactNode } from "react";
import { Link } from "wouter";
import { cn } from "@/lib/cn";

type PersonNameProps = {
  person: { name: string; username: string };
  href?: string | undefined;
  children?: ReactNode;
  className?: string;
};

/** The name over the username, each cut where there is no room for it. */
export function PersonName({
  person: { name, username },
  href,
  children,
  className,
}: PersonNameProps) {
  return (
    <div className={cn("min-w-0", className)}>
      <p className="flex items-center gap-1.5">
        {href === undefined ? (
          <span className="min-w-0 truncate font-medium" title={name}>
            {name}
          </span>
        ) : (
          <Link
            href={href}
            className="min-w-0 truncate rounded-sm font-medium text-primary-ink hover:underline"
            title={name}
          >
            {name}
          </Link>
        )}
        {children}
      </p>
      <p className="truncate text-sm text-muted-foreground" title={`@${username}`}>
        @{username}
      </p>
    </div>
  );
}
