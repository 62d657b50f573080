import type { Config } from "@shared/configs.ts";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { balanceTrouble } from "@/components/sync/balance-text";
import { cn } from "@/lib/cn";
import { formatAgo, formatDateTime, formatYuan } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { useNow } from "@/lib/use-now";
import { Note } from "./note";
import { ConfigInterval } from "./sync-schedule";

/** What a person looks for first: how many hosts, what the account has left, when it is synced. */
export function ConfigNumbers({ config }: { config: Config }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-[1fr_1.3fr_1.3fr]">
      <Item label="主机">
        <HostCountLink config={config} />
        <ChangesLink config={config} />
      </Item>
      <Item label="余额" className="max-sm:col-start-2 max-sm:row-span-2">
        <BalanceText config={config} />
      </Item>
      <Item label="自动同步">
        <ConfigInterval config={config} />
      </Item>
    </dl>
  );
}

type ItemProps = { label: string; className?: string; children: ReactNode };

function Item({ label, className, children }: ItemProps) {
  return (
    <div className={cn("min-w-0", className)}>
      <dt className="text-sm text-muted-foreground">{label}</dt>
      <dd className="[overflow-wrap:anywhere] tabular-nums">{children}</dd>
    </div>
  );
}

function HostCountLink({ config: { id, hostCount } }: { config: Config }) {
  return (
    <Link
      href={`/hosts?configId=${id}`}
      className="inline-block py-0.5 font-medium text-primary-ink hover:underline"
    >
      {formatNumber(hostCount)} 台
    </Link>
  );
}

function ChangesLink({ config: { id, name } }: { config: Config }) {
  return (
    <Link
      href={`/changes?configId=${id}`}
      aria-label={`${name} 的变更`}
      className="ml-3 inline-block py-0.5 text-sm text-muted-foreground hover:text-foreground hover:underline"
    >
      变更
    </Link>
  );
}

/** The last that a run could read. Unknown for a key without the right to it. */
function BalanceText({ config }: { config: Config }) {
  const now = useNow();
  const { balance, lastSuccessAt } = config;
  if (balance === null) {
    return (
      <>
        <span className="block py-0.5 text-muted-foreground">未知</span>
        {lastSuccessAt === null ? null : <Note>密钥可能无权读取余额</Note>}
      </>
    );
  }

  const { available, amount, at } = balance;
  const trouble = balanceTrouble(config);

  return (
    <>
      <span className={cn("block py-0.5 font-medium", trouble === null ? "" : "text-warning-ink")}>
        {formatYuan(available)}
      </span>
      {trouble === null ? null : <Note className="text-warning-ink">{trouble}</Note>}
      {amount === available ? null : <Note>账户余额 {formatYuan(amount)}</Note>}
      <Note title={formatDateTime(at)}>读取于 {formatAgo(at, now)}</Note>
    </>
  );
}
