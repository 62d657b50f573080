import { useConnectionState } from "@/api/live-updates";
import { Alert } from "@/components/ui/alert";

/** Why the numbers below move in steps, where they do. */
export function ConnectionNote() {
  const state = useConnectionState();
  if (state === "live" || state === "connecting") return null;
  return (
    <Alert tone="warning" live title={state === "offline" ? "网络已断开" : "实时更新已断开，正在重新连接"}>
      {state === "offline"
        ? "同步仍在服务器上继续，网络恢复后会自动显示最新进度。"
        : "进度暂时每几秒查询一次；如果服务正在重启，进行中的同步会显示为已中断。"}
    </Alert>
  );
}
