import { toast } from "sonner";

type NotificationType = "success" | "error" | "warning" | "info";

export type NotifyOptions = {
  message?: string | undefined;
  /** A second notification of the same id replaces the first. */
  id?: string;
  action?: { label: string; onClick: () => void };
};

const DURATION_MS = 5000;
const ERROR_DURATION_MS = 8000;

/**
 * Sonner's ids by ours. Each notification gets a new one: under an id that is just leaving, Sonner
 * shows nothing.
 */
const toastIds = new Map<string, string | number>();

export const notify = {
  success: (title: string, options?: NotifyOptions) => show("success", title, options),
  error: (title: string, options?: NotifyOptions) => show("error", title, options),
  warning: (title: string, options?: NotifyOptions) => show("warning", title, options),
  info: (title: string, options?: NotifyOptions) => show("info", title, options),
  /** Closes one notification, or all of them. */
  dismiss: (id?: string): void =>
    void toast.dismiss(id === undefined ? undefined : (toastIds.get(id) ?? id)),
};

function show(type: NotificationType, title: string, options: NotifyOptions = {}): void {
  const { id } = options;
  if (id !== undefined) notify.dismiss(id);

  const toastId = toast[type](title, {
    description: options.message,
    action: options.action,
    duration: type === "error" ? ERROR_DURATION_MS : DURATION_MS,
    position: isPhone() ? "top-center" : "bottom-left",
  });
  if (id !== undefined) toastIds.set(id, toastId);
}

/** There the buttons are at the foot; dialogs and sheets leave the top to a toast. */
function isPhone(): boolean {
  return !matchMedia("(min-width: 40rem)").matches;
}
