import { MAX_SEARCH_LENGTH, SEARCH_TOO_LONG } from "@shared/page.ts";
import { Command as Cmdk } from "cmdk";
import { Check, ChevronDown, Search, X } from "lucide-react";
import { type ReactNode, type Ref, use, useEffect, useRef, useState } from "react";
import { errorMessage } from "@/api/errors";
import { Button } from "@/components/ui/button";
import { FieldContext, useFieldControl } from "@/components/ui/field";
import { activeFilterClass, controlClass, controlSizes } from "@/components/ui/input";
import { itemClass, Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { SearchInput } from "@/components/ui/search-input";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/cn";

type ComboboxOption = { value: string; label: string; description?: ReactNode; disabled?: boolean };

type ComboboxProps = {
  value: string | null;
  onValueChange: (value: string | null, option: ComboboxOption | null) => void;
  options: readonly ComboboxOption[];
  /** The label of a value that is not among the options (another page of them). */
  selectedLabel?: string | undefined;
  /**
   * With it the caller searches the options (debounce the query yourself); without it they are
   * filtered here.
   */
  onSearchChange?: (search: string) => void;
  /** Of the options. Its failure is shown in their place, with a way to try again. */
  query?: { isFetching: boolean; error: unknown; refetch: () => unknown };
  note?: string | undefined;
  emptyText?: string;
  placeholder?: string;
  searchPlaceholder?: string;
  clearable?: boolean;
  /** Drawn as a filter that narrows its list. */
  isActive?: boolean;
  disabled?: boolean;
  "aria-label"?: string;
  ref?: Ref<HTMLButtonElement>;
};

export function Combobox(props: ComboboxProps) {
  const {
    value,
    onValueChange,
    options,
    placeholder = "请选择",
    clearable = false,
    disabled = false,
  } = props;
  const [isOpen, setOpen] = useState(false);
  const control = useFieldControl({});
  const field = use(FieldContext);
  const chosenLabel =
    options.find((option) => option.value === value)?.label ?? props.selectedLabel ?? value;
  const canClear = clearable && value !== null && !disabled;
  const box = useRef<HTMLDivElement>(null);

  function choose(option: ComboboxOption): void {
    onValueChange(option.value, option);
    setOpen(false);
  }

  return (
    <Popover open={isOpen} onOpenChange={setOpen}>
      <div ref={box} className="relative w-full min-w-0">
        <PopoverTrigger asChild>
          <button
            ref={props.ref}
            type="button"
            role="combobox"
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            aria-label={props["aria-label"]}
            disabled={disabled}
            {...control}
            className={cn(
              controlClass,
              controlSizes.md,
              "flex items-center gap-2 text-left",
              canClear && "pr-10",
              props.isActive && activeFilterClass,
            )}
          >
            <span
              className={cn("min-w-0 flex-1 truncate", value === null && "text-subtle-foreground")}
            >
              {value === null ? placeholder : chosenLabel}
            </span>
            {canClear ? null : <ChevronDown className="size-4 shrink-0 text-muted-foreground" />}
          </button>
        </PopoverTrigger>
        {canClear ? (
          <button
            type="button"
            aria-label="清除选择"
            onClick={() => {
              onValueChange(null, null);
              box.current?.querySelector("button")?.focus();
            }}
            className="absolute inset-y-0 right-2 my-auto grid size-6 place-items-center rounded-sm text-muted-foreground hover:bg-accent hover:text-foreground"
          >
            <X className="size-3.5" />
          </button>
        ) : null}
      </div>
      <PopoverContent
        aria-label={props["aria-label"] ?? placeholder}
        aria-labelledby={props["aria-label"] ? undefined : field?.labelId}
      >
        <OptionList {...props} onChoose={choose} />
      </PopoverContent>
    </Popover>
  );
}

function OptionList({
  onChoose,
  ...props
}: ComboboxProps & { onChoose: (option: ComboboxOption) => void }) {
  const { options, value, query, onSearchChange, emptyText = "没有匹配的选项", note } = props;
  const list = useRef<HTMLDivElement>(null);
  const [search, setSearch] = useState("");
  const isTooLong = search.length > MAX_SEARCH_LENGTH;
  const shownOptions = isTooLong ? [] : options;
  const shown = shownOptions.map((option) => option.value).join();
  // cmdk loses its highlight when several options leave at once, and Enter would choose nothing:
  // Home is its own way to the first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown is what it follows.
  useEffect(() => {
    list.current?.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Home", bubbles: true, cancelable: true }),
    );
  }, [shown]);

  function searchFor(text: string): void {
    setSearch(text);
    if (text.length <= MAX_SEARCH_LENGTH) onSearchChange?.(text);
  }

  function whyEmpty(): string {
    if (isTooLong) return SEARCH_TOO_LONG;
    return query?.isFetching ? "加载中..." : emptyText;
  }

  return (
    <Cmdk
      label={props.searchPlaceholder ?? "搜索"}
      shouldFilter={onSearchChange === undefined}
      loop
    >
      <div className="flex h-9.5 items-center gap-2 border-b px-3">
        {query?.isFetching ? (
          <Spinner size="sm" />
        ) : (
          <Search className="size-4 shrink-0 text-muted-foreground" />
        )}
        <SearchInput
          search={search}
          onSearchChange={searchFor}
          placeholder={props.searchPlaceholder ?? "搜索"}
          className="md:text-base"
        />
      </div>
      <Cmdk.List
        ref={list}
        label="选项"
        className="max-h-64 overflow-y-auto overscroll-contain p-1"
      >
        {query?.error ? (
          <div
            role="alert"
            className="grid justify-items-center gap-3 px-2 py-6 text-center text-sm text-danger-ink"
          >
            加载失败：{errorMessage(query.error)}
            <Button
              variant="outline"
              size="sm"
              loading={query.isFetching}
              onClick={() => query.refetch()}
            >
              重试
            </Button>
          </div>
        ) : (
          <Cmdk.Empty className="px-2 py-6 text-center text-sm text-muted-foreground">
            {whyEmpty()}
          </Cmdk.Empty>
        )}
        {shownOptions.map((option) => (
          <Cmdk.Item
            key={option.value}
            value={option.value}
            keywords={[option.label]}
            disabled={option.disabled ?? false}
            onSelect={() => onChoose(option)}
            className={cn(itemClass, "pr-8")}
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate">{option.label}</span>
              {option.description ? (
                <span className="block truncate text-xs text-muted-foreground">
                  {option.description}
                </span>
              ) : null}
            </span>
            {option.value === value ? (
              <Check className="absolute right-2 text-primary-ink" />
            ) : null}
          </Cmdk.Item>
        ))}
      </Cmdk.List>
      {note ? <p className="border-t px-3 py-2 text-xs text-muted-foreground">{note}</p> : null}
    </Cmdk>
  );
}
