import { isSuperAdmin, ROLE_LABELS } from "@shared/roles.ts";
import type { User } from "@shared/users.ts";
import { useLocation, useParams } from "wouter";
import { errorMessage } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { DescriptionList } from "@/components/description-list";
import { ErrorState } from "@/components/error-state";
import { PageHeader } from "@/components/page-header";
import { Card, CardContent } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { formatDateTime } from "@/lib/format";
import { useDialog } from "@/lib/use-dialog";
import { useCurrentUser } from "@/session/session";
import { DeleteUserDialog, ResetPasswordDialog, type UserAction, UserActions } from "./user-actions";
import { EditUserDialog } from "./user-dialogs";
import { UserAssignments, UserHosts, UserRenewals } from "./user-lists";
import { UserStatus } from "./user-rows";

/** One user: profile and, for a client, hosts, requests and everything ever assigned. */
export function UserPage() {
  const { id = "" } = useParams();
  const user = trpc.users.get.useQuery({ id });
  if (user.data === undefined) {
    return (
      <Card>
        {user.isError ? (
          <ErrorState message={errorMessage(user.error)} onRetry={() => user.refetch()} isRetrying={user.isFetching} />
        ) : (
          <CardContent>
            <Skeleton className="h-60" />
          </CardContent>
        )}
      </Card>
    );
  }
  return <UserDetails key={id} user={user.data} />;
}

function UserDetails({ user }: { user: User }) {
  const isOperator = isSuperAdmin(useCurrentUser().role);
  const [, navigate] = useLocation();
  const { show, dialog } = useDialog<UserAction, User>();
  const [edit, reset, removal] = [dialog("edit"), dialog("resetPassword"), dialog("delete")];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader
        title={user.name}
        description={`@${user.username} · ${ROLE_LABELS[user.role]}`}
        aside={<UserStatus user={user} />}
        actions={isOperator ? <UserActions user={user} onAct={show} variant="words" /> : null}
      />
      <Profile user={user} />
      {user.role === "client" ? (
        <>
          <UserHosts user={user} />
          <UserRenewals user={user} />
          <UserAssignments user={user} />
        </>
      ) : null}
      {edit === null ? null : <EditUserDialog {...edit} />}
      {reset === null ? null : <ResetPasswordDialog {...reset} />}
      {removal === null ? null : <DeleteUserDialog {...removal} onDeleted={() => navigate("/users")} />}
    </div>
  );
}

function Profile({ user: { email, phone, admin, role, createdAt } }: { user: User }) {
  return (
    <Card>
      <CardContent className="py-2">
        <DescriptionList
          columns={2}
          items={[
            { label: "邮箱", value: email },
            { label: "手机号", value: phone },
            ...(role === "client" ? [{ label: "负责管理员", value: admin?.name ?? "未分配管理员" }] : []),
            { label: "创建时间", value: formatDateTime(createdAt) },
          ]}
        />
      </CardContent>
    </Card>
  );
}
