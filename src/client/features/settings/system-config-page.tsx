import { Eye, EyeOff } from "lucide-react";
import { trpc } from "@/api/trpc";
import { ErrorState } from "@/components/error-state";
import { PageHeader } from "@/components/page-header";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { SwitchField } from "@/components/ui/switch";
import { notify } from "@/lib/notify";
import { SecurityCard } from "./security-card";

export function SystemConfigPage() {
  const settings = useSettings();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader title="系统配置" description="对所有用户立即生效" />
      <Card className="max-w-3xl">
        <CardHeader>
          <CardTitle>C端用户可见信息</CardTitle>
        </CardHeader>
        <ClientSettings settings={settings} />
      </Card>
      <SecurityCard />
    </div>
  );
}

function useSettings() {
  return trpc.settings.get.useQuery(undefined, { meta: failure("获取系统配置失败") });
}

function ClientSettings({ settings }: { settings: ReturnType<typeof useSettings> }) {
  if (settings.data !== undefined) {
    return <NetworkInfoSetting isShown={settings.data.show_network_info_to_client} />;
  }

  if (settings.isError) {
    return (
      <ErrorState
        title="获取系统配置失败"
        message="获取系统配置失败，请稍后重试"
        onRetry={() => settings.refetch()}
        isRetrying={settings.isFetching}
      />
    );
  }

  return (
    <CardContent role="status" className="grid gap-3">
      <span className="sr-only">加载中...</span>
      <Skeleton className="h-10.5 w-full" />
      <Skeleton className="h-10 w-full" />
    </CardContent>
  );
}

function NetworkInfoSetting({ isShown: isStored }: { isShown: boolean }) {
  const utils = trpc.useUtils();
  const update = trpc.settings.update.useMutation({
    meta: failure("更新系统配置失败"),
    onSuccess(settings) {
      utils.settings.get.setData(undefined, settings);
      notify.success("系统配置更新成功");
    },
  });
  // The switch follows the click while the call is pending.
  const pending = update.isPending ? update.variables.show_network_info_to_client : undefined;
  const isShown = pending ?? isStored;
  const Icon = isShown ? Eye : EyeOff;

  return (
    <CardContent className="grid gap-3">
      <SwitchField
        label="向C端用户显示网络信息"
        description="主机的内网和公网 IP 地址"
        checked={isShown}
        aria-busy={update.isPending}
        onCheckedChange={(checked) => {
          if (!update.isPending) update.mutate({ show_network_info_to_client: checked });
        }}
      />
      <p
        className="flex items-start gap-2.5 rounded-md bg-muted px-3.5 py-2.5 text-sm text-muted-foreground"
        aria-live="polite"
      >
        <Icon className="mt-0.5 size-4 shrink-0" />
        <span>
          {isShown
            ? "C端用户可以看到自己在有效期内的主机的 IP 地址；分配已过期的主机不显示。管理员和超级管理员始终可见。"
            : "C端用户看不到主机的 IP 地址，其余信息（规格、系统、有效期）照常显示。管理员和超级管理员始终可见。"}
        </span>
      </p>
    </CardContent>
  );
}

function failure(title: string) {
  return { errorTitle: title, errorMessage: `${title}，请稍后重试` };
}
