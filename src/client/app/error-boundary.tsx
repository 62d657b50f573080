import { Component, type ErrorInfo, type ReactNode, useEffect } from "react";
import { ErrorState } from "@/components/error-state";

type Failure = "none" | "load" | "display";

const TEXTS = {
  load: { title: "页面加载失败", message: "可能是网络中断，或系统刚刚更新。请重新加载页面。" },
  display: {
    title: "页面显示出错",
    message: "可能是浏览器的翻译或扩展程序改动了页面。请重新加载；如果再次出现，请关闭它们后再试。",
  },
} as const;

/** What browsers say of code that could not be loaded. */
const LOAD_FAILURE =
  /dynamically imported module|importing a module script|loading .*chunk|preload CSS/i;

/**
 * Shows a failed page, or one whose code could not be loaded. Inside the frame its key is the
 * page's path.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failure: Failure }> {
  override state: { failure: Failure } = { failure: "none" };

  static getDerivedStateFromError(error: unknown): { failure: Failure } {
    return {
      failure: error instanceof Error && LOAD_FAILURE.test(error.message) ? "load" : "display",
    };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === "none") return this.props.children;
    if (failure === "load") return <LoadFailure />;
    return <ErrorState {...TEXTS[failure]} onRetry={() => location.reload()} />;
  }
}

/** Comes back by itself with the network: what is shown holds nothing that could be lost. */
function LoadFailure() {
  useEffect(() => {
    const reload = () => location.reload();
    window.addEventListener("online", reload);
    return () => window.removeEventListener("online", reload);
  }, []);

  return <ErrorState {...TEXTS.load} onRetry={() => location.reload()} />;
}
