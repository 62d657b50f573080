import { joinWords } from "@shared/join-words.ts";
import { Check, Copy } from "lucide-react";
import { cn } from "@/lib/cn";
import { useCopy } from "@/lib/use-copy";

type CopyableTextProps = {
  text: string;
  /** The name of the value, for the button: "资源 ID". */
  label: string;
  className?: string;
};

/** Text with a copy button behind it; long text is cut, its whole in the title. */
export function CopyableText({ text, label, className }: CopyableTextProps) {
  return (
    <span className={cn("inline-flex max-w-full min-w-0 items-center gap-0.5", className)}>
      <span title={text} className="min-w-0 truncate font-mono text-sm">
        {text}
      </span>
      <CopyButton text={text} label={label} />
    </span>
  );
}

export function Mono({ children, className }: { children: string; className?: string }) {
  return (
    <span className={cn("font-mono text-sm [overflow-wrap:anywhere]", className)}>{children}</span>
  );
}

/** Shows a tick when it has worked, and a toast only when it has not. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { isCopied, copy } = useCopy();

  return (
    <button
      type="button"
      data-slot="copy-button"
      aria-label={joinWords("复制", label)}
      onClick={(event) => {
        event.stopPropagation();
        void copy(text, event.currentTarget);
      }}
      className="inline-grid size-6 shrink-0 place-items-center rounded-sm text-muted-foreground transition-colors hover:bg-accent hover:text-foreground"
    >
      {isCopied ? <Check className="size-3.5 text-success-ink" /> : <Copy className="size-3.5" />}
      <span role="status" className="sr-only">
        {isCopied ? "已复制" : ""}
      </span>
    </button>
  );
}
