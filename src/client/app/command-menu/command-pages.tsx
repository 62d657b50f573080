import { isSuperAdmin } from "@shared/roles.ts";
import {
  Bell,
  CircleHelp,
  FileDown,
  FileUp,
  type LucideIcon,
  ServerOff,
  UserRound,
} from "lucide-react";
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

/** Of every role; the top bar leads there. */
const OWN: readonly Page[] = [
  { href: "/notices", label: "通知", words: "tongzhi 消息 提醒", icon: Bell },
  { href: "/account", label: "个人设置", icon: UserRound },
];
/** Lists that the navigation does not name. */
const LISTS: readonly Page[] = [
  {
    href: "/hosts?assigned=false",
    label: "未分配的主机",
    words: "weifenpei 空闲",
    icon: ServerOff,
  },
  { href: "/hosts/held", label: "待确认消失", words: "xiaoshi", icon: CircleHelp },
  { href: "/users/import", label: "导入用户", words: "daoru csv 批量", icon: FileUp },
  { href: "/hosts/import", label: "导入分配", words: "daoru csv 批量 主机", icon: FileUp },
];

/** Of every role, and only once they are asked for, like `LISTS`. */
const EXPORT_HOSTS: Page = {
  href: "/hosts?view=table",
  label: "导出主机",
  words: "daochu csv 表格",
  icon: FileDown,
};
/** Pages whose list can be exported are found by that as well; the button is on the page. */
const EXPORT_WORDS = "导出 daochu csv";
const EXPORTING: readonly string[] = [
  "/users",
  "/my-clients",
  "/renewals",
  "/admin/renewals",
  "/client/renewals",
  "/audit",
];

type CommandPagesProps = { text: string; onOpen: (href: string) => void };

/** The pages of the navigation, by name or address. */
export function CommandPages({ text, onOpen }: CommandPagesProps) {
  const { role } = useCurrentUser();
  // They are many, so they stand here only once they are asked for.
  const lists = isSuperAdmin(role) ? [...LISTS, EXPORT_HOSTS] : [EXPORT_HOSTS];
  const asked = text === "" ? [] : lists;
  const all: readonly Page[] = [...navItemsFor(role), ...asked, ...OWN];
  const pages = all.filter(({ label, href, words = "" }) => {
    const exportWords = EXPORTING.includes(href) ? EXPORT_WORDS : "";
    return matches(text, label, href, words, exportWords);
  });
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
