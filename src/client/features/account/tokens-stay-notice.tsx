import type { ApiToken } from "@shared/api-tokens.ts";
import { useState } from "react";
import { trpc } from "@/api/trpc";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { notify } from "@/lib/notify";
import { useNow } from "@/lib/use-now";

/** Beside the form of the password, which changes nothing about API tokens. */
export function TokensStayNotice() {
  const { data: tokens = [] } = trpc.auth.tokens.useQuery();
  const now = useNow();
  const live = tokens.filter(({ expiresAt }) => expiresAt > now);
  const [isAsking, setAsking] = useState(false);
  const revokeAll = useRevokeAll();
  if (live.length === 0) return null;

  return (
    <>
      <Alert>
        修改密码后，{live.length} 个有效的 API 令牌仍可使用。
        <Button variant="outline" size="sm" className="mt-2 flex" onClick={() => setAsking(true)}>
          撤销全部令牌
        </Button>
      </Alert>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="撤销全部 API 令牌"
        description={
          <>
            确定撤销 <strong>{live.length} 个 API 令牌</strong>
            ？使用它们的程序立即无法访问，此操作无法撤回。
          </>
        }
        confirmLabel="撤销全部令牌"
        errorTitle="撤销失败"
        onConfirm={() => revokeAll(live)}
      />
    </>
  );
}

function useRevokeAll(): (tokens: readonly ApiToken[]) => Promise<void> {
  const revoke = trpc.auth.revokeToken.useMutation();
  return async (tokens) => {
    for (const { id } of tokens) await revoke.mutateAsync({ id });
    notify.success("API 令牌已全部撤销");
  };
}
