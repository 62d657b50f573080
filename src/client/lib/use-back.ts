import { useEffect, useEffectEvent } from "react";

/** How open dialogs and sheets are closed, the newest last. Only that one is. */
const openLayers: (() => void)[] = [];

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
      if (openLayers.at(-1) !== close) return;

      event.preventDefault();
      close();
    };
    openLayers.push(close);
    navigation.addEventListener("navigate", onNavigate);

    return () => {
      openLayers.splice(openLayers.indexOf(close), 1);
      navigation.removeEventListener("navigate", onNavigate);
    };
  }, [isOpen]);
}
