import { isSuperAdmin } from "@shared/roles.ts";
import type { CurrentUser } from "@shared/users.ts";
import { trpc } from "@/api/trpc";
import { BreakableAddress } from "@/components/contact-links";
import { Alert } from "@/components/ui/alert";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { SwitchField } from "@/components/ui/switch";
import { notify } from "@/lib/notify";

/** Whether notices also come by e-mail, and where to. */
export function EmailNoticesCard({ user }: { user: CurrentUser }) {
  const utils = trpc.useUtils();
  const update = trpc.auth.updatePreferences.useMutation({
    meta: { errorTitle: "更新邮件通知失败", errorMessage: "更新邮件通知失败，请稍后重试" },
    onSuccess(preferences) {
      utils.auth.me.setData(undefined, (me) => me && { ...me, preferences });
      notify.success(preferences.email ? "已开启邮件通知" : "已关闭邮件通知");
    },
  });
  // The switch follows the click while the call is pending.
  const pending = update.isPending ? update.variables.email : undefined;
  const isOn = pending ?? user.preferences.email;

  return (
    <Card>
      <CardHeader>
        <CardTitle>邮件通知</CardTitle>
      </CardHeader>
      <CardContent className="grid gap-3">
        <SwitchField
          label="把通知也发到我的邮箱"
          description="需要系统已设置邮件渠道。关闭后，收件箱中仍有全部通知。"
          checked={isOn}
          aria-busy={update.isPending}
          onCheckedChange={(email) => {
            if (!update.isPending) update.mutate({ email });
          }}
        />
        {user.email === null ? (
          <Alert tone="warning" title="尚未设置邮箱">
            收不到邮件通知。{howToSetEmail(user)}
          </Alert>
        ) : (
          <SentTo email={isOn ? user.email : null} />
        )}
      </CardContent>
    </Card>
  );
}

/** Null: nothing is sent. */
function SentTo({ email }: { email: string | null }) {
  if (email === null) return null;
  return (
    <p className="text-sm [overflow-wrap:anywhere] text-muted-foreground">
      发送到 <BreakableAddress text={email} />
    </p>
  );
}

function howToSetEmail({ role }: CurrentUser): string {
  return isSuperAdmin(role) ? "可在用户管理中编辑自己的账号。" : "如需设置邮箱，请联系系统管理员。";
}
