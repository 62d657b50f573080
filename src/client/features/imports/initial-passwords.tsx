import { tabbedText } from "@shared/spreadsheet.ts";
import { Download } from "lucide-react";
import { ConfirmKept } from "@/components/confirm-kept";
import { CopyTextButton } from "@/components/copy-text-button";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { downloadCsv } from "@/lib/download-csv";
import { formatDate } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { serverNow } from "@/lib/server-time";
import { type NewPassword, passwordCells } from "./new-passwords";

/** As many as are drawn; the copy and the file have all of them. */
const SHOWN = 50;

type InitialPasswordsProps = {
  passwords: readonly NewPassword[];
  /** Once the person has said that they are kept. */
  onDone: () => void;
};

/** The passwords of new users, which are shown only here, and the ways to keep them. */
export function InitialPasswords({ passwords, onDone }: InitialPasswordsProps) {
  const rest = passwords.length - SHOWN;

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="text-sm text-muted-foreground">
        {`${formatNumber(passwords.length)} 个新用户的密码是随机生成的，请分别交给他们。首次登录时必须修改。`}
      </p>
      {/* A long list scrolls by keyboard. */}
      <ul
        aria-label="初始密码"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls
        tabIndex={0}
        className="max-h-60 divide-y overflow-y-auto rounded-md border bg-muted text-sm"
      >
        {passwords.slice(0, SHOWN).map(({ username, name, password }) => (
          <li key={username} className="flex flex-wrap items-baseline gap-x-3 px-3 py-1.5">
            <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
            <span className="min-w-0 text-muted-foreground [overflow-wrap:anywhere]">
              {`@${username}`}
            </span>
            <span className="ml-auto font-mono">{password}</span>
          </li>
        ))}
        {rest > 0 ? (
          <li className="px-3 py-1.5 text-muted-foreground">
            {`另有 ${formatNumber(rest)} 个，请复制或下载`}
          </li>
        ) : null}
      </ul>
      <KeepButtons passwords={passwords} />
      <Alert tone="warning">初始密码只显示这一次。丢失后只能逐个重置密码。</Alert>
      <ConfirmKept doneLabel="完成" onDone={onDone} />
    </div>
  );
}

function KeepButtons({ passwords }: Pick<InitialPasswordsProps, "passwords">) {
  const cells = passwordCells(passwords);

  return (
    <div className="flex flex-wrap gap-2 [&>button]:flex-1">
      <CopyTextButton text={tabbedText(cells)} />
      <Button
        variant="outline"
        size="sm"
        onClick={() => void downloadCsv(`初始密码-${formatDate(serverNow())}.csv`, cells)}
      >
        <Download />
        下载
      </Button>
    </div>
  );
}
