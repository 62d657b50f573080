import type { CreatedApiToken } from "@shared/api-tokens.ts";
import { CopyableText, CopyButton } from "@/components/copyable-text";
import { KeptDialog } from "@/components/kept-dialog";
import { Alert } from "@/components/ui/alert";

type CreatedTokenDialogProps = {
  /** Null while there is none to show. */
  created: CreatedApiToken | null;
  onClose: () => void;
};

export function CreatedTokenDialog({ created, onClose }: CreatedTokenDialogProps) {
  return (
    <KeptDialog
      open={created !== null}
      size="md"
      title="新的 API 令牌"
      description={created?.name}
      noun="令牌"
      onDone={onClose}
    >
      {created === null ? null : (
        <>
          <div className="rounded-md border bg-muted px-3 py-2">
            <CopyableText
              text={created.token}
              label="API 令牌"
              className="gap-2 [&>span]:break-all [&>span]:whitespace-normal"
            />
          </div>
          <Alert tone="warning">
            令牌只显示这一次，请立即复制到使用它的程序中。丢失后只能撤销并新建。
          </Alert>
          <ExampleCall token={created.token} />
        </>
      )}
    </KeptDialog>
  );
}

function ExampleCall({ token }: { token: string }) {
  const command = `curl -H "Authorization: Bearer ${token}" "${location.origin}/api/hosts"`;
  return (
    <div>
      <p className="flex items-center gap-1 text-sm text-muted-foreground">
        调用示例：列出主机
        <CopyButton text={command} label="调用示例" />
      </p>
      <p className="mt-1 rounded-md border bg-muted px-3 py-2 font-mono text-xs break-all">
        {command}
      </p>
    </div>
  );
}
