import { type ReactNode, Suspense } from "react";
import { useInView } from "react-intersection-observer";

/** Loads and draws its children once their place is on the screen: on a phone a page may be left before it is scrolled. Give the place a size. */
export function WhenSeen({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  const { ref, inView: isSeen } = useInView({ triggerOnce: true });
  return (
    <div ref={ref} className="size-full">
      {isSeen ? <Suspense fallback={fallback}>{children}</Suspense> : null}
    </div>
  );
}
