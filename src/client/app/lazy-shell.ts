import { lazyPage } from "@/lib/lazy";
import { HOME } from "./route-guard";
import { prefetchPage } from "./routes";

export const Shell = lazyPage(() => import("./shell").then((m) => m.Shell));

export function prefetchConsole(pathname: string): void {
  Shell.prefetch();
  prefetchPage(pathname === "/" ? HOME : pathname);
}
