import type { Host } from "@shared/hosts.ts";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { CopyableText } from "@/components/copyable-text";
import { MiddleCut } from "@/components/middle-cut";
import { cn } from "@/lib/cn";
import { hostTitle } from "./host-facts";

type HostNameProps = {
  host: Pick<Host, "name" | "ucloudId">;
  /** Where the name leads. */
  href: string;
  /** Also in a compact row, where another row has the same name. */
  isIdAlwaysShown?: boolean;
  /** The line below instead of the id. */
  children?: ReactNode;
};

/**
 * The name over the id, each cut where there is no room for it; a compact row has the name alone.
 */
export function HostName({ host, href, isIdAlwaysShown = false, children }: HostNameProps) {
  const title = hostTitle(host);
  return (
    <div className="min-w-0">
      <Link
        href={href}
        title={title === host.ucloudId ? title : `${title} · ${host.ucloudId}`}
        className="block rounded-sm font-medium text-primary-ink hover:underline"
      >
        <MiddleCut text={title} />
      </Link>
      {children ?? (
        <CopyableText
          text={host.ucloudId}
          label="资源 ID"
          className={cn(
            "-my-1 text-muted-foreground",
            !isIdAlwaysShown && "group-data-[density=compact]/table:hidden",
          )}
        />
      )}
    </div>
  );
}
