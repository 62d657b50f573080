import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

/** Whether the browser lays the page out for paper at this moment. */
export function isPrinting(): boolean {
  return window.matchMedia("print").matches;
}

let isPreparing = false;

/**
 * Whether the page is drawn for paper: from before the browser lays it out until after. For what is
 * other content than on the screen; what only looks different is CSS (`print:`). The browser takes
 * the page as it is when the event is over, and React draws such a change within it.
 */
export function useIsPrinting(): boolean {
  return useSyncExternalStore(subscribe, () => isPreparing);
}

function subscribe(onChange: () => void): () => void {
  const begin = () => change(true);
  const end = () => change(false);
  const change = (isNow: boolean) => {
    isPreparing = isNow;
    flushSync(onChange);
  };
  addEventListener("beforeprint", begin);
  addEventListener("afterprint", end);

  return () => {
    removeEventListener("beforeprint", begin);
    removeEventListener("afterprint", end);
  };
}
