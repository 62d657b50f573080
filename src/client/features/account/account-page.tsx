import { isSuperAdmin, ROLE_LABELS } from "@shared/roles.ts";
import type { ResponsibleAdmin, User } from "@shared/users.ts";
import { useAdminContact } from "@/components/admin-contact";
import { ChangePasswordForm } from "@/components/change-password-form";
import { EmailLink, PhoneLink } from "@/components/contact-links";
import { DescriptionList } from "@/components/description-list";
import { PageHeader } from "@/components/page-header";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { formatDate } from "@/lib/format";
import { useCurrentUser } from "@/session/session";
import { ActivityCard } from "./activity-card";
import { ApiTokensCard } from "./api-tokens-card";
import { EmailNoticesCard } from "./email-notices-card";
import { SecondFactorCard } from "./second-factor-card";
import { SessionsCard } from "./sessions-card";
import { ShortcutsCard } from "./shortcuts-card";
import { TokensStayNotice } from "./tokens-stay-notice";

export function AccountPage() {
  const user = useCurrentUser();
  return (
    <div className="grid gap-5">
      <PageHeader
        title="个人设置"
        description="自己的账号信息、密码、两步验证、API 令牌与登录会话"
      />
      {/* Two columns of cards, each as high as it needs to be. */}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <ProfileCard user={user} />
          <EmailNoticesCard user={user} />
          <ShortcutsCard />
          <SessionsCard />
          <ActivityCard />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <PasswordCard username={user.username} />
          <SecondFactorCard user={user} />
          <ApiTokensCard />
        </div>
      </div>
    </div>
  );
}

function PasswordCard({ username }: { username: string }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>修改密码</CardTitle>
        <CardDescription>修改后，其他设备上的登录会全部退出。</CardDescription>
      </CardHeader>
      <CardContent className="grid gap-4">
        <TokensStayNotice />
        <ChangePasswordForm username={username} submitLabel="修改密码" />
      </CardContent>
    </Card>
  );
}

function ProfileCard({ user }: { user: User }) {
  const admin = useAdminContact();
  return (
    <Card>
      <CardContent className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="flex items-center gap-3">
          <Avatar name={user.name} size="lg" />
          <div className="min-w-0">
            <h2 className="truncate text-lg font-semibold">{user.name}</h2>
            <p className="truncate text-sm text-muted-foreground">{user.username}</p>
          </div>
          <Badge tone="accent" className="ml-auto">
            {ROLE_LABELS[user.role]}
          </Badge>
        </div>
        <DescriptionList
          items={[
            { label: "邮箱", value: user.email },
            { label: "手机号", value: user.phone },
            ...(user.role === "client" ? adminItems(admin) : []),
            { label: "创建时间", value: formatDate(user.createdAt) },
          ]}
        />
        <p className="text-xs text-muted-foreground">
          {isSuperAdmin(user.role)
            ? "如需修改姓名、邮箱或手机号，可在用户管理中编辑自己的账号。"
            : "如需修改姓名、邮箱或手机号，请联系系统管理员。"}
        </p>
      </CardContent>
    </Card>
  );
}

/** A client's responsible admin, and how to reach this person. */
function adminItems(admin: ResponsibleAdmin | null) {
  if (admin === null) return [{ label: "负责管理员", value: "未分配管理员" }];
  return [
    { label: "负责管理员", value: admin.name },
    { label: "管理员手机号", value: <PhoneLink phone={admin.phone} /> },
    { label: "管理员邮箱", value: <EmailLink email={admin.email} /> },
  ];
}
