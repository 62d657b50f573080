import { useEffect, useRef, useState } from "react";

/** The value as it was once it has stayed the same for `delayMs`. */
export function useDebounced<Value>(value: Value, delayMs = 300): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}

/** Text that answers to the keyboard at once and tells `commit` when typing pauses. A change of `value` from outside (back button, reset) is taken over. */
export function useDebouncedText(value: string, commit: (text: string) => void, delayMs = 300) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [overruled, setOverruled] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (value !== known) {
    setKnown(value);
    setText(value);
    setOverruled(overruled + 1);
  }
  // What was typed last goes with the page, and with a change from outside: committed after it, it would undo it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => () => clearTimeout(timer.current), [overruled]);
  return {
    text,
    setText(next: string): void {
      setText(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        // Known already, so that its return from outside does not overwrite what is typed meanwhile.
        setKnown(next);
        commit(next);
      }, delayMs);
    },
    /** Commits now: Enter, or the clear button. */
    flush(next: string = text): void {
      clearTimeout(timer.current);
      setText(next);
      setKnown(next);
      commit(next);
    },
  };
}
