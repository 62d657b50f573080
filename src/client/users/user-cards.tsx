import type { User } from "@shared/users.ts";
import { Card, CardContent, CardFooter } from "@/components/ui/card";
import { DescriptionList } from "@/components/ui/description-list";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { formatDate } from "@/lib/format";
import type { UserTasks } from "./use-user-tasks";
import { UserActions } from "./user-actions";
import { RoleCell, StatusCell, UserName } from "./user-facts";
import type { UserRowsProps } from "./user-table";

/** The table's columns, one user under the other. */
export function UserCards({ users, ownId, tasks, isStale, empty }: UserRowsProps) {
  if (users === undefined) return <CardsSkeleton />;
  if (users.length === 0) return <Card>{empty}</Card>;
  return (
    <ul
      aria-label="用户列表"
      aria-busy={isStale}
      className={cn("grid gap-3 transition-opacity sm:grid-cols-2", isStale && "opacity-55")}
    >
      {users.map((user) => (
        <li key={user.id} className="grid min-w-0">
          <UserCard user={user} isSelf={user.id === ownId} tasks={tasks} />
        </li>
      ))}
    </ul>
  );
}

function UserCard({ user, isSelf, tasks }: { user: User; isSelf: boolean; tasks: UserTasks }) {
  return (
    <Card>
      <CardContent className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 pb-2">
        <div className="flex items-start justify-between gap-3">
          <UserName user={user} isSelf={isSelf} />
          <StatusCell user={user} />
        </div>
        <RoleCell user={user} />
        <DescriptionList
          items={[
            { label: "邮箱", value: user.email },
            { label: "手机号", value: user.phone === null ? null : <span className="tabular-nums">{user.phone}</span> },
            { label: "创建时间", value: <span className="tabular-nums">{formatDate(user.createdAt)}</span> },
          ]}
        />
      </CardContent>
      <CardFooter>
        <UserActions user={user} isSelf={isSelf} tasks={tasks} look="words" />
      </CardFooter>
    </Card>
  );
}

function CardsSkeleton() {
  return (
    <div role="status" className="grid gap-3 sm:grid-cols-2">
      <span className="sr-only">加载中...</span>
      {["a", "b", "c"].map((key) => (
        <Card key={key} className="gap-3 p-4">
          <div className="flex items-center gap-3">
            <Skeleton className="size-8 rounded-full" />
            <Skeleton className="h-5 w-32" />
          </div>
          <Skeleton className="h-5 w-20" />
          <Skeleton className="h-24 w-full" />
          <Skeleton className="h-8.5 w-full" />
        </Card>
      ))}
    </div>
  );
}
