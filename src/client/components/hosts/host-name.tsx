import type { Host } from "@shared/hosts.ts";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { CopyableText } from "@/components/copyable-text";
import { hostTitle } from "./host-display";

type HostNameProps = {
  host: Pick<Host, "name" | "ucloudId">;
  /** Where the name leads. */
  href: string;
  /** The line below instead of the id. */
  children?: ReactNode;
};

/**
 * The name over the id, each cut where there is no room for it; a compact row has the name alone.
 */
export function HostName({ host, href, children }: HostNameProps) {
  const title = hostTitle(host);
  return (
    <div className="min-w-0">
      <Link
        href={href}
        title={title}
        className="block truncate rounded-sm font-medium text-primary-ink hover:underline"
      >
        {title}
      </Link>
      {children ?? (
        <CopyableText
          text={host.ucloudId}
          label="资源 ID"
          className="-my-1 text-muted-foreground group-data-[density=compact]/table:hidden"
        />
      )}
    </div>
  );
}
