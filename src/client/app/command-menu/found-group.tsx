import { ListFilter, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { errorMessage } from "@/api/errors";
import { CommandGroup, CommandItem } from "@/components/ui/command";

export interface FoundRow {
  readonly id: string;
  readonly name: string;
  /** Behind the name, and below it. */
  readonly details: ReactNode;
  readonly trailing: string;
  readonly href: string;
}

type FoundGroupProps = {
  heading: string;
  icon: LucideIcon;
  query: { error: unknown };
  total: number | undefined;
  /** Of the list with everything that matches. */
  allHref: string;
  onOpen: (href: string) => void;
  rows: readonly FoundRow[] | undefined;
};

/** What the server found of one kind, and the way to all of it. */
export function FoundGroup({
  heading,
  icon: Icon,
  query,
  total = 0,
  allHref,
  onOpen,
  rows = [],
}: FoundGroupProps) {
  if (query.error !== null) {
    return (
      <p className="px-2 py-2 text-sm text-danger-ink">
        {heading}查找失败：{errorMessage(query.error)}
      </p>
    );
  }
  if (rows.length === 0) return null;

  return (
    <CommandGroup heading={heading}>
      {rows.map(({ id, name, details, trailing, href }) => (
        <CommandItem
          key={id}
          value={id}
          icon={<Icon />}
          trailing={trailing}
          href={href}
          onSelect={() => onOpen(href)}
        >
          {name} {details}
        </CommandItem>
      ))}
      {total > rows.length ? (
        <CommandItem
          value={`${heading}:all`}
          icon={<ListFilter />}
          href={allHref}
          onSelect={() => onOpen(allHref)}
        >
          查看全部 {total} 个匹配的{heading}
        </CommandItem>
      ) : null}
    </CommandGroup>
  );
}
