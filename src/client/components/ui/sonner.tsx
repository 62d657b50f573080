import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { Toaster as SonnerToaster } from "sonner";

const ICONS = {
  success: <CircleCheck role="img" aria-label="成功" className="text-success-ink" />,
  error: <CircleAlert role="img" aria-label="错误" className="text-danger-ink" />,
  warning: <TriangleAlert role="img" aria-label="警告" className="text-warning-ink" />,
  info: <Info role="img" aria-label="提示" className="text-info-ink" />,
  close: <X className="size-4" />,
};

/** Icon, words and cross in a row, the action below the words; Sonner puts the cross first. */
const CLASS_NAMES = {
  toast:
    "grid w-(--width) grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 rounded-md border border-border-strong bg-popover p-3 pl-3.5 text-popover-foreground shadow-md",
  icon: "col-start-1 row-start-1 mt-0.5 [&>svg]:size-4.5",
  content: "col-start-2 row-start-1",
  title: "font-medium",
  // A longer text would cover a phone.
  description: "mt-0.5 line-clamp-4 text-sm text-muted-foreground [overflow-wrap:anywhere]",
  actionButton:
    "col-start-2 mt-0.5 -mb-1 justify-self-start rounded-sm py-1 text-sm font-medium text-primary-ink hover:underline",
  closeButton:
    "col-start-3 row-start-1 -mt-0.5 -mr-1 grid size-6 place-items-center rounded-sm text-muted-foreground hover:bg-accent hover:text-foreground",
};

/**
 * Place one, at the root. Announces politely; Alt+T moves the focus to it. The first toast lies over the top bar, not over a page's
 * own buttons; dialogs on phones leave room for one.
 */
export function Toaster() {
  return (
    <SonnerToaster
      // Its own colours for a dark page would win over our classes.
      theme="light"
      position="top-right"
      expand
      closeButton
      gap={8}
      offset={{ top: 8, right: 16, bottom: 16, left: 16 }}
      mobileOffset={{ top: 12, right: 12, bottom: 12, left: 12 }}
      containerAriaLabel="通知"
      icons={ICONS}
      toastOptions={{ unstyled: true, closeButtonAriaLabel: "关闭通知", classNames: CLASS_NAMES }}
    />
  );
}
