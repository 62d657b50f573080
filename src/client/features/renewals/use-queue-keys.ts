import type { Renewal } from "@shared/renewals.ts";
import { useHotkey } from "@/lib/use-hotkey";
import type { OnAct } from "./decision-buttons";

/**
 * J and K move the focus along the requests that can be decided; A and R decide the focused or the
 * first one. What is approved waits for its payment: R closes it, A has nothing to do. Null for
 * those who only read.
 */
export function useQueueKeys(requests: readonly Renewal[], onAct: OnAct | null): void {
  function move(step: 1 | -1): void {
    const buttons = decisionButtons();
    const present = buttons.findIndex((button) => button.matches(":focus"));
    const next = present === -1 ? buttons[0] : buttons[present + step];
    next?.focus();
  }

  function focusedRequest(): Renewal | undefined {
    const buttons = decisionButtons();
    const button = buttons.find((each) => each.matches(":focus")) ?? buttons[0];
    return requests.find(({ id }) => id === button?.dataset.request);
  }

  function approve(): void {
    const renewal = focusedRequest();
    if (renewal?.status === "pending") onAct?.("approve", renewal);
  }

  function reject(): void {
    const renewal = focusedRequest();
    if (renewal?.status === "pending") onAct?.("reject", renewal);
    if (renewal?.status === "approved") onAct?.("close", renewal);
  }

  useHotkey("j", () => move(1));
  useHotkey("k", () => move(-1));
  useHotkey("a", approve);
  useHotkey("r", reject);
}

/** Of the requests on the page, in their order. */
function decisionButtons(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-request]")];
}
