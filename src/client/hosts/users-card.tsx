import type { Host, HostUser } from "@shared/hosts.ts";
import { hasPermission, isAdmin, isClient, type Role } from "@shared/roles.ts";
import { CalendarClock, Ellipsis, UserMinus, Users } from "lucide-react";
import { useState } from "react";
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
import { currentSeconds, formatDate } from "@/lib/format";
import { ExpiryBadge } from "./expiry-badge";
import { FactCard } from "./fact-card";
import { AssignDialog } from "./lazy-assign-dialog";
import { useUnassign } from "./use-unassign";

type UsersCardProps = { host: Host; role: Role; now: number };

/** Who has the host, from when, until when. */
export function UsersCard({ host, role, now }: UsersCardProps) {
  const count = host.users.length;
  const canAssign = hasPermission(role, "hosts:assign");
  const [isChanging, setChanging] = useState(false);
  const [changed, setChanged] = useState<HostUser | null>(null);
  function change(user: HostUser): void {
    setChanged(user);
    setChanging(true);
  }
  return (
    <FactCard
      title={isClient(role) ? "我的使用期限" : "分配用户"}
      icon={Users}
      className="xl:col-span-2"
      {...(isClient(role) || count === 0 ? {} : { action: <Badge>{count} 人</Badge> })}
    >
      {count === 0 ? (
        <p className="py-2 text-sm text-muted-foreground">
          {isAdmin(role) ? "没有您负责的用户在使用这台主机。" : "这台主机还没有分配给任何用户。"}
        </p>
      ) : (
        <ul className="@container divide-y">
          {host.users.map((user) => (
            <UserLine key={user.id} host={host} user={user} now={now} onChange={canAssign ? change : null} />
          ))}
        </ul>
      )}
      {/* The card's, not the line's: a line that somebody else takes away leaves the dialog, which then says so. */}
      {changed === null ? null : (
        <AssignDialog host={host} user={changed} open={isChanging} onOpenChange={setChanging} />
      )}
    </FactCard>
  );
}

/** What two clocks may differ by, in seconds: an assignment that began this moment has begun. */
const CLOCK_SLACK = 60;

type UserLineProps = {
  host: Host;
  user: HostUser;
  now: number;
  /** Opens the dialog that changes the period; null for those who only read. */
  onChange: ((user: HostUser) => void) | null;
};

function UserLine({ host, user, now, onChange }: UserLineProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <Avatar name={user.name} />
      <PersonName person={user} className="flex-1" />
      {/* Below the name where the card, not the screen, is narrow: beside the host list it is so at 1024 as well. */}
      <div className="flex flex-wrap items-center gap-2 text-sm tabular-nums @max-xl:order-last @max-xl:basis-full @max-xl:pl-11">
        <span className="text-muted-foreground">
          {formatDate(user.assignedAt)} 至{" "}
          <span className="text-foreground">{formatDate(user.assignedExpireTime)}</span>
        </span>
        {user.assignedAt > currentSeconds() + CLOCK_SLACK ? (
          <Badge tone="info">未生效</Badge>
        ) : (
          <ExpiryBadge expiry={user.assignedExpireTime} now={now} />
        )}
      </div>
      {onChange === null ? null : <UserMenu host={host} user={user} onChange={() => onChange(user)} />}
    </li>
  );
}

function UserMenu({ host, user, onChange }: { host: Host; user: HostUser; onChange: () => void }) {
  const { unassign, confirmDialog } = useUnassign();
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button variant="ghost" size="sm" icon aria-label={`对 ${user.name} 的操作`}>
            <Ellipsis aria-hidden="true" />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          <DropdownMenuItem
            icon={<CalendarClock aria-hidden="true" />}
            disabled={host.goneAt !== null}
            onSelect={onChange}
          >
            修改有效期
          </DropdownMenuItem>
          <DropdownMenuItem tone="danger" icon={<UserMinus aria-hidden="true" />} onSelect={() => unassign(host, user)}>
            取消分配
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      {confirmDialog}
    </>
  );
}
