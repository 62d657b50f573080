import { useEffect, useEffectEvent } from "react";

/** Open dialogs and sheets, the newest last. Only that one is closed. */
const open: (() => void)[] = [];

/**
 * While `isOpen`, the browser's back (or forward) button runs `onBack` instead of leaving the page,
 * as users of a phone expect. Needs the Navigation API; other browsers leave. Browsers let a second
 * press without a click in between pass.
 */
export function useBack(isOpen: boolean, onBack: () => void): void {
  const goBack = useEffectEvent(onBack);
  useEffect(() => {
    if (!isOpen || !("navigation" in window)) return undefined;

    const { navigation } = window;
    const close = () => goBack();
    const onNavigate = (event: NavigateEvent) => {
      if (event.navigationType !== "traverse" || !event.cancelable || event.defaultPrevented) {
        return;
      }
      if (open.at(-1) !== close) return;

      event.preventDefault();
      close();
    };
    open.push(close);
    navigation.addEventListener("navigate", onNavigate);

    return () => {
      open.splice(open.indexOf(close), 1);
      navigation.removeEventListener("navigate", onNavigate);
    };
  }, [isOpen]);
}
