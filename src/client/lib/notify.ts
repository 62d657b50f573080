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

/** Sonner's ids by ours. Each notification gets a new one: under an id that is just leaving, Sonner shows nothing. */
const toastIds = new Map<string, string | number>();

export const notify = {
  success: (title: string, options?: NotifyOptions) => show("success", title, options),
  error: (title: string, options?: NotifyOptions) => show("error", title, options),
  warning: (title: string, options?: NotifyOptions) => show("warning", title, options),
  info: (title: string, options?: NotifyOptions) => show("info", title, options),
  /** Closes one notification, or all of them. */
  dismiss: (id?: string): void => void toast.dismiss(id === undefined ? undefined : (toastIds.get(id) ?? id)),
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

function show(type: NotificationType, title: string, options: NotifyOptions = {}): void {
  const { id } = options;
  if (id !== undefined) notify.dismiss(id);
  const toastId = toast[type](title, {
    description: options.message,
    action: options.action,
    duration: type === "error" ? ERROR_DURATION_MS : DURATION_MS,
    position: freePosition(options.position ?? "top-right"),
  });
  if (id !== undefined) toastIds.set(id, toastId);
}
