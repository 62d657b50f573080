import { type RefObject, useEffect, useRef } from "react";
import { itemClass, Popover, PopoverAnchor, PopoverContent } from "@/components/ui/popover";
import { cn } from "@/lib/cn";
import { type Suggestion, suggestionId } from "./suggestions";

type SuggestionListProps = {
  id: string;
  label: string;
  /** What it stands below: a click there leaves it open. */
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
  suggestions: readonly Suggestion[];
  /** Which of them Enter takes; -1 for none. */
  active: number;
  onChoose: (suggestion: Suggestion) => void;
};

/** What may be meant, below a field in which somebody types; the focus stays there. */
export function SuggestionList(props: SuggestionListProps) {
  const { id, label, anchor, onClose, suggestions, active, onChoose } = props;

  function stayAtField(event: Event): void {
    const { target } = event;
    if (target instanceof Node && anchor.current?.contains(target)) event.preventDefault();
  }

  return (
    <Popover open onOpenChange={onClose}>
      <PopoverAnchor virtualRef={anchor} />
      <PopoverContent
        id={id}
        role="listbox"
        aria-label={label}
        className="max-h-64 overflow-y-auto overscroll-contain p-1"
        onOpenAutoFocus={keepFocus}
        onCloseAutoFocus={keepFocus}
        onInteractOutside={stayAtField}
      >
        {suggestions.map((suggestion, index) => (
          <Option
            key={suggestion.text}
            id={suggestionId(id, index)}
            suggestion={suggestion}
            isActive={index === active}
            onChoose={() => onChoose(suggestion)}
          />
        ))}
      </PopoverContent>
    </Popover>
  );
}

function keepFocus(event: Event): void {
  event.preventDefault();
}

type OptionProps = {
  id: string;
  suggestion: Suggestion;
  isActive: boolean;
  onChoose: () => void;
};

function Option({ id, suggestion: { text, detail }, isActive, onChoose }: OptionProps) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);

  return (
    // By the keyboard it is chosen in the field, which keeps the focus.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      data-selected={isActive}
      className={cn(itemClass, "cursor-pointer hover:bg-accent")}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span className="min-w-0 flex-1 truncate">{text}</span>
      <span className="shrink-0 text-xs text-muted-foreground tabular-nums">{detail}</span>
    </div>
  );
}
