import { toast } from "sonner";

type NotificationType = "success" | "error" | "warning" | "info";
type NotificationPosition = "top-right" | "top-left" | "bottom-right" | "bottom-left";

export type NotifyOptions = {
  message?: string | undefined;
  position?: NotificationPosition;
  /** A second notification of the same id replaces the first. */
  id?: string;
  action?: { label: string; onClick: () => void };
};

const DURATION_MS = 5000;
const ERROR_DURATION_MS = 8000;

export const notify = {
  success: (title: string, options?: NotifyOptions) => show("success", title, options),
  error: (title: string, options?: NotifyOptions) => show("error", title, options),
  warning: (title: string, options?: NotifyOptions) => show("warning", title, options),
  info: (title: string, options?: NotifyOptions) => show("info", title, options),
  /** Closes one notification, or all of them. */
  dismiss: (id?: string | number) => void toast.dismiss(id),
};

/** Of live events: at the bottom, where it covers no button. */
export const LIVE_TOAST_POSITION: NotificationPosition = "bottom-right";

/** From here on dialogs are centred, not sheets from below. */
const WIDE_ENOUGH_FOR_DIALOGS = "(min-width: 40rem)";

/** Where it covers no button of an open sheet. */
function freePosition(preferred: NotificationPosition): NotificationPosition {
  if (!window.matchMedia(WIDE_ENOUGH_FOR_DIALOGS).matches) return "top-right";
  if (document.querySelector("[data-sheet='right'][data-state='open']") === null) return preferred;
  return preferred.startsWith("top") ? "top-left" : "bottom-left";
}

/** Returns the id that `notify.dismiss` takes. */
function show(type: NotificationType, title: string, options: NotifyOptions = {}): string | number {
  return toast[type](title, {
    // Undefined, too: an earlier notification of the same id would keep its own.
    description: options.message,
    action: options.action,
    duration: type === "error" ? ERROR_DURATION_MS : DURATION_MS,
    position: freePosition(options.position ?? "top-right"),
    ...(options.id === undefined ? {} : { id: options.id }),
  });
}
