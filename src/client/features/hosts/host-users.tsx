import type { Host, HostUser } from "@shared/hosts.ts";
import { isAdmin } from "@shared/roles.ts";
import { CalendarClock, Ellipsis, UserMinus, Users } from "lucide-react";
import { trpc } from "@/api/trpc";
import { CallLink } from "@/components/call-link";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { ExpiryDate } from "@/components/hosts/expiry-date";
import { hostTitle } from "@/components/hosts/host-facts";
import { HostsOfUserLink } from "@/components/hosts/users-cell";
import { PersonName } from "@/components/person-name";
import { useCancelledRequests } from "@/components/renewals/cancelled-requests";
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
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";
import { useNow } from "@/lib/use-now";
import { useCurrentUser } from "@/session/session";
import { FactCard, Note } from "./host-cards";

export type UserAction = "edit" | "unassign";

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
  if (data === undefined) return null;
  if (data.phone === null) return <span className="text-sm text-muted-foreground">无手机号</span>;

  return <CallLink phone={data.phone} />;
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
        <DropdownMenuItem tone="danger" icon={<UserMinus />} onSelect={() => onAct("unassign")}>
          取消分配
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

export function UnassignDialog({
  host,
  subject: user,
  ...dialog
}: DialogState<HostUser> & { host: Host }) {
  const unassign = trpc.hosts.unassign.useMutation({ meta: { errorTitle: "取消失败" } });
  const cancelled = useCancelledRequests([{ user, hosts: [host] }], { enabled: dialog.open });

  return (
    <ConfirmDialog
      {...dialog}
      title="取消分配"
      description={
        <>
          确定取消<strong>“{user.name}”</strong>对主机<strong>“{hostTitle(host)}”</strong>
          {`的使用？取消后该用户将立即看不到这台主机，${cancelled}。`}
        </>
      }
      confirmLabel="取消分配"
      cancelLabel="保留"
      onConfirm={async () => {
        await unassign.mutateAsync({ hostId: host.id, userId: user.id });
        notify.success("已取消分配", { message: `“${user.name}”不再使用“${hostTitle(host)}”` });
      }}
    />
  );
}
