import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { cn } from "@/lib/cn";

export type NotificationType = "success" | "error" | "warning" | "info";
export type NotificationPosition = "top-right" | "top-left" | "bottom-right" | "bottom-left";

type ToastProps = {
  type: NotificationType;
  title: string;
  message?: string | undefined;
  action?: { label: string; onClick: () => void } | undefined;
  onClose: () => void;
};

const types = {
  success: { icon: CircleCheck, tone: "text-success-ink", word: "成功" },
  error: { icon: CircleAlert, tone: "text-danger-ink", word: "错误" },
  warning: { icon: TriangleAlert, tone: "text-warning-ink", word: "警告" },
  info: { icon: Info, tone: "text-info-ink", word: "提示" },
} as const;

/** One notification; `notify` in lib/notify.ts shows it. */
export function Toast({ type, title, message, action, onClose }: ToastProps) {
  const { icon: Icon, tone, word } = types[type];
  return (
    <div
      data-notification={type}
      className="flex w-(--width) items-start max-[600px]:w-full gap-3 rounded-md border border-border-strong bg-popover p-3 pl-3.5 text-popover-foreground shadow-md"
    >
      <Icon aria-hidden="true" className={cn("mt-0.5 size-4.5 shrink-0", tone)} />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          <span className="sr-only">{word}：</span>
          {title}
        </p>
        {message ? <p className="mt-0.5 text-sm text-muted-foreground [overflow-wrap:anywhere]">{message}</p> : null}
        {action ? (
          <button
            type="button"
            className="mt-0.5 -mb-1 rounded-sm py-1 text-sm font-medium text-primary-ink hover:underline"
            onClick={() => {
              action.onClick();
              onClose();
            }}
          >
            {action.label}
          </button>
        ) : null}
      </div>
      <button
        type="button"
        aria-label="关闭通知"
        onClick={onClose}
        className="-mt-0.5 -mr-1 grid size-6 shrink-0 place-items-center rounded-sm text-muted-foreground hover:bg-accent hover:text-foreground"
      >
        <X aria-hidden="true" className="size-4" />
      </button>
    </div>
  );
}
