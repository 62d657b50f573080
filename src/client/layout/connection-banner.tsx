import { useConnectionState } from "@/api/live-updates";
import { Alert } from "@/components/ui/alert";
import { useDebounced } from "@/lib/use-debounced";

/** A blink of the connection is not worth a line on the page. */
const PATIENCE_MS = 2500;

/** Says when what is on the page may be out of date. */
export function ConnectionBanner() {
  const state = useConnectionState();
  const settled = useDebounced(state, PATIENCE_MS);
  const shown = state === "offline" || state === "live" ? state : settled;
  return (
    <div role="status">
      {shown === "offline" ? (
        <Alert tone="danger" look="banner" title="网络连接已断开">
          恢复后会自动重新连接，页面内容可能不是最新的。
        </Alert>
      ) : null}
      {shown === "reconnecting" ? (
        <Alert tone="warning" look="banner" title="与服务器的实时连接已中断，正在重新连接…">
          恢复前页面内容可能不是最新的。
        </Alert>
      ) : null}
    </div>
  );
}
