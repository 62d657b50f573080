import { ROLE_LABELS, type Role } from "@shared/roles.ts";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { formatNumber } from "@/lib/format-number";
import type { DialogState } from "@/lib/use-dialog";
import { useUsersWithout } from "./use-users-without";

type RequireDialogProps = DialogState<Role> & {
  errorTitle: string;
  onConfirm: () => Promise<unknown>;
};

/** Says what requiring a second factor of a role will do. */
export function RequireDialog({ subject: role, ...dialog }: RequireDialogProps) {
  const label = ROLE_LABELS[role];
  const affected = useUsersWithout(role);

  return (
    <ConfirmDialog
      {...dialog}
      title={`要求${label}使用两步验证`}
      description={
        <>
          <strong>{consequence(label, affected)}</strong>
          在此之前，包括已经登录的会话和 API 令牌在内，只能设置两步验证、修改密码和退出登录。
        </>
      }
      confirmLabel="要求使用"
      tone="warning"
    />
  );
}

function consequence(label: string, count: number | undefined): string {
  if (count === undefined) return `没有开启的${label}下次操作前需要设置。`;
  if (count === 0) return `所有启用的${label}都已开启，没有人受影响。`;
  return `${formatNumber(count)} 名${label}下次操作前需要设置。`;
}
