import { lazy, Suspense, useState } from "react";
import { useBack } from "@/lib/use-back";

const CommandMenuContent = lazy(() =>
  import("./command-menu-content").then((m) => ({ default: m.CommandMenuContent })),
);

type CommandMenuProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** Loads its code when it is first opened, and stays mounted so that it can fade out. */
export function CommandMenu({ open, onOpenChange }: CommandMenuProps) {
  const [wasOpened, setOpened] = useState(false);
  if (open && !wasOpened) setOpened(true);
  useBack(open, () => onOpenChange(false));
  if (!wasOpened) return null;
  return (
    <Suspense fallback={null}>
      <CommandMenuContent open={open} onOpenChange={onOpenChange} />
    </Suspense>
  );
}
