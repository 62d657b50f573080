import { useEffect, useEffectEvent } from "react";

/**
 * While `isHeld`, the browser's way back (or forward) runs `onBack` instead of leaving: it closes what is open over the page, as people
 * with a phone expect. Browsers that know nothing of it leave at once. Who goes back a second time without touching the page is let go
 * by all of them.
 */
export function useBack(isHeld: boolean, onBack: () => void): void {
  const goBack = useEffectEvent(onBack);
  useEffect(() => {
    if (!isHeld || !("navigation" in window)) return undefined;
    const { navigation } = window;
    const onNavigate = (event: NavigateEvent) => {
      if (event.navigationType !== "traverse" || !event.cancelable || event.defaultPrevented) return;
      event.preventDefault();
      goBack();
    };
    navigation.addEventListener("navigate", onNavigate);
    return () => navigation.removeEventListener("navigate", onNavigate);
  }, [isHeld]);
}
