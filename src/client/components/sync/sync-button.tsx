import { ChevronDown, KeyRound, Layers, LoaderCircle, RefreshCw } from "lucide-react";
import { navigate } from "wouter/use-browser-location";
import { errorMessage } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { Button, type ButtonProps } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { useStartSync, useSyncRuns } from "./use-sync";

/** 同步主机, for all configurations or one of them. For super admins only. */
export function SyncButton({ variant = "primary" }: Pick<ButtonProps, "variant">) {
  const { live } = useSyncRuns();
  const { start, isStarting } = useStartSync();
  const isWorking = live.length > 0;

  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant={variant} loading={isStarting}>
          {isWorking ? <LoaderCircle className="animate-spin" /> : <RefreshCw />}
          {isWorking ? "同步中" : "同步主机"}
          <ChevronDown className="opacity-70" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent className="w-64">
        <SyncChoices onChoose={start} />
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function SyncChoices({ onChoose }: { onChoose: (configId?: string) => void }) {
  const configs = trpc.configs.list.useQuery();
  const { live } = useSyncRuns();
  const busy = live.map(({ configId }) => configId);
  if (configs.isPending) return <DropdownMenuLabel>加载中...</DropdownMenuLabel>;
  if (configs.isError) {
    return <DropdownMenuLabel>加载失败：{errorMessage(configs.error)}</DropdownMenuLabel>;
  }
  const active = configs.data.filter(({ isActive }) => isActive);
  if (active.length === 0) {
    return (
      <>
        <DropdownMenuLabel>没有启用的云账号</DropdownMenuLabel>
        <DropdownMenuItem icon={<KeyRound />} onSelect={() => navigate("/configs")}>
          前往配置管理
        </DropdownMenuItem>
      </>
    );
  }

  return (
    <>
      <DropdownMenuItem
        icon={<Layers />}
        trailing={`${active.length} 个`}
        disabled={active.every(({ id }) => busy.includes(id))}
        onSelect={() => onChoose()}
      >
        全部云账号
      </DropdownMenuItem>
      <DropdownMenuSeparator />
      <DropdownMenuLabel>按云账号同步</DropdownMenuLabel>
      {active.map(({ id, name, isDefault }) => {
        const isBusy = busy.includes(id);
        const idleLabel = isDefault ? "默认" : undefined;

        return (
          <DropdownMenuItem
            key={id}
            disabled={isBusy}
            trailing={isBusy ? "同步中" : idleLabel}
            onSelect={() => onChoose(id)}
          >
            <span className="block truncate">{name}</span>
          </DropdownMenuItem>
        );
      })}
    </>
  );
}
