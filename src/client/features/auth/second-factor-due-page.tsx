import { ROLE_LABELS } from "@shared/roles.ts";
import { useState } from "react";
import { trpc } from "@/api/trpc";
import { ConfirmKept } from "@/components/confirm-kept";
import { RecoveryCodes } from "@/components/second-factor/recovery-codes";
import { SetUpSteps } from "@/components/second-factor/set-up-steps";
import { Button } from "@/components/ui/button";
import { useCurrentUser, useSession } from "@/session/session";
import { AuthScreen } from "./auth-screen";

/** How often it is asked whether the second factor is still required. */
const REFETCH_MS = 15_000;

type SecondFactorDuePageProps = {
  /** A secret was made: the page stays until `onDone`, whatever the server says meanwhile. */
  onBegin: () => void;
  onDone: () => void;
};

/** The only screen of a user whose role must have a second factor, until it is on. */
export function SecondFactorDuePage({ onBegin, onDone }: SecondFactorDuePageProps) {
  const user = useCurrentUser();
  const { logout } = useSession();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  // Without the stream nothing tells that a super admin takes the rule back.
  trpc.auth.me.useQuery(undefined, { refetchInterval: REFETCH_MS });

  if (codes !== null) {
    return (
      <AuthScreen title="保存恢复码" description="两步验证已开启。">
        <div className="grid gap-4">
          <RecoveryCodes codes={codes} username={user.username} />
          <ConfirmKept doneLabel="进入系统" onDone={onDone} />
        </div>
      </AuthScreen>
    );
  }

  return (
    <AuthScreen
      title="开启两步验证"
      description={`${user.name}，${ROLE_LABELS[user.role]}必须使用两步验证，请先开启。`}
    >
      <SetUpSteps username={user.username} size="lg" onBegin={onBegin} onEnabled={setCodes} />
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
