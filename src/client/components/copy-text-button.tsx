import { Check, Copy } from "lucide-react";
import { Button } from "@/components/ui/button";
import { useCopy } from "@/lib/use-copy";

/** Puts a whole text on the clipboard, among other ways to keep it. */
export function CopyTextButton({ text }: { text: string }) {
  const { isCopied, copy } = useCopy();
  return (
    <Button variant="outline" size="sm" onClick={(event) => void copy(text, event.currentTarget)}>
      {isCopied ? <Check /> : <Copy />}
      {isCopied ? "已复制" : "复制"}
    </Button>
  );
}
