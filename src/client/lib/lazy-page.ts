import { type ComponentType, type LazyExoticComponent, lazy } from "react";

export type LazyPage<Props extends object = object> = LazyExoticComponent<ComponentType<Props>> & {
  /** Loads the code before the first render; a failure is reported by that render. */
  readonly prefetch: () => void;
};

/** A component whose code is loaded on its first render, unless it was prefetched. */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPage<Props> {
  let fetched: Promise<{ default: ComponentType<Props> }> | undefined;
  /** Memoised: a second import() would resolve a tick later. */
  function fetch() {
    fetched ??= load().then((component) => ({ default: component }));
    fetched.catch(() => {
      fetched = undefined;
    });
    return fetched;
  }
  return Object.assign(lazy(fetch), { prefetch: () => void fetch() });
}
