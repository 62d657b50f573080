import type { Host } from "@shared/hosts.ts";
import { Link } from "wouter";
import { firstExpiringUser } from "./host-display";

/**
 * Beside the two lines of the name, a date and its badge stand in two as well; a compact row has
 * one.
 */
export const TWO_LINES =
  "inline-flex items-center gap-x-2 whitespace-nowrap group-data-[density=comfortable]/table:flex-col group-data-[density=comfortable]/table:items-start";

/**
 * Whose assignment expires first, and how many others there are. The name leads to all hosts of
 * that person.
 */
export function UsersCell({ host }: { host: Host }) {
  const first = firstExpiringUser(host);
  if (first === undefined) return <span className="text-subtle-foreground">未分配</span>;

  return (
    <span className={TWO_LINES}>
      <Link
        href={`/hosts?userId=${first.id}`}
        title={`${first.name} 的全部主机`}
        className="max-w-32 truncate rounded-sm text-primary-ink hover:underline"
      >
        {first.name}
      </Link>
      {host.users.length > 1 ? (
        <span className="text-xs text-muted-foreground">等 {host.users.length} 人</span>
      ) : null}
    </span>
  );
}
