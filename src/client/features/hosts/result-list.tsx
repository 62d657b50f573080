import type { Host } from "@shared/hosts.ts";
import { CircleCheck, CircleX } from "lucide-react";
import { hostTitle } from "./host-facts";

/** What became of one item of a batch, a host or a request for one, by its `id`. */
export type Result = { id: string; host: Pick<Host, "name" | "ucloudId">; ok: boolean; message: string | undefined };

export function ResultList({ label, lines }: { label: string; lines: readonly Result[] }) {
  return (
    <ul aria-label={label} className="divide-y rounded-md border">
      {lines.map((line) => (
        <ResultLine key={line.id} line={line} />
      ))}
    </ul>
  );
}

function ResultLine({ line: { host, ok, message } }: { line: Result }) {
  const Icon = ok ? CircleCheck : CircleX;
  return (
    <li className="flex items-start gap-2.5 px-3 py-2 text-sm">
      <Icon aria-hidden="true" className={ok ? "mt-0.5 size-4 text-success-ink" : "mt-0.5 size-4 text-danger-ink"} />
      <span className="min-w-0 flex-1">
        <span className="block truncate">
          <span className="font-medium">{hostTitle(host)}</span>{" "}
          <span className="font-mono text-xs text-muted-foreground">{host.ucloudId}</span>
        </span>
        {message ? <span className="block text-muted-foreground [overflow-wrap:anywhere]">{message}</span> : null}
      </span>
      <span className={ok ? "text-success-ink" : "text-danger-ink"}>{ok ? "成功" : "失败"}</span>
    </li>
  );
}
