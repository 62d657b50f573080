import { useEffect, useEffectEvent, useState } from "react";

/**
 * Takes a file that is dropped anywhere on the page, since the browser would leave the page to open
 * it. Null while none is taken: then it is dropped to no effect. Returns whether one is held over
 * the page.
 */
export function useFileDrop(onFile: ((file: File) => void) | null): boolean {
  const [isOver, setOver] = useState(false);

  const hold = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event)) return;

    event.preventDefault();
    if (onFile === null && event.dataTransfer !== null) event.dataTransfer.dropEffect = "none";
    setOver(onFile !== null);
  });

  const leave = useEffectEvent((event: DragEvent) => {
    // Else it goes on to another element of the page.
    if (event.relatedTarget === null) setOver(false);
  });

  const drop = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event)) return;

    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer?.files.item(0) ?? null;
    if (file !== null) onFile?.(file);
  });

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener("dragover", hold, { signal });
    addEventListener("dragleave", leave, { signal });
    addEventListener("drop", drop, { signal });
    return () => listening.abort();
  }, []);

  return isOver;
}

/** Text that is moved into a field is not ours. */
function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") === true;
}
