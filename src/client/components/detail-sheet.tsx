import { type ReactNode, useState } from "react";
import { Sheet, SheetContent } from "@/components/ui/sheet";

type DetailSheetProps = {
  /** Of the row that the address names; undefined closes the sheet. */
  id: string | undefined;
  onClose: () => void;
  size?: "md" | "lg";
  children: (id: string) => ReactNode;
};

/** The details of a row, over its list. They stay drawn while the sheet slides out. */
export function DetailSheet({ id, onClose, size = "md", children }: DetailSheetProps) {
  const [lastId, setLastId] = useState(id);
  if (id !== undefined && id !== lastId) setLastId(id);
  const shownId = id ?? lastId;

  return (
    <Sheet open={id !== undefined} onOpenChange={(open) => !open && onClose()}>
      <SheetContent size={size}>{shownId === undefined ? null : children(shownId)}</SheetContent>
    </Sheet>
  );
}
