import { X } from "lucide-react";
import { Button } from "@/components/ui/button";

/** A value of a `ChipsField`, and the way to remove it. */
export function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <li className="inline-flex h-8.5 max-w-full items-center gap-0.5 rounded-full border border-primary/30 bg-primary-soft pr-0.5 pl-3 text-sm font-medium text-primary-ink tabular-nums">
      <span className="truncate" title={text}>
        {text}
      </span>
      <Button
        variant="ghost"
        size="sm"
        icon
        className="rounded-full text-primary-ink"
        aria-label={`移除 ${text}`}
        onClick={onRemove}
      >
        <X />
      </Button>
    </li>
  );
}
