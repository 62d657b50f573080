import { type ComponentType, type LazyExoticComponent, lazy } from "react";

export type LazyPage<Props extends object = object> = LazyExoticComponent<ComponentType<Props>> & {
  /** Fetches the code ahead of the first drawing. What goes wrong is met, and told, when it is drawn. */
  readonly prefetch: () => void;
};

/** A component whose code is fetched when it is first drawn, unless it was fetched before. */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPage<Props> {
  const page = lazy(async () => ({ default: await load() }));
  return Object.assign(page, { prefetch: () => void load().catch(() => undefined) });
}
