import { type ComponentType, Suspense, useEffect, useState } from "react";
import { lazyPage } from "./lazy-page";

/** A dialog whose code is loaded after the page that may open it. It stays mounted once opened, so that it can fade out. */
export function lazyDialog<Props extends { open: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Dialog = lazyPage(load);
  return function LazyDialog(props: Props) {
    const [wasOpened, setOpened] = useState(false);
    if (props.open && !wasOpened) setOpened(true);
    useEffect(Dialog.prefetch, []);
    return wasOpened ? (
      <Suspense fallback={null}>
        <Dialog {...props} />
      </Suspense>
    ) : null;
  };
}
