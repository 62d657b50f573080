import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

type PersonNameProps = {
  person: { name: string; username: string };
  /** Beside the name. */
  children?: ReactNode;
  className?: string;
};

/** The name over the username, each cut where there is no room for it. */
export function PersonName({ person: { name, username }, children, className }: PersonNameProps) {
  return (
    <div className={cn("min-w-0", className)}>
      <p className="flex items-center gap-1.5">
        <span className="min-w-0 truncate font-medium" title={name}>
          {name}
        </span>
        {children}
      </p>
      <p className="truncate text-sm text-muted-foreground" title={`@${username}`}>
        @{username}
      </p>
    </div>
  );
}
