import { type ReactNode, Suspense } from "react";
import { useInView } from "react-intersection-observer";

/** Draws its children, and loads what they need, once they are on the screen: on a phone a page may be left before it is scrolled. */
export function WhenSeen({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  const { ref, inView: isSeen } = useInView({ triggerOnce: true });
  return (
    <div ref={ref} className="size-full">
      {isSeen ? <Suspense fallback={fallback}>{children}</Suspense> : fallback}
    </div>
  );
}
