import { type RefObject, useEffect, useEffectEvent } from "react";

type TestAtOnce = {
  /** What is shown of a thing that was saved to be tested, with the result of the test. */
  card: RefObject<HTMLElement | null>;
  isAsked: boolean;
  hasResult: boolean;
  run: () => void;
};

/**
 * Runs the test once, as soon as it is asked for. The new card may be far from the button that made
 * it, and grows with the result: it comes into view at once, and again with its result. It jumps, so
 * nothing moves for those who do not want that.
 */
export function useTestAtOnce({ card, isAsked, hasResult, run }: TestAtOnce): void {
  const runTest = useEffectEvent(run);
  useEffect(() => {
    if (isAsked) runTest();
  }, [isAsked]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the result makes the card higher
  useEffect(() => {
    if (isAsked) card.current?.scrollIntoView({ block: "nearest" });
  }, [card, isAsked, hasResult]);
}
