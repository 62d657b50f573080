import { POLL_SECONDS, useConnectionState } from "@/api/live-updates";
import { Alert } from "@/components/ui/alert";
import { StatusDot } from "@/components/ui/badge";
import { Tooltip } from "@/components/ui/tooltip";
import { useDebounced } from "@/lib/use-debounced";

const UNAVAILABLE = {
  tone: "warning",
  pulse: true,
  label: `实时连接：未建立，页面每 ${POLL_SECONDS} 秒自动刷新`,
} as const;
const DOTS = {
  connecting: { tone: "neutral", pulse: true, label: "实时连接：正在连接" },
  live: { tone: "success", pulse: false, label: "实时连接：已连接，数据会自动更新" },
  reconnecting: { tone: "warning", pulse: true, label: "实时连接：正在重新连接" },
  unavailable: UNAVAILABLE,
  refused: UNAVAILABLE,
  offline: { tone: "danger", pulse: false, label: "实时连接：网络已断开" },
} as const;

export function ConnectionDot() {
  const { tone, pulse, label } = DOTS[useConnectionState()];
  return (
    <Tooltip content={label} side="bottom">
      <button
        type="button"
        aria-label={label}
        className="grid size-8 cursor-default place-items-center rounded-md"
      >
        <StatusDot tone={tone} pulse={pulse} />
      </button>
    </Tooltip>
  );
}

const POLLED = `恢复前，页面内容每 ${POLL_SECONDS} 秒自动刷新一次。`;
const BANNER_DELAY_MS = 2500;

export function ConnectionBanner() {
  const state = useConnectionState();
  const settled = useDebounced(state, BANNER_DELAY_MS);
  const shown = state === "offline" || state === "live" ? state : settled;

  return (
    <div role="status">
      {shown === "offline" ? (
        <Alert tone="danger" variant="banner" title="网络连接已断开">
          恢复后会自动重新连接，页面内容可能不是最新的。
        </Alert>
      ) : null}
      {shown === "reconnecting" ? (
        <Alert tone="warning" variant="banner" title="与服务器的实时连接已中断，正在重新连接…">
          {POLLED}
        </Alert>
      ) : null}
      {shown === "unavailable" ? (
        <Alert tone="warning" variant="banner" title="暂时无法建立实时连接，正在重试…">
          {POLLED}
        </Alert>
      ) : null}
      {shown === "refused" ? (
        <Alert tone="warning" variant="banner" title="实时连接一直被拒绝，请转告系统运维人员">
          可能的原因：反向代理没有原样传递访问地址，nginx 应设置{" "}
          <code className="font-mono">proxy_set_header Host $http_host;</code>
          ，并转发 WebSocket 升级请求；或者同一地址的连接过多，代理后面应设置{" "}
          <code className="font-mono">TRUST_PROXY</code>
          。详见运维文档 docs/operations.md 的“TLS and proxy”一节。
          {POLLED}
        </Alert>
      ) : null}
    </div>
  );
}
