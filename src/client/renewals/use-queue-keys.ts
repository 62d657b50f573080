import type { RefObject } from "react";
import { useHotkey } from "@/lib/use-hotkey";

/** On the button that decides a request. */
export const QUEUE_ATTRIBUTE = "data-request";

/** J and K move the focus along the requests that can be decided, A and R open the focused or first one with a decision chosen. */
export function useQueueKeys(
  rows: RefObject<HTMLElement | null>,
  isEnabled: boolean,
  onDecide: (id: string, status: "approved" | "rejected") => void,
): void {
  const buttons = () => [...(rows.current?.querySelectorAll<HTMLElement>(`[${QUEUE_ATTRIBUTE}]`) ?? [])];
  function move(step: 1 | -1): void {
    const all = buttons();
    const present = all.findIndex((button) => button.matches(":focus"));
    const target = present === -1 ? 0 : Math.min(all.length - 1, Math.max(0, present + step));
    all[target]?.focus();
  }
  function decide(status: "approved" | "rejected"): void {
    const all = buttons();
    const button = all.find((each) => each.matches(":focus")) ?? all[0];
    const id = button?.getAttribute(QUEUE_ATTRIBUTE);
    if (id != null) onDecide(id, status);
  }
  useHotkey("j", () => isEnabled && move(1));
  useHotkey("k", () => isEnabled && move(-1));
  useHotkey("a", () => isEnabled && decide("approved"));
  useHotkey("r", () => isEnabled && decide("rejected"));
}
