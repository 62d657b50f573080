import { type ApiToken, TOKEN_SCOPE_LABELS } from "@shared/api-tokens.ts";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { type FailedQuery, QueryError } from "@/components/error-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { formatAgo, formatDateTime, formatExpiry } from "@/lib/format";
import { notify } from "@/lib/notify";
import { useDialog } from "@/lib/use-dialog";
import { useNow } from "@/lib/use-now";

type TokenListProps = {
  tokens: FailedQuery & { data: readonly ApiToken[] | undefined; isError: boolean };
  /** Rejects when it failed, which the dialog says. */
  revoke: (token: ApiToken) => Promise<unknown>;
};

/** API tokens with what they may do, until when, and where they were last used. */
export function TokenList({ tokens, revoke }: TokenListProps) {
  const { show, dialog } = useDialog<"revoke", ApiToken>();
  const revoking = dialog("revoke");

  return (
    <>
      <TokenRows tokens={tokens} onRevoke={(token) => show("revoke", token)} />
      {revoking && (
        <ConfirmDialog
          {...revoking}
          title="撤销 API 令牌"
          description={
            <>
              确定撤销 <strong>{revoking.subject.name}</strong>（…{revoking.subject.hint}
              ）？使用它的程序立即无法访问，此操作无法撤回。
            </>
          }
          confirmLabel="撤销令牌"
          errorTitle="撤销失败"
          onConfirm={async () => {
            await revoke(revoking.subject);
            notify.success("API 令牌已撤销", { message: revoking.subject.name });
          }}
        />
      )}
    </>
  );
}

type TokenRowsProps = Pick<TokenListProps, "tokens"> & { onRevoke: (token: ApiToken) => void };

function TokenRows({ tokens, onRevoke }: TokenRowsProps) {
  if (tokens.data === undefined) {
    if (tokens.isError) return <QueryError query={tokens} className="py-8" />;
    return (
      <div role="status">
        <span className="sr-only">加载中...</span>
        <Skeleton className="h-20" />
      </div>
    );
  }

  if (tokens.data.length === 0) {
    return <p className="py-1 text-sm text-muted-foreground">没有 API 令牌</p>;
  }

  return (
    <ul aria-label="API 令牌">
      {tokens.data.map((token) => (
        <TokenRow key={token.id} token={token} onRevoke={() => onRevoke(token)} />
      ))}
    </ul>
  );
}

function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { name, hint, scope, expiresAt } = token;
  const now = useNow();
  const isExpired = expiresAt <= now;

  return (
    <li className="flex items-start gap-3 border-b py-2.5 first:pt-0 last:border-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{name}</span>
          <span className="font-mono text-xs text-muted-foreground">…{hint}</span>
          <Badge tone={scope === "full" ? "warning" : "neutral"}>{TOKEN_SCOPE_LABELS[scope]}</Badge>
          {isExpired ? <Badge tone="danger">已过期</Badge> : null}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-muted-foreground">
          <span className="tabular-nums" title={formatDateTime(expiresAt)}>
            到期 {formatExpiry(expiresAt, now)}
          </span>
          <LastUse token={token} now={now} />
        </p>
        <p className="text-sm text-muted-foreground [overflow-wrap:anywhere]">
          {addressesText(token)}
        </p>
      </div>
      <Button
        variant="outline"
        size="sm"
        aria-label={`撤销令牌 ${name}（…${hint}）`}
        onClick={onRevoke}
      >
        撤销
      </Button>
    </li>
  );
}

function LastUse({ token, now }: { token: ApiToken; now: number }) {
  const { lastUsedAt, lastUsedAddress } = token;
  if (lastUsedAt === null) return <span>从未使用</span>;
  return (
    <span title={formatDateTime(lastUsedAt)}>
      最近使用 {formatAgo(lastUsedAt, now)}
      {lastUsedAddress === null ? null : (
        <span className="ml-1.5 font-mono text-xs [overflow-wrap:anywhere]">{lastUsedAddress}</span>
      )}
    </span>
  );
}

function addressesText({ allowedAddresses }: ApiToken): string {
  if (allowedAddresses.length === 0) return "可从任何地址使用";
  return `只能从 ${allowedAddresses.join("、")} 使用`;
}
