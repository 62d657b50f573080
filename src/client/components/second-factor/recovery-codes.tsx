import { Download, Printer } from "lucide-react";
import { CopyTextButton } from "@/components/copy-text-button";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { downloadFile } from "@/lib/download-file";
import { printText } from "@/lib/print-text";
import { StepTitle } from "./step-title";

type RecoveryCodesProps = {
  codes: readonly string[];
  username: string;
  /** The third step of the set-up, not a renewal. */
  isStep?: boolean;
};

/** The codes, which are shown only here, and the ways to keep them. */
export function RecoveryCodes({ codes, username, isStep = true }: RecoveryCodesProps) {
  return (
    <div className="grid gap-4">
      {isStep ? <StepTitle number={3} title="保存恢复码" /> : null}
      <p className="text-sm text-muted-foreground">
        手机丢失时，用一个恢复码代替验证码登录。每个恢复码只能使用一次。
      </p>
      <ul
        aria-label="恢复码"
        className="grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-md border bg-muted px-4 py-3 font-mono text-sm max-[22.5rem]:grid-cols-1"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <KeepButtons text={textOf(codes, username)} username={username} />
      <Alert tone="warning">恢复码只显示这一次，请保存在密码管理器或其他安全的地方。</Alert>
    </div>
  );
}

function KeepButtons({ text, username }: { text: string; username: string }) {
  return (
    <div className="flex flex-wrap gap-2 [&>button]:flex-1">
      <CopyTextButton text={text} />
      <Button
        variant="outline"
        size="sm"
        onClick={() => downloadFile(`恢复码-${username}.txt`, [text], "text/plain;charset=utf-8")}
      >
        <Download />
        下载
      </Button>
      <Button variant="outline" size="sm" onClick={() => printText("恢复码", text)}>
        <Printer />
        打印
      </Button>
    </div>
  );
}

function textOf(codes: readonly string[], username: string): string {
  return [`多主机管理系统 恢复码（用户名 ${username}）`, "", ...codes, ""].join("\n");
}
