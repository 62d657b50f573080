import { isSuperAdmin, ROLE_LABELS } from "@shared/roles.ts";
import type { User } from "@shared/users.ts";
import { useIsMutating } from "@tanstack/react-query";
import { getMutationKey } from "@trpc/react-query";
import { Link, useLocation, useParams } from "wouter";
import { trpc } from "@/api/trpc";
import { UserAuditLinks } from "@/components/audit/audit-link";
import { EmailLink, PhoneLink } from "@/components/contact-links";
import { DescriptionList } from "@/components/description-list";
import { isMissing, QueryError } from "@/components/error-state";
import { NoteBlock } from "@/components/notes/note-block";
import { PageHeader } from "@/components/page-header";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { formatDateTime } from "@/lib/format";
import { useDialog } from "@/lib/use-dialog";
import { useCurrentUser } from "@/session/session";
import { UserActions } from "./user-actions";
import { type UserAction, UserDialogs } from "./user-dialogs";
import { UserHosts } from "./user-hosts";
import { UserAssignments, UserRenewals } from "./user-lists";
import { UserStatus } from "./user-rows";
import { UserTokens } from "./user-tokens";

/** One user: profile and, for a client, hosts to act on, requests and everything ever assigned. */
export function UserPage() {
  const { id = "" } = useParams();
  const user = useUser(id);
  // Who deletes the user here leaves the page; until then it stays as it is.
  const isDeleting = useIsMutating({ mutationKey: getMutationKey(trpc.users.delete) }) > 0;
  const wasDeleted = isMissing(user.error) && !isDeleting;

  if (user.data === undefined || wasDeleted) return <NoUser user={user} />;
  return <UserDetails key={id} user={user.data} />;
}

function useUser(id: string) {
  return trpc.users.get.useQuery({ id });
}

/** While the user loads, and when there is none to be seen. */
function NoUser({ user }: { user: ReturnType<typeof useUser> }) {
  const isSuper = isSuperAdmin(useCurrentUser().role);
  const back = (
    <Button variant="outline" asChild>
      {isSuper ? (
        <Link href="/users">返回用户列表</Link>
      ) : (
        <Link href="/my-clients">返回我的用户</Link>
      )}
    </Button>
  );

  return (
    <div className="grid gap-6">
      <PageHeader title="用户" />
      <Card>
        {user.isError ? (
          <QueryError query={user} missing={{ title: "看不到这个用户", action: back }} />
        ) : (
          <Skeleton className="m-4 h-60" />
        )}
      </Card>
    </div>
  );
}

function UserDetails({ user }: { user: User }) {
  const isSuper = isSuperAdmin(useCurrentUser().role);
  const [, navigate] = useLocation();
  const { show, dialog } = useDialog<UserAction, User>();
  const isClient = user.role === "client";

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader
        title={user.name}
        description={`@${user.username} · ${ROLE_LABELS[user.role]}`}
        aside={
          <>
            <UserStatus user={user} />
            {user.secondFactorEnabled ? <Badge tone="success">两步验证</Badge> : null}
          </>
        }
        actions={
          isSuper ? (
            <>
              <UserAuditLinks userId={user.id} />
              <UserActions user={user} onAct={show} hasLeaveButton />
            </>
          ) : null
        }
      />
      <Card>
        <CardHeader>
          <CardTitle>联系人</CardTitle>
        </CardHeader>
        <CardContent className="py-2">
          <DescriptionList
            className="sm:grid-cols-2"
            items={[
              { label: "手机号", value: <PhoneLink phone={user.phone} /> },
              { label: "邮箱", value: <EmailLink email={user.email} /> },
              ...(isClient
                ? [{ label: "负责管理员", value: user.admin?.name ?? "未分配管理员" }]
                : []),
              { label: "创建时间", value: formatDateTime(user.createdAt) },
            ]}
          />
        </CardContent>
      </Card>
      {user.note === null ? null : <NoteBlock text={user.note} />}
      {isSuper ? <UserTokens user={user} /> : null}
      {isClient ? (
        <>
          <UserHosts user={user} />
          <UserRenewals userId={user.id} />
          <UserAssignments userId={user.id} />
        </>
      ) : null}
      <UserDialogs dialog={dialog} onDeleted={() => navigate("/users")} />
    </div>
  );
}
