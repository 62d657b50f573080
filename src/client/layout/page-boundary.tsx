import { Component, type ErrorInfo, type ReactNode, useEffect, useRef } from "react";
import { useConnectionState } from "@/api/live-updates";
import { ErrorState } from "@/components/ui/error-state";
import { notify } from "@/lib/notify";

type Props = { children: ReactNode };

/** Catches what a page throws, its code not arriving included, so that the frame around it stays usable. Give it the page's path as its key. */
export class PageBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <PageFailure /> : this.props.children;
  }
}

function PageFailure() {
  useReturn(reload);
  return (
    <ErrorState title="页面加载失败" message="可能是网络中断，或系统刚刚更新。请重新加载页面。" onRetry={reload} />
  );
}

/** Only where there is something to load from: the browser's own page would take the place of the whole console. */
async function reload(): Promise<void> {
  try {
    await fetch("/healthz", { cache: "no-store" });
  } catch {
    notify.warning("仍然无法连接服务器", { id: "unreachable", message: "网络恢复后会自动重新加载。" });
    return;
  }
  location.reload();
}

/** When the network is back, or the server: of its restart the browser knows nothing, but the live connection does. */
function useReturn(onReturn: () => void): void {
  const connection = useConnectionState();
  // A connection that was never lost proves nothing: what fails with it would fail again, and be loaded for ever.
  const wasLost = useRef(false);
  useEffect(() => {
    if (connection === "reconnecting" || connection === "offline") wasLost.current = true;
    else if (connection === "live" && wasLost.current) onReturn();
  }, [connection, onReturn]);
  useEffect(() => {
    window.addEventListener("online", onReturn);
    return () => window.removeEventListener("online", onReturn);
  }, [onReturn]);
}
