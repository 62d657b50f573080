import { Command as Cmdk } from "cmdk";
import { useState } from "react";
import { cn } from "@/lib/cn";
import { isComposing } from "@/lib/composition";
import { halfWidthSearch } from "@/lib/half-width";
import { rewritingHandlers } from "@/lib/rewrite-field";

type SearchInputProps = {
  /** What the list below is searched for: what was typed, without a text that is being composed. */
  search: string;
  onSearchChange: (search: string) => void;
  placeholder: string;
  className?: string;
};

/**
 * The box above a list of cmdk. It shows the text of a composition, and hands it on when it is
 * complete: until then the list stays as it is.
 */
export function SearchInput({ search, onSearchChange, placeholder, className }: SearchInputProps) {
  const [composed, setComposed] = useState<string | null>(null);
  const handlers = rewritingHandlers(halfWidthSearch, {
    onChange({ target, nativeEvent }) {
      if (isComposing(nativeEvent)) setComposed(target.value);
      else handOn(target.value);
    },
    onCompositionEnd({ currentTarget }) {
      handOn(currentTarget.value);
    },
  });

  function handOn(text: string): void {
    setComposed(null);
    onSearchChange(text);
  }

  return (
    // cmdk searches for its own value at once; the input inside has the value that is shown.
    <Cmdk.Input asChild value={search}>
      <input
        {...handlers}
        value={composed ?? search}
        placeholder={placeholder}
        className={cn("h-full min-w-0 flex-1 bg-transparent text-lg outline-none", className)}
      />
    </Cmdk.Input>
  );
}
