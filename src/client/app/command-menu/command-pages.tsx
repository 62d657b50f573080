import { isSuperAdmin } from "@shared/roles.ts";
import { CircleHelp, type LucideIcon, ServerOff, UserRound } from "lucide-react";
import { CommandGroup, CommandItem } from "@/components/ui/command";
import { useCurrentUser } from "@/session/session";
import { navItemsFor } from "../nav";
import { matches } from "./matches";

interface Page {
  readonly href: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Found by these as well. */
  readonly words?: string;
}

const ACCOUNT: Page = { href: "/account", label: "个人设置", icon: UserRound };
/** Lists that the navigation does not name. */
const LISTS: readonly Page[] = [
  {
    href: "/hosts?assigned=false",
    label: "未分配的主机",
    words: "weifenpei 空闲",
    icon: ServerOff,
  },
  { href: "/hosts/held", label: "待确认消失", words: "xiaoshi", icon: CircleHelp },
];

type CommandPagesProps = { text: string; onOpen: (href: string) => void };

/** The pages of the navigation, by name or address. */
export function CommandPages({ text, onOpen }: CommandPagesProps) {
  const { role } = useCurrentUser();
  // They are many, so they stand here only once they are asked for.
  const lists = isSuperAdmin(role) && text !== "" ? LISTS : [];
  const all: readonly Page[] = [...navItemsFor(role), ...lists, ACCOUNT];
  const pages = all.filter(({ label, href, words = "" }) => matches(text, label, href, words));
  if (pages.length === 0) return null;

  return (
    <CommandGroup heading="前往">
      {pages.map(({ href, label, icon: Icon }) => (
        <CommandItem
          key={href}
          value={href}
          icon={<Icon />}
          href={href}
          onSelect={() => onOpen(href)}
        >
          {label}
        </CommandItem>
      ))}
    </CommandGroup>
  );
}
