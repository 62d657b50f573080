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

/** Text of an input; `commit` is called when typing pauses. A change of `value` from outside (back button, reset) replaces the text. */
export function useDebouncedText(value: string, commit: (text: string) => void) {
  const [text, setText] = useState(value);
  const [committed, setCommitted] = useState(value);
  if (value !== committed) {
    setCommitted(value);
    setText(value);
  }

  /** Commits now: Enter, or the clear button. */
  function flush(next: string = text): void {
    setText(next);
    // So that its return as `value` does not overwrite what is typed meanwhile.
    setCommitted(next);
    commit(next);
  }

  const onPause = useEffectEvent(flush);
  useEffect(() => {
    if (text === committed) return undefined;
    const timer = setTimeout(() => onPause(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, committed]);
  return { text, setText, flush };
}
