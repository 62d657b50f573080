import { Children, type ReactNode } from "react";

/**
 * Puts each run of bare text among the children into an element of its own, for components that
 * draw something beside them that comes and goes. Translators replace text nodes by elements of
 * theirs, and React fails when it then inserts something before a text that is gone.
 */
export function wrapText(children: ReactNode): ReactNode[] {
  const wrapped: ReactNode[] = [];
  let run = "";
  for (const child of Children.toArray(children)) {
    if (typeof child === "string" || typeof child === "number") {
      run += child;
      continue;
    }
    closeRun();
    wrapped.push(child);
  }
  closeRun();
  return wrapped;

  function closeRun(): void {
    if (run !== "") wrapped.push(<span key={`text ${wrapped.length}`}>{run}</span>);
    run = "";
  }
}
