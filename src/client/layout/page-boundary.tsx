import { Component, type ErrorInfo, type ReactNode } from "react";
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
    window.addEventListener("online", this.reload);
  }

  override componentWillUnmount(): void {
    window.removeEventListener("online", this.reload);
  }

  /** Only where there is something to load from: the browser's own page would take the place of the whole console. */
  reload = async (): Promise<void> => {
    try {
      await fetch("/healthz", { cache: "no-store" });
    } catch {
      notify.warning("仍然无法连接服务器", { id: "unreachable", message: "网络恢复后会自动重新加载。" });
      return;
    }
    location.reload();
  };

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <ErrorState
        title="页面加载失败"
        message="可能是网络中断，或系统刚刚更新。请重新加载页面。"
        onRetry={this.reload}
      />
    );
  }
}
