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

/** Text of an input; `commit` is called when typing pauses. A change of `value` from outside (back button, reset) replaces the text. */
export function useDebouncedText(value: string, commit: (text: string) => void, delayMs = 300) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [changes, setChanges] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (value !== known) {
    setKnown(value);
    setText(value);
    setChanges(changes + 1);
  }
  // A commit after a change from outside would undo it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => () => clearTimeout(timer.current), [changes]);
  return {
    text,
    setText(next: string): void {
      setText(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        // So that its return as `value` does not overwrite what is typed meanwhile.
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
