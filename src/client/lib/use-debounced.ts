import { useEffect, useEffectEvent, useState } from "react";

const PAUSE_MS = 300;

/** The value as it was once it has stayed the same for `delayMs`. */
export function useDebounced<Value>(value: Value, delayMs = PAUSE_MS): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}

type DebouncedText = {
  value: string;
  commit: (text: string) => void;
  /** A text that is not accepted is kept in the input and never committed. */
  isAccepted: (text: string) => boolean;
};

/**
 * Text of an input; `commit` is called when typing pauses, which it does not in the middle of a
 * composition. A change of `value` from outside (back button, reset) replaces the text.
 */
export function useDebouncedText({ value, commit, isAccepted }: DebouncedText) {
  const [text, setText] = useState(value);
  const [committed, setCommitted] = useState(value);
  const [isComposing, setComposing] = useState(false);
  if (value !== committed) {
    setCommitted(value);
    setText(value);
  }

  /** Commits now: Enter, or the clear button. */
  function flush(next: string = text): void {
    setText(next);
    if (!isAccepted(next)) return;

    // So that its return as `value` does not overwrite what is typed meanwhile.
    setCommitted(next);
    commit(next);
  }

  const onPause = useEffectEvent(flush);
  useEffect(() => {
    if (text === committed || isComposing) return undefined;
    const timer = setTimeout(() => onPause(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, committed, isComposing]);
  return { text, setText, setComposing, flush };
}
