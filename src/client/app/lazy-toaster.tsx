import { type ComponentType, useEffect, useState } from "react";

const RETRY_MS = 5_000;

/**
 * The toaster, whose code is loaded once the first page is drawn, and again when that failed: without
 * it nobody would hear of a failure.
 */
export function LazyToaster() {
  const [Toaster, setToaster] = useState<ComponentType | null>(null);

  useEffect(() => {
    let retry: ReturnType<typeof setTimeout> | undefined;

    async function load(): Promise<void> {
      try {
        const { Toaster: loaded } = await import("@/components/ui/sonner");
        setToaster(() => loaded);
      } catch {
        retry = setTimeout(load, RETRY_MS);
      }
    }

    void load();
    return () => clearTimeout(retry);
  }, []);

  return Toaster === null ? null : <Toaster />;
}
