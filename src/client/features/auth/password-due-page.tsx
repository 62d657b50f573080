import { ChangePasswordForm } from "@/components/change-password-form";
import { Button } from "@/components/ui/button";
import { useCurrentUser, useSession } from "@/session/session";
import { AuthScreen } from "./auth-screen";

/** The only screen of a session whose password was set by a super admin. */
export function PasswordDuePage() {
  const user = useCurrentUser();
  const { logout } = useSession();

  return (
    <AuthScreen
      title="修改密码"
      description={`${user.name}，您正在使用初始密码或重置后的密码，请先设置自己的密码。`}
    >
      <ChangePasswordForm
        username={user.username}
        submitLabel="修改密码并继续"
        size="lg"
        autoFocus
      />
      <Button
        variant="ghost"
        className="mt-2 w-full"
        // The focus stays in the field: its error would move the button from under the mouse.
        onMouseDown={(event) => event.preventDefault()}
        onClick={logout}
      >
        退出登录
      </Button>
    </AuthScreen>
  );
}
