import { ChevronDown, X } from "lucide-react";
import { type Ref, use, useRef, useState } from "react";
import {
  type ComboboxOption,
  ComboboxOptions,
  type ComboboxOptionsProps,
} from "@/components/combobox-options";
import { FieldContext, useFieldControl } from "@/components/ui/field";
import { activeFilterClass, controlClass, controlSizes } from "@/components/ui/input";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { cn } from "@/lib/cn";

type ComboboxProps = ComboboxOptionsProps & {
  onValueChange: (value: string | null, option: ComboboxOption | null) => void;
  /** The label of a value that is not among the options (another page of them). */
  selectedLabel?: string | undefined;
  placeholder?: string;
  clearable?: boolean;
  /** Drawn as a filter that narrows its list. */
  isActive?: boolean;
  disabled?: boolean;
  "aria-label"?: string;
  ref?: Ref<HTMLButtonElement>;
};

/** One of many, found by typing: a button that shows the choice, above a list with a search box. */
export function Combobox({
  onValueChange,
  selectedLabel,
  placeholder = "请选择",
  clearable = false,
  isActive = false,
  disabled = false,
  "aria-label": label,
  ref,
  ...list
}: ComboboxProps) {
  const { value, options } = list;
  const [isOpen, setOpen] = useState(false);
  const control = useFieldControl({});
  const field = use(FieldContext);
  const box = useRef<HTMLDivElement>(null);
  const canClear = clearable && value !== null && !disabled;
  const chosen = options.find((option) => option.value === value);

  function choose(option: ComboboxOption): void {
    onValueChange(option.value, option);
    setOpen(false);
  }

  function clear(): void {
    onValueChange(null, null);
    box.current?.querySelector("button")?.focus();
  }

  return (
    <Popover open={isOpen} onOpenChange={setOpen}>
      <div ref={box} className="relative w-full min-w-0">
        <PopoverTrigger asChild>
          <button
            ref={ref}
            type="button"
            role="combobox"
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            aria-label={label}
            disabled={disabled}
            {...control}
            className={cn(
              controlClass,
              controlSizes.md,
              "flex items-center gap-2 text-left",
              canClear && "pr-10",
              isActive && activeFilterClass,
            )}
          >
            <span
              className={cn("min-w-0 flex-1 truncate", value === null && "text-subtle-foreground")}
            >
              {value === null ? placeholder : (chosen?.label ?? selectedLabel ?? value)}
            </span>
            {canClear ? null : <ChevronDown className="size-4 shrink-0 text-muted-foreground" />}
          </button>
        </PopoverTrigger>
        {canClear ? <ClearButton onClick={clear} /> : null}
      </div>
      <PopoverContent
        aria-label={label ?? placeholder}
        aria-labelledby={label === undefined ? field?.labelId : undefined}
      >
        <ComboboxOptions {...list} onChoose={choose} />
      </PopoverContent>
    </Popover>
  );
}

/** In the place of the arrow; a button beside the trigger, for a button cannot hold another. */
function ClearButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label="清除选择"
      onClick={onClick}
      className="absolute inset-y-0 right-2 my-auto grid size-6 place-items-center rounded-sm text-muted-foreground hover:bg-accent hover:text-foreground"
    >
      <X className="size-3.5" />
    </button>
  );
}
