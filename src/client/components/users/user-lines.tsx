import type { ListedUser } from "@shared/users.ts";
import type { ReactNode } from "react";
import { PhoneLink } from "@/components/contact-links";
import { PersonName } from "@/components/person-name";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { HostCount, NextEnd } from "./user-facts";

type UserLinesProps = {
  /** Undefined draws skeleton lines. */
  users: readonly ListedUser[] | undefined;
  label: string;
  /** Fades the lines while the next page is loading. */
  isStale: boolean;
  /** Behind the name. */
  badges?: (user: ListedUser) => ReactNode;
  /** At the right end. */
  menu?: (user: ListedUser) => ReactNode;
};

/** Users where a table has no room: who it is, how to call, what ends next. */
export function UserLines({ users, label, isStale, badges, menu }: UserLinesProps) {
  if (users === undefined) {
    return (
      <Card role="status">
        <span className="sr-only">加载中...</span>
        {["a", "b", "c", "d"].map((key) => (
          <Skeleton key={key} className="m-4 h-14" />
        ))}
      </Card>
    );
  }

  return (
    <Card>
      <ul
        aria-label={label}
        aria-busy={isStale}
        className={cn("divide-y transition-opacity", isStale && "opacity-55")}
      >
        {users.map((user) => (
          <li key={user.id} className="flex items-start gap-2 px-4 py-3">
            <div className="grid min-w-0 flex-1 gap-1.5">
              <PersonName person={user} href={`/users/${user.id}`}>
                {badges?.(user)}
              </PersonName>
              <UserLine user={user} />
            </div>
            {menu?.(user)}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function UserLine({ user }: { user: ListedUser }) {
  const { phone, role, nextEnd } = user;
  if (phone === null && role !== "client") return null;

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      {phone === null ? null : <PhoneLink phone={phone} />}
      {role === "client" ? <HostCount user={user} /> : null}
      {nextEnd === null ? null : <NextEnd user={user} />}
    </div>
  );
}
