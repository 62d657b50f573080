import type { CurrentUser } from "@shared/users.ts";
import { useState } from "react";
import { RecoveryCodesDialog } from "@/components/second-factor/recovery-codes-dialog";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import {
  Card,
  CardAction,
  CardContent,
  CardDescription,
  CardHeader,
  CardTitle,
} from "@/components/ui/card";
import { lazyDialog } from "@/lib/lazy";
import { useDialog } from "@/lib/use-dialog";

const SetUpDialog = lazyDialog(() => import("./set-up-dialog").then((m) => m.SetUpDialog));
const RenewCodesDialog = lazyDialog(() =>
  import("./renew-codes-dialog").then((m) => m.RenewCodesDialog),
);
const DisableDialog = lazyDialog(() => import("./disable-dialog").then((m) => m.DisableDialog));

type ShownCodes = { codes: readonly string[]; isStep: boolean };

/** Whether the own sign-in needs a code beside the password. */
export function SecondFactorCard({ user }: { user: CurrentUser }) {
  const { show, dialog } = useDialog<"setUp" | "renew" | "disable", CurrentUser>();
  const [shown, setShown] = useState<ShownCodes | null>(null);
  const setUp = dialog("setUp");
  const renewal = dialog("renew");
  const disabling = dialog("disable");
  const isOn = user.secondFactorEnabled === true;

  return (
    <Card>
      <CardHeader>
        <CardTitle>两步验证</CardTitle>
        <CardDescription>登录时除密码外，还要输入手机上验证器的验证码。</CardDescription>
        <CardAction>
          <Badge tone={isOn ? "success" : "neutral"}>{isOn ? "已开启" : "未开启"}</Badge>
        </CardAction>
      </CardHeader>
      <CardContent className="flex flex-wrap gap-2">
        {isOn ? (
          <>
            <Button variant="outline" onClick={() => show("renew", user)}>
              重新生成恢复码
            </Button>
            <Button variant="outline" onClick={() => show("disable", user)}>
              关闭两步验证
            </Button>
          </>
        ) : (
          <Button onClick={() => show("setUp", user)}>开启两步验证</Button>
        )}
      </CardContent>
      {setUp && <SetUpDialog {...setUp} onEnabled={(codes) => setShown({ codes, isStep: true })} />}
      {renewal && (
        <RenewCodesDialog {...renewal} onRenewed={(codes) => setShown({ codes, isStep: false })} />
      )}
      {disabling && <DisableDialog {...disabling} />}
      <RecoveryCodesDialog
        codes={shown?.codes ?? null}
        isStep={shown?.isStep ?? false}
        username={user.username}
        onClose={() => setShown(null)}
      />
    </Card>
  );
}
