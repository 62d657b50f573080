import { useEffect, useEffectEvent } from "react";

/** What is open over the page, the newest last: the way back reaches that one alone. */
const held: (() => void)[] = [];

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
    const close = () => goBack();
    const onNavigate = (event: NavigateEvent) => {
      if (event.navigationType !== "traverse" || !event.cancelable || event.defaultPrevented) return;
      if (held.at(-1) !== close) return;
      event.preventDefault();
      close();
    };
    held.push(close);
    navigation.addEventListener("navigate", onNavigate);
    return () => {
      held.splice(held.indexOf(close), 1);
      navigation.removeEventListener("navigate", onNavigate);
    };
  }, [isHeld]);
}
