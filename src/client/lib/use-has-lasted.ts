import { useEffect, useState } from "react";

/** True once `condition` has held for that long without a break. */
export function useHasLasted(condition: boolean, delayMs: number): boolean {
  const [hasLasted, setLasted] = useState(false);
  useEffect(() => {
    if (!condition) return undefined;
    const timer = setTimeout(() => setLasted(true), delayMs);

    return () => {
      clearTimeout(timer);
      setLasted(false);
    };
  }, [condition, delayMs]);
  return hasLasted;
}
