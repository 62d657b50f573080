import type { ReactNode } from "react";
import type { toast } from "sonner";

type NotificationType = "success" | "error" | "warning" | "info";

export type NotifyOptions = {
  message?: ReactNode;
  /** A second notification of the same id replaces the first. */
  id?: string;
  /** Says no more than another of its id: while that one is shown, this one is not. */
  isSecondary?: boolean;
  action?: { label: string; onClick: () => void };
  /** For what can be done in this time only; absent: as long as its kind takes to be read. */
  durationMs?: number;
  /** Stays until another of its id replaces it or it is dismissed, and has no cross. */
  isLasting?: boolean;
};

const DURATION_MS = 5000;
const ERROR_DURATION_MS = 8000;

/**
 * Sonner's ids by ours. Each notification gets a new one: under an id that is just leaving, Sonner
 * shows nothing.
 */
const toastIds = new Map<string, string | number>();

/**
 * Sonner is loaded after the first page is drawn. What is said before that waits for it, and is then
 * shown in the order in which it was said.
 */
const sonner = Promise.withResolvers<typeof toast>();

/** Called by the `Toaster` when it is on the page. */
export const beginToasts = sonner.resolve;

export const notify = {
  success: (title: string, options?: NotifyOptions) => show("success", title, options),
  error: (title: string, options?: NotifyOptions) => show("error", title, options),
  warning: (title: string, options?: NotifyOptions) => show("warning", title, options),
  info: (title: string, options?: NotifyOptions) => show("info", title, options),
  /** Closes one notification, or all of them. */
  dismiss: (id?: string): void => {
    void sonner.promise.then((toasts) => close(toasts, id));
  },
};

function show(type: NotificationType, title: string, options: NotifyOptions = {}): void {
  void sonner.promise.then((toasts) => {
    const { id, isLasting = false, isSecondary = false } = options;
    if (isSecondary && isShown(toasts, id)) return;
    if (id !== undefined) close(toasts, id);

    const toastId = toasts[type](title, {
      description: options.message,
      action: options.action,
      duration: durationOf(type, options),
      dismissible: !isLasting,
      closeButton: !isLasting,
      position: isPhone() ? "top-center" : "bottom-left",
    });
    if (id !== undefined) toastIds.set(id, toastId);
  });
}

function durationOf(type: NotificationType, { isLasting, durationMs }: NotifyOptions): number {
  if (isLasting) return Number.POSITIVE_INFINITY;
  if (durationMs !== undefined) return durationMs;
  return type === "error" ? ERROR_DURATION_MS : DURATION_MS;
}

function close(toasts: typeof toast, id?: string): void {
  toasts.dismiss(id === undefined ? undefined : (toastIds.get(id) ?? id));
}

function isShown(toasts: typeof toast, id: string | undefined): boolean {
  const toastId = id === undefined ? undefined : toastIds.get(id);
  return toastId !== undefined && toasts.getToasts().some((one) => one.id === toastId);
}

/** There the buttons are at the foot; dialogs and sheets leave the top to a toast. */
function isPhone(): boolean {
  return !matchMedia("(min-width: 40rem)").matches;
}
