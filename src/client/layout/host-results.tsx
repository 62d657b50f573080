import { HOST_STATUS_LABELS, type Host } from "@shared/hosts.ts";
import { ListFilter, Server } from "lucide-react";
import { CommandGroup, CommandItem } from "@/components/ui/command";

type HostResultsProps = {
  /** Undefined while the first answer is on its way. */
  hosts: readonly Host[] | undefined;
  total: number;
  failure: string | null;
  /** They are of another search. */
  isStale: boolean;
  onOpen: (host: Host) => void;
  onOpenAll: () => void;
};

/** What the server found for the text in the command palette. */
export function HostResults({ hosts, total, failure, isStale, onOpen, onOpenAll }: HostResultsProps) {
  if (failure !== null) {
    return <p className="px-2 py-2 text-sm text-danger-ink">主机查找失败：{failure}</p>;
  }
  if (hosts === undefined || hosts.length === 0) return null;
  return (
    // Its entries are new ones once they may be chosen: only then does the palette look for the first of them.
    <CommandGroup key={String(isStale)} heading="主机">
      {hosts.map((host) => (
        <CommandItem
          key={host.id}
          value={host.id}
          disabled={isStale}
          icon={<Server aria-hidden="true" />}
          trailing={HOST_STATUS_LABELS[host.status]}
          onSelect={() => onOpen(host)}
        >
          {host.name} <span className="ml-1 font-mono text-xs text-muted-foreground">{host.ucloudId}</span>
        </CommandItem>
      ))}
      {total > hosts.length ? (
        <CommandItem value="hosts:all" disabled={isStale} icon={<ListFilter aria-hidden="true" />} onSelect={onOpenAll}>
          查看全部 {total} 台匹配的主机
        </CommandItem>
      ) : null}
    </CommandGroup>
  );
}
