import { lazyPage } from "@/lib/lazy-page";
import { HOME } from "./route-guard";
import { prefetchPage } from "./routes";

/** Around every page behind the sign-in. */
export const Shell = lazyPage(() => import("./shell").then((m) => m.Shell));

/** Fetches the code of the frame, and of the page at a path, ahead of their first drawing. */
export function prefetchConsole(pathname: string): void {
  Shell.prefetch();
  prefetchPage(pathname === "/" ? HOME : pathname);
}
