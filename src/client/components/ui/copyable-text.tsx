import { cn } from "@/lib/cn";
import { CopyButton } from "./copy-button";

type CopyableTextProps = {
  text: string;
  /** What it is, in the button's name: "资源 ID". */
  label: string;
  /** Ids, addresses and keys are mono. */
  mono?: boolean;
  className?: string;
};

/** Text with a copy button behind it; long text is cut, its whole in the title. */
export function CopyableText({ text, label, mono = true, className }: CopyableTextProps) {
  return (
    <span className={cn("inline-flex max-w-full min-w-0 items-center gap-0.5", className)}>
      <span title={text} className={cn("min-w-0 truncate", mono && "font-mono text-sm")}>
        {text}
      </span>
      <CopyButton text={text} label={`复制${label}`} />
    </span>
  );
}

/** Mono for an id or address without the button. */
export function Mono({ children, className }: { children: string; className?: string }) {
  return <span className={cn("font-mono text-sm [overflow-wrap:anywhere]", className)}>{children}</span>;
}
