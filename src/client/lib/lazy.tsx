import {
  type ComponentType,
  type LazyExoticComponent,
  lazy,
  Suspense,
  useEffect,
  useState,
} from "react";

export type LazyPage<Props extends object = object> = LazyExoticComponent<ComponentType<Props>> & {
  /** Loads the code before the first render; a failure is reported by that render. */
  readonly prefetch: () => void;
};

/** A component whose code is loaded on its first render, unless it was prefetched. */
export function lazyPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyPage<Props> {
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

/** Covers the page while the code is on its way: its single keys act no more (`useHotkey`). */
function OpeningDialog() {
  return <div hidden role="dialog" aria-label="加载中" data-state="open" />;
}

/**
 * A dialog whose code is loaded after the page that may open it. It stays mounted once opened, so
 * that it can fade out.
 */
export function lazyDialog<Props extends { open: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Dialog = lazyPage(load);
  return function LazyDialog(props: Props) {
    const [wasOpened, setOpened] = useState(false);
    if (props.open && !wasOpened) setOpened(true);
    useEffect(Dialog.prefetch, []);

    return wasOpened ? (
      <Suspense fallback={props.open ? <OpeningDialog /> : null}>
        <Dialog {...props} />
      </Suspense>
    ) : null;
  };
}
