import type { Host } from "@shared/hosts.ts";
import { ListFilter } from "lucide-react";
import { Link } from "wouter";
import { firstExpiringUser } from "./host-facts";

/**
 * Beside the two lines of the name, a date and its badge stand in two as well; a compact row has
 * one.
 */
export const TWO_LINES =
  "inline-flex items-center gap-x-2 whitespace-nowrap group-data-[density=comfortable]/table:flex-col group-data-[density=comfortable]/table:items-start";

/**
 * Whose assignment expires first, and how many others there are. The name leads to the person's
 * page, the mark beside it to all hosts of that person.
 */
export function UsersCell({ host }: { host: Host }) {
  const first = firstExpiringUser(host);
  if (first === undefined) return <span className="text-subtle-foreground">未分配</span>;

  return (
    <span className="inline-flex items-center gap-x-1 whitespace-nowrap">
      <Link
        href={`/users/${first.id}`}
        title={first.name}
        className="max-w-32 truncate rounded-sm text-primary-ink hover:underline"
      >
        {first.name}
      </Link>
      <HostsOfUserLink user={first} />
      {host.users.length > 1 ? (
        <span className="text-xs text-muted-foreground">等 {host.users.length} 人</span>
      ) : null}
    </span>
  );
}

/** Narrows the list of hosts to those of one user. */
export function HostsOfUserLink({ user }: { user: Pick<Host["users"][number], "id" | "name"> }) {
  return (
    <Link
      href={`/hosts?userId=${user.id}`}
      title="只看此人的主机"
      aria-label={`只看 ${user.name} 的主机`}
      className="grid size-6 shrink-0 place-items-center rounded-sm text-muted-foreground hover:bg-accent hover:text-foreground print:hidden"
    >
      <ListFilter className="size-3.5" />
    </Link>
  );
}
