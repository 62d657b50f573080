import { UserRound } from "lucide-react";
import { CommandGroup, CommandItem } from "@/components/ui/command";
import { useCurrentUser } from "@/session/session";
import { navItemsFor } from "../nav";
import { matches } from "./matches";

const ACCOUNT = { href: "/account", label: "个人设置", icon: UserRound };

type CommandPagesProps = { text: string; onOpen: (href: string) => void };

/** The pages of the navigation, by name or address. */
export function CommandPages({ text, onOpen }: CommandPagesProps) {
  const { role } = useCurrentUser();
  const pages = [...navItemsFor(role), ACCOUNT].filter(({ label, href }) =>
    matches(text, label, href),
  );
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
