import { ROLE_LABELS, ROLES, type Role } from "@shared/roles.ts";
import { Link } from "wouter";
import { toastActError } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { QueryError } from "@/components/error-state";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { SwitchField } from "@/components/ui/switch";
import { formatNumber } from "@/lib/format-number";
import { lazyDialog } from "@/lib/lazy";
import { notify } from "@/lib/notify";
import { useDialog } from "@/lib/use-dialog";
import { useCurrentUser } from "@/session/session";
import { useUsersWithout } from "./use-users-without";

const RequireDialog = lazyDialog(() => import("./require-dialog").then((m) => m.RequireDialog));

const UPDATE_FAILED = "更新安全设置失败";

/** Which roles must use a second factor. */
export function SecurityCard() {
  const settings = useSecuritySettings();
  return (
    <Card className="max-w-3xl">
      <CardHeader>
        <CardTitle>安全</CardTitle>
        <CardDescription>
          必须使用两步验证的角色。没有开启的用户下次操作前要先开启，此前不能使用其他功能。
        </CardDescription>
      </CardHeader>
      <CardContent>
        <RoleSettings settings={settings} />
      </CardContent>
    </Card>
  );
}

function useSecuritySettings() {
  return trpc.securitySettings.get.useQuery();
}

type RoleSettingsProps = { settings: ReturnType<typeof useSecuritySettings> };

function RoleSettings({ settings }: RoleSettingsProps) {
  const utils = trpc.useUtils();
  const { show, dialog } = useDialog<"require", Role>();
  const update = trpc.securitySettings.update.useMutation({
    onSuccess(saved) {
      utils.securitySettings.get.setData(undefined, saved);
      notify.success("安全设置更新成功");
    },
  });
  const requiring = dialog("require");

  if (settings.data === undefined) {
    if (settings.isError) return <QueryError query={settings} className="py-8" />;
    return (
      <div role="status">
        <span className="sr-only">加载中...</span>
        <Skeleton className="h-40" />
      </div>
    );
  }

  const required = settings.data.secondFactorRequiredRoles;

  function change(role: Role, isRequired: boolean): void {
    if (update.isPending) return;

    if (isRequired) {
      show("require", role);
      return;
    }
    const others = required.filter((one) => one !== role);
    update.mutate(
      { secondFactorRequiredRoles: others },
      { onError: (error) => toastActError(UPDATE_FAILED, error, { id: UPDATE_FAILED }) },
    );
  }

  return (
    <div className="grid gap-4">
      {ROLES.map((role) => (
        <RoleSwitch
          key={role}
          role={role}
          isRequired={required.includes(role)}
          isSaving={update.isPending}
          onChange={(isRequired) => change(role, isRequired)}
        />
      ))}
      {requiring && (
        <RequireDialog
          {...requiring}
          errorTitle={UPDATE_FAILED}
          onConfirm={() =>
            update.mutateAsync({ secondFactorRequiredRoles: [...required, requiring.subject] })
          }
        />
      )}
    </div>
  );
}

type RoleSwitchProps = {
  role: Role;
  isRequired: boolean;
  isSaving: boolean;
  onChange: (isRequired: boolean) => void;
};

function RoleSwitch({ role, isRequired, isSaving, onChange }: RoleSwitchProps) {
  const user = useCurrentUser();
  const lacksOwn = role === user.role && user.secondFactorEnabled !== true;
  const without = useUsersWithout(role);

  return (
    <SwitchField
      label={ROLE_LABELS[role]}
      description={
        lacksOwn ? (
          <span>
            您自己还没有开启两步验证，请先在
            <Link href="/account" className="rounded-sm text-primary-ink underline">
              个人设置
            </Link>
            中开启。
          </span>
        ) : (
          withoutText(without)
        )
      }
      checked={isRequired}
      disabled={lacksOwn && !isRequired}
      aria-busy={isSaving}
      onCheckedChange={onChange}
    />
  );
}

function withoutText(count: number | undefined): string {
  if (count === undefined) return "…";
  return count === 0 ? "启用的用户都已开启两步验证" : `${formatNumber(count)} 人没有开启两步验证`;
}
