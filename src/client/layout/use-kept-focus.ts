import { type RefObject, useEffect } from "react";

/** What had the focus and went (the row of a request that left the list) leaves it to the page instead of to nobody. */
export function useKeptFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const main = page.current;
    if (main === null) return;
    let last: EventTarget | null = null;
    const remember = ({ target }: FocusEvent) => {
      last = target;
    };
    const keep = () => {
      if (document.activeElement !== document.body || !(last instanceof Element) || last.isConnected) return;
      last = null;
      main.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(keep);
    main.addEventListener("focusin", remember);
    observer.observe(main, { childList: true, subtree: true });
    return () => {
      main.removeEventListener("focusin", remember);
      observer.disconnect();
    };
  }, [page]);
}
