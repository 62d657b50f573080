import { Eye, EyeOff } from "lucide-react";
import { ErrorState } from "@/components/error-state";
import { PageHeader } from "@/components/page-header";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { SwitchField } from "@/components/ui/switch";
import { useSystemConfig } from "./use-system-config";

export function SystemConfigPage() {
  const config = useSystemConfig();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader title="系统配置" description="对所有用户立即生效" />
      <Card className="max-w-3xl">
        <CardHeader>
          <CardTitle>C端用户可见信息</CardTitle>
        </CardHeader>
        {config.settings !== undefined ? (
          <NetworkInfoSetting
            isShown={config.wanted?.show_network_info_to_client ?? config.settings.show_network_info_to_client}
            config={config}
          />
        ) : config.error !== null ? (
          <ErrorState
            title="获取系统配置失败"
            message="获取系统配置失败，请稍后重试"
            onRetry={() => config.refetch()}
            isRetrying={config.isLoading}
          />
        ) : (
          <SettingSkeleton />
        )}
      </Card>
    </div>
  );
}

type NetworkInfoSettingProps = { isShown: boolean; config: ReturnType<typeof useSystemConfig> };

function NetworkInfoSetting({ isShown, config }: NetworkInfoSettingProps) {
  const Icon = isShown ? Eye : EyeOff;
  return (
    <CardContent className="grid gap-3">
      <SwitchField
        label="向C端用户显示网络信息"
        description="主机的内网和公网 IP 地址"
        checked={isShown}
        aria-busy={config.isUpdating}
        onCheckedChange={(checked) => {
          if (config.isUpdating) return;
          config.update({ show_network_info_to_client: checked }).catch(() => undefined);
        }}
      />
      <p
        className="flex items-start gap-2.5 rounded-md bg-muted px-3.5 py-2.5 text-sm text-muted-foreground"
        aria-live="polite"
      >
        <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {isShown
          ? "C端用户可以看到自己在有效期内的主机的 IP 地址；分配已过期的主机不显示。管理员和超级管理员始终可见。"
          : "C端用户看不到主机的 IP 地址，其余信息（配置、系统、有效期）照常显示。管理员和超级管理员始终可见。"}
      </p>
    </CardContent>
  );
}

function SettingSkeleton() {
  return (
    <CardContent role="status" className="grid gap-3">
      <span className="sr-only">加载中...</span>
      <div className="flex items-start justify-between gap-6">
        <div className="grid gap-1.5">
          <Skeleton className="h-5 w-44" />
          <Skeleton className="h-4 w-36" />
        </div>
        <Skeleton className="h-5 w-9 rounded-full" />
      </div>
      <Skeleton className="h-10 w-full" />
    </CardContent>
  );
}
