import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

type AlertProps = {
  tone?: keyof typeof tones;
  title?: ReactNode;
  children?: ReactNode;
  /** `banner` spans the page without corners. */
  variant?: "box" | "banner";
  /** True for what appears while the page is open: it is then read aloud. */
  live?: boolean;
};

const tones = {
  info: { icon: Info, box: "border-info/35 bg-info-soft", ink: "text-info-ink" },
  warning: {
    icon: TriangleAlert,
    box: "border-warning/35 bg-warning-soft",
    ink: "text-warning-ink",
  },
  danger: { icon: CircleAlert, box: "border-danger/35 bg-danger-soft", ink: "text-danger-ink" },
} as const;

export function Alert({ tone = "info", title, children, variant = "box", live }: AlertProps) {
  const { icon: Icon, box, ink } = tones[tone];
  const liveRole = tone === "danger" ? "alert" : "status";

  return (
    <div
      data-slot="alert"
      role={live ? liveRole : undefined}
      className={cn(
        "flex items-start gap-2.5 px-3.5 text-sm",
        variant === "box" ? "rounded-md border py-3" : "border-b py-2",
        box,
      )}
    >
      <Icon className={cn("mt-0.5 size-4 shrink-0", ink)} />
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {title ? <p className={cn("font-medium", ink)}>{title}</p> : null}
        {children ? <div className="text-foreground">{children}</div> : null}
      </div>
    </div>
  );
}
