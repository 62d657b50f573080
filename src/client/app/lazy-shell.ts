import { lazyPage } from "@/lib/lazy";
import { HOME } from "./route-guard";
import { prefetchPage } from "./routes";

/** The frame of every page. Not in routes.tsx: its navigation imports that. */
export const Shell = lazyPage(() => import("./shell").then((m) => m.Shell));

export function prefetchConsole(pathname: string): void {
  Shell.prefetch();
  prefetchPage(pathname === "/" ? HOME : pathname);
}
