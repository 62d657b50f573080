import { type ComponentType, type LazyExoticComponent, lazy } from "react";

export type LazyPage<Props extends object = object> = LazyExoticComponent<ComponentType<Props>> & {
  /** Fetches the code ahead of the first drawing. What goes wrong is met, and told, when it is drawn. */
  readonly prefetch: () => void;
};

/** A component whose code is fetched when it is first drawn, unless it was fetched before. */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPage<Props> {
  let fetched: Promise<{ default: ComponentType<Props> }> | undefined;

  /** Once: asked for again, code that is there would still be looked for in the document, and its page be drawn a turn later. */
  function fetch() {
    fetched ??= load().then(
      (component) => ({ default: component }),
      (error: unknown) => {
        fetched = undefined;
        throw error;
      },
    );
    return fetched;
  }

  return Object.assign(lazy(fetch), { prefetch: () => void fetch().catch(() => undefined) });
}
