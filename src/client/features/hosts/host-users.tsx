import type { Host, HostUser } from "@shared/hosts.ts";
import { isAdmin } from "@shared/roles.ts";
import type { User } from "@shared/users.ts";
import { BellRing, CalendarClock, Ellipsis, UserMinus, Users } from "lucide-react";
import { trpc } from "@/api/trpc";
import { CallLink } from "@/components/call-link";
import { ExpiryDate } from "@/components/hosts/expiry-date";
import { HostsOfUserLink } from "@/components/hosts/users-cell";
import { PersonName } from "@/components/person-name";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { formatDate } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";
import { FactCard, Note } from "./host-cards";

export type UserAction = "edit" | "remind" | "unassign";

type UsersCardProps = {
  host: Host;
  /** Opens a dialog of the panel; null for those who only read. */
  onAct: ((action: UserAction, user: HostUser) => void) | null;
};

/** Who has the host, from when, until when, and the way to call that person. */
export function UsersCard({ host, onAct }: UsersCardProps) {
  const { role } = useCurrentUser();
  const count = host.users.length;

  return (
    <FactCard
      title="分配用户"
      icon={Users}
      className="xl:col-span-2"
      action={count === 0 ? null : <Badge>{count} 人</Badge>}
    >
      {count === 0 ? (
        <Note>
          {isAdmin(role) ? "没有您负责的用户在使用这台主机。" : "这台主机还没有分配给任何用户。"}
        </Note>
      ) : (
        <ul className="@container divide-y">
          {host.users.map((user) => (
            <li key={user.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
              <Avatar name={user.name} />
              <PersonName person={user} href={`/users/${user.id}`} className="flex-1">
                <HostsOfUserLink user={user} />
              </PersonName>
              <UserPeriod user={user} />
              <UserPhone id={user.id} />
              {onAct === null ? null : (
                <UserMenu
                  user={user}
                  canEdit={host.goneAt === null}
                  onAct={(action) => onAct(action, user)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </FactCard>
  );
}

/** The host names its users without their numbers. */
function UserPhone({ id }: { id: string }) {
  const { data } = trpc.users.get.useQuery({ id });

  return (
    // In a narrow card below the name, where its place is kept while it loads.
    <div className="flex min-h-8 items-center @max-xl:order-last @max-xl:basis-full @max-xl:pl-11">
      <PhoneOf user={data} />
    </div>
  );
}

function PhoneOf({ user }: { user: Pick<User, "phone"> | undefined }) {
  if (user === undefined) return null;
  if (user.phone === null) return <span className="text-sm text-muted-foreground">无手机号</span>;

  return <CallLink phone={user.phone} />;
}

/** Seconds by which the console may be behind the server. */
const CLOCK_SLACK = 60;

function UserPeriod({ user: { assignedAt, assignedExpireTime } }: { user: HostUser }) {
  const now = useNow();
  return (
    // Below the name in a narrow card.
    <div className="flex flex-wrap items-center gap-2 text-sm tabular-nums @max-xl:order-last @max-xl:basis-full @max-xl:pl-11">
      <span className="text-muted-foreground">
        {formatDate(assignedAt)} 至{" "}
        <ExpiryDate at={assignedExpireTime} className="text-foreground" />
      </span>
      {assignedAt > now + CLOCK_SLACK ? <Badge tone="info">未生效</Badge> : null}
    </div>
  );
}

type UserMenuProps = { user: HostUser; canEdit: boolean; onAct: (action: UserAction) => void };

function UserMenu({ user, canEdit, onAct }: UserMenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="sm" icon aria-label={`对 ${user.name} 的操作`}>
          <Ellipsis />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuItem
          icon={<CalendarClock />}
          disabled={!canEdit}
          onSelect={() => onAct("edit")}
        >
          修改有效期
        </DropdownMenuItem>
        <DropdownMenuItem icon={<BellRing />} disabled={!canEdit} onSelect={() => onAct("remind")}>
          提醒客户
        </DropdownMenuItem>
        <DropdownMenuItem tone="danger" icon={<UserMinus />} onSelect={() => onAct("unassign")}>
          取消分配
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
