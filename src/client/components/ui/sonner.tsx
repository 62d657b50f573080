import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { useEffect } from "react";
import { Toaster as SonnerToaster, toast } from "sonner";
import { beginToasts } from "@/lib/notify";

const ICONS = {
  success: <CircleCheck role="img" aria-label="成功" className="text-success-ink" />,
  error: <CircleAlert role="img" aria-label="错误" className="text-danger-ink" />,
  warning: <TriangleAlert role="img" aria-label="警告" className="text-warning-ink" />,
  info: <Info role="img" aria-label="提示" className="text-info-ink" />,
  close: <X className="size-4" />,
};

/**
 * Icon, words, action and cross in a row, so that two lines end above a page's own buttons. Sonner
 * puts the cross first.
 */
const CLASS_NAMES = {
  toast:
    "grid w-(--width) grid-cols-[auto_minmax(0,1fr)_auto_auto] gap-x-3 rounded-md border border-border-strong bg-popover p-3 pl-3.5 text-sm text-popover-foreground shadow-md",
  icon: "col-start-1 row-start-1 mt-0.5 [&>svg]:size-4.5",
  // A longer text would cover a phone.
  content: "col-start-2 row-start-1 line-clamp-4 [overflow-wrap:anywhere]",
  title: "inline font-medium",
  description: "ml-2 inline whitespace-pre-wrap text-muted-foreground",
  actionButton:
    "col-start-3 row-start-1 self-start rounded-sm font-medium text-primary-ink hover:underline",
  closeButton:
    "col-start-4 row-start-1 -mt-0.5 -mr-1 grid size-6 place-items-center rounded-sm text-muted-foreground hover:bg-accent hover:text-foreground",
};

/**
 * One, at the root: `LazyToaster`. Announces politely; Alt+T moves the focus to it. Toasts rise from the left
 * of the foot, above the bar of batch actions: pages and dialogs have their titles, searches and
 * buttons at the top, sheets are at the right. On phones the first one lies over the top bar, and
 * dialogs leave room for it.
 */
export function Toaster() {
  // Sonner listens by then: the effects of a child run before those of its parent.
  useEffect(() => beginToasts(toast), []);

  return (
    <SonnerToaster
      // Its own colours for a dark page would win over our classes.
      theme="light"
      position="bottom-left"
      expand
      closeButton
      gap={8}
      offset={{ bottom: 64, left: 16 }}
      mobileOffset={{ top: 4, right: 12, left: 12 }}
      containerAriaLabel="提示"
      icons={ICONS}
      toastOptions={{ unstyled: true, closeButtonAriaLabel: "关闭提示", classNames: CLASS_NAMES }}
    />
  );
}
