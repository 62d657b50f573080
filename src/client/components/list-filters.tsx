import { MAX_SEARCH_LENGTH, SEARCH_TOO_LONG } from "@shared/page.ts";
import { Search, X } from "lucide-react";
import { Link } from "wouter";
import { Button } from "@/components/ui/button";
import { activeFilterClass, Input } from "@/components/ui/input";
import { NativeSelect, type NativeSelectProps } from "@/components/ui/native-select";
import { cn } from "@/lib/cn";
import { isComposing } from "@/lib/composition";
import { halfWidthSearch } from "@/lib/half-width";
import { useDebouncedText } from "@/lib/use-debounced";

type SearchBoxProps = {
  label: string;
  placeholder: string;
  value: string;
  onSearch: (text: string) => void;
  className?: string;
};

/** Answers to the keyboard at once and searches when typing pauses; Enter searches at once. */
export function SearchBox({ label, placeholder, value, onSearch, className }: SearchBoxProps) {
  const { text, setText, setComposing, flush } = useDebouncedText({
    value,
    commit: onSearch,
    isAccepted: isSearch,
  });
  const isTooLong = !isSearch(text);

  return (
    <search className={className}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          flush();
        }}
      >
        <Input
          type="search"
          aria-label={label}
          placeholder={placeholder}
          leading={<Search />}
          value={text}
          rewrite={halfWidthSearch}
          aria-invalid={isTooLong || undefined}
          onChange={({ target, nativeEvent }) => {
            setText(target.value);
            setComposing(isComposing(nativeEvent));
          }}
          onCompositionEnd={() => setComposing(false)}
          trailing={
            text === "" ? undefined : (
              <button
                type="button"
                aria-label="清除搜索"
                onClick={() => flush("")}
                className="grid size-7 place-items-center rounded-sm text-muted-foreground hover:bg-accent hover:text-foreground"
              >
                <X className="size-4" />
              </button>
            )
          }
        />
      </form>
      {isTooLong ? (
        <p role="alert" className="mt-1 text-xs text-danger-ink">
          {SEARCH_TOO_LONG}
        </p>
      ) : null}
    </search>
  );
}

function isSearch(text: string): boolean {
  return text.length <= MAX_SEARCH_LENGTH;
}

type FilterSelectProps<Value extends string> = Pick<
  NativeSelectProps<Value>,
  "options" | "className"
> & {
  label: string;
  all: string;
  value: Value | undefined;
  onValueChange: (value: Value | undefined) => void;
};

/** A filter of a list: one of the options, or all. */
export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, all, value, onValueChange, options, className = "" } = props;
  return (
    <NativeSelect
      aria-label={label}
      className={className}
      isActive={value !== undefined}
      value={value ?? "all"}
      onValueChange={(chosen) => onValueChange(chosen === "all" ? undefined : chosen)}
      options={[{ value: "all", label: all }, ...options]}
    />
  );
}

type ClearFiltersProps = {
  search: { readonly isNarrowed: boolean; readonly clear: () => void };
};

/** Ends every filter and search of a list; there while one is set. */
export function ClearFilters({ search }: ClearFiltersProps) {
  if (!search.isNarrowed) return null;

  return (
    <Button variant="outline" onClick={search.clear}>
      清除筛选
    </Button>
  );
}

type FilterChipProps = {
  text: string;
  /** The page of what the filter names. */
  href?: string | undefined;
  onRemove: () => void;
};

/** A filter that is set, and the way to remove it. */
export function FilterChip({ text, href, onRemove }: FilterChipProps) {
  return (
    <span
      className={cn(
        activeFilterClass,
        "flex h-8.5 max-w-full items-center gap-0.5 rounded-md border pr-0.5 pl-3 text-sm",
      )}
    >
      {href === undefined ? (
        <span className="truncate" title={text}>
          {text}
        </span>
      ) : (
        <Link href={href} className="truncate rounded-sm hover:underline" title={text}>
          {text}
        </Link>
      )}
      <Button variant="ghost" size="sm" icon aria-label={`移除筛选：${text}`} onClick={onRemove}>
        <X />
      </Button>
    </span>
  );
}
