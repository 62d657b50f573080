import { useConnectionState } from "@/api/live-updates";
import { StatusDot } from "@/components/ui/badge";
import { Tooltip } from "@/components/ui/tooltip";

const LOOKS = {
  connecting: { tone: "neutral", pulse: true, label: "实时连接：正在连接" },
  live: { tone: "success", pulse: false, label: "实时连接：已连接，数据会自动更新" },
  reconnecting: { tone: "warning", pulse: true, label: "实时连接：正在重新连接" },
  offline: { tone: "danger", pulse: false, label: "实时连接：网络已断开" },
} as const;

export function ConnectionDot() {
  const { tone, pulse, label } = LOOKS[useConnectionState()];
  return (
    <Tooltip content={label} side="bottom">
      <button type="button" aria-label={label} className="grid size-8 cursor-default place-items-center rounded-md">
        <StatusDot tone={tone} pulse={pulse} />
      </button>
    </Tooltip>
  );
}
