import { MAX_SEARCH_LENGTH, SEARCH_TOO_LONG } from "@shared/page.ts";
import { Command as Cmdk } from "cmdk";
import { Search } from "lucide-react";
import { Dialog as RadixDialog } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { Dialog, ModalContent } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import { itemClass } from "@/components/ui/popover";
import { SearchInput } from "@/components/ui/search-input";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/cn";
import { opensElsewhere } from "@/lib/follow";
import type { DialogProps } from "@/lib/use-dialog";

type CommandPaletteProps = DialogProps & {
  search: string;
  onSearchChange: (search: string) => void;
  /** Results are still arriving for this search. */
  isLoading: boolean;
  /** A search failed, which is said in its group: that nothing was found is not known then. */
  isFailed: boolean;
  placeholder: string;
  /** `CommandGroup`s of `CommandItem`s. */
  children: ReactNode;
};

/** The window of Ctrl-K: search above, groups of actions below. */
export function CommandPalette({
  open,
  onOpenChange,
  search,
  onSearchChange,
  isLoading,
  isFailed,
  placeholder,
  children,
}: CommandPaletteProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <ModalContent
        // Also on touch screens.
        onOpenAutoFocus={focusAtEnd}
        className="inset-x-3 top-[12dvh] mx-auto max-w-xl rounded-md border data-[state=closed]:animate-fade-out data-[state=open]:animate-rise-in"
      >
        <RadixDialog.Title className="sr-only">命令面板</RadixDialog.Title>
        <RadixDialog.Description className="sr-only">
          输入文字查找，上下键选择，回车执行
        </RadixDialog.Description>
        <Cmdk label="命令面板" shouldFilter={false} loop>
          <div className="flex h-12 items-center gap-2.5 border-b px-3.5">
            {isLoading ? (
              <Spinner size="sm" />
            ) : (
              <Search className="size-4 shrink-0 text-muted-foreground" />
            )}
            <SearchInput
              search={search}
              onSearchChange={onSearchChange}
              placeholder={placeholder}
            />
            <Kbd>Esc</Kbd>
          </div>
          <Cmdk.List
            label="结果"
            className="max-h-[min(70dvh,34rem)] overflow-y-auto overscroll-contain p-1.5"
          >
            {isFailed ? null : (
              <Cmdk.Empty className="py-10 text-center text-sm text-muted-foreground">
                {emptyText(search, isLoading)}
              </Cmdk.Empty>
            )}
            {children}
          </Cmdk.List>
        </Cmdk>
      </ModalContent>
    </Dialog>
  );
}

/**
 * Radix would select what was typed before the search box was drawn, and the next key would replace
 * it.
 */
function focusAtEnd(event: Event): void {
  if (!(event.currentTarget instanceof HTMLElement)) return;

  event.preventDefault();
  const box = event.currentTarget.querySelector("input");
  box?.focus();
  box?.setSelectionRange(box.value.length, box.value.length);
}

function emptyText(search: string, isLoading: boolean): string {
  if (search.length > MAX_SEARCH_LENGTH) return SEARCH_TOO_LONG;
  return isLoading ? "正在查找…" : "没有找到匹配的内容";
}

export function CommandGroup(props: { heading: string; children: ReactNode }) {
  return (
    <Cmdk.Group
      data-slot="command-group"
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted-foreground"
      {...props}
    />
  );
}

type CommandItemProps = ComponentProps<typeof Cmdk.Item> & {
  icon?: ReactNode;
  trailing?: ReactNode;
  /** Where it leads: with Ctrl or the middle button, in a new tab. */
  href?: string;
};

/**
 * Give a `value` that is unique in the list (an id) and the words people would type as `keywords`.
 */
export function CommandItem({ icon, trailing, href, children, ...rest }: CommandItemProps) {
  const content = (
    <>
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {trailing ? <span className="shrink-0 text-xs text-muted-foreground">{trailing}</span> : null}
    </>
  );
  const shared = { "data-slot": "command-item", className: cn(itemClass, "min-h-9"), ...rest };
  if (href === undefined) return <Cmdk.Item {...shared}>{content}</Cmdk.Item>;

  return (
    <Cmdk.Item {...shared} asChild>
      <a
        href={href}
        // The arrow keys of the list reach it.
        tabIndex={-1}
        draggable={false}
        onClickCapture={(event) => {
          // Either the browser follows the link, in a new tab, or the list hears that the item was
          // chosen.
          if (opensElsewhere(event)) event.stopPropagation();
          else event.preventDefault();
        }}
      >
        {content}
      </a>
    </Cmdk.Item>
  );
}
