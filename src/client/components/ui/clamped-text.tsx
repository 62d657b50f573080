import { type ReactNode, useCallback, useId, useState } from "react";
import { cn } from "@/lib/cn";

/** The first four lines, and a button for the rest where there is one: what comes below stays in sight. */
export function ClampedText({ children, className }: { children: ReactNode; className?: string }) {
  const [isOpen, setOpen] = useState(false);
  const [isCut, setCut] = useState(false);
  const id = useId();
  const watch = useCallback((text: HTMLElement | null) => {
    if (text === null) return undefined;
    // Unfolded it is cut no more, and keeps the button that folds it.
    const observer = new ResizeObserver(() => {
      if (text.dataset.state === "closed") setCut(text.scrollHeight > text.clientHeight + 1);
    });
    observer.observe(text);
    return () => observer.disconnect();
  }, []);
  return (
    <div className={className}>
      <p
        ref={watch}
        id={id}
        data-state={isOpen ? "open" : "closed"}
        className={cn("[overflow-wrap:anywhere]", !isOpen && "line-clamp-4")}
      >
        {children}
      </p>
      {isCut ? (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="mt-1 rounded-sm font-medium text-primary-ink hover:underline"
        >
          {isOpen ? "收起" : "展开全部"}
        </button>
      ) : null}
    </div>
  );
}
