import { FileUp } from "lucide-react";
import { useId } from "react";
import { cn } from "@/lib/cn";

type DropZoneProps = {
  accept: string;
  hint: string;
  /** A file is held over the page, which takes it wherever it is dropped. */
  isOver: boolean;
  onFile: (file: File) => void;
};

/** Where a file is chosen or dropped; for the keyboard and the click it is a file input. */
export function DropZone({ accept, hint, isOver, onFile }: DropZoneProps) {
  const hintId = useId();

  return (
    // The input covers it all, and is what the keyboard reaches.
    <div
      className={cn(
        "relative grid min-h-32 place-items-center content-center gap-1 rounded-md border border-dashed border-border-strong bg-muted/60 px-4 py-5 text-center transition-colors",
        "hover:border-primary has-focus-visible:outline-2 has-focus-visible:outline-ring",
        isOver && "border-primary bg-primary-soft",
      )}
    >
      <FileUp className="size-5 text-muted-foreground" />
      <p className="font-medium">拖放文件到这里，或点击选择</p>
      <p id={hintId} className="text-sm text-muted-foreground">
        {hint}
      </p>
      <input
        type="file"
        accept={accept}
        aria-label="选择文件"
        aria-describedby={hintId}
        // A file of the same name may have been corrected: it is chosen again.
        onClick={({ currentTarget }) => {
          currentTarget.value = "";
        }}
        onChange={({ target }) => {
          const file = target.files?.item(0);
          if (file) onFile(file);
        }}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
    </div>
  );
}
