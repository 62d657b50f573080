import { Component, type ErrorInfo, type ReactNode } from "react";
import { ErrorState } from "@/components/error-state";

/** Shows a failed page, or one whose code could not be loaded, inside the frame. Its key is the page's path. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <ErrorState
        title="页面加载失败"
        message="可能是网络中断，或系统刚刚更新。请重新加载页面。"
        onRetry={() => location.reload()}
      />
    );
  }
}
