import { MAX_SEARCH_LENGTH, SEARCH_TOO_LONG } from "@shared/page.ts";
import { Command as Cmdk } from "cmdk";
import { Check, Search } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { errorMessage } from "@/api/errors";
import { Button } from "@/components/ui/button";
import { itemClass } from "@/components/ui/popover";
import { SearchInput } from "@/components/ui/search-input";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/cn";

export interface ComboboxOption {
  readonly value: string;
  readonly label: string;
  readonly description?: ReactNode;
  readonly disabled?: boolean;
}

/** Where the options come from. A failure is shown in their place, with a way to try again. */
interface OptionsQuery {
  readonly isFetching: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

export type ComboboxOptionsProps = {
  value: string | null;
  options: readonly ComboboxOption[];
  /**
   * With it the caller searches the options (debounce the query yourself); without it they are
   * filtered here.
   */
  onSearchChange?: (search: string) => void;
  query?: OptionsQuery;
  /**
   * The options are still those of an earlier search: Enter would choose somebody else than was
   * typed, and waits.
   */
  isOutdated?: boolean;
  note?: string | undefined;
  emptyText?: string;
  searchPlaceholder?: string;
};

/** The search box and the options below it. */
export function ComboboxOptions({
  value,
  options,
  onSearchChange,
  query,
  isOutdated = false,
  note,
  emptyText = "没有匹配的选项",
  searchPlaceholder = "搜索",
  onChoose,
}: ComboboxOptionsProps & { onChoose: (option: ComboboxOption) => void }) {
  const [search, setSearch] = useState("");
  const isTooLong = search.length > MAX_SEARCH_LENGTH;
  const shown = isTooLong ? [] : options;
  const list = useHighlightFirst(shown);

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
      label={searchPlaceholder}
      shouldFilter={onSearchChange === undefined}
      loop
      onKeyDown={(event) => {
        if (isOutdated && event.key === "Enter") event.preventDefault();
      }}
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
          placeholder={searchPlaceholder}
          className="md:text-base"
        />
      </div>
      <Cmdk.List
        ref={list}
        label="选项"
        aria-busy={isOutdated}
        className={cn(
          "max-h-64 overflow-y-auto overscroll-contain p-1 transition-opacity",
          isOutdated && "opacity-55",
        )}
      >
        {query?.error ? (
          <LoadError query={query} />
        ) : (
          <Cmdk.Empty className="px-2 py-6 text-center text-sm text-muted-foreground">
            {whyEmpty()}
          </Cmdk.Empty>
        )}
        {shown.map((option) => (
          <OptionItem
            key={option.value}
            option={option}
            isChosen={option.value === value}
            onChoose={() => onChoose(option)}
          />
        ))}
      </Cmdk.List>
      {note ? <p className="border-t px-3 py-2 text-xs text-muted-foreground">{note}</p> : null}
    </Cmdk>
  );
}

/**
 * Keeps an option highlighted when others are shown: cmdk loses its highlight when several leave at
 * once, and Enter would choose nothing. Home is its own way to the first. To be the ref of the list.
 */
function useHighlightFirst(options: readonly ComboboxOption[]) {
  const list = useRef<HTMLDivElement>(null);
  const shown = options.map(({ value }) => value).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown is what it follows.
  useEffect(() => {
    list.current?.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Home", bubbles: true, cancelable: true }),
    );
  }, [shown]);
  return list;
}

function LoadError({ query }: { query: OptionsQuery }) {
  return (
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
  );
}

type OptionItemProps = { option: ComboboxOption; isChosen: boolean; onChoose: () => void };

function OptionItem({ option, isChosen, onChoose }: OptionItemProps) {
  const { value, label, description, disabled = false } = option;
  return (
    <Cmdk.Item
      value={value}
      keywords={[label]}
      disabled={disabled}
      onSelect={onChoose}
      className={cn(itemClass, "pr-8")}
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate">{label}</span>
        {description ? (
          <span className="block truncate text-xs text-muted-foreground">{description}</span>
        ) : null}
      </span>
      {isChosen ? <Check className="absolute right-2 text-primary-ink" /> : null}
    </Cmdk.Item>
  );
}
