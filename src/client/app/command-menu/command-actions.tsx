import { hasPermission } from "@shared/roles.ts";
import { Keyboard, KeyRound, type LucideIcon, Moon, RefreshCw, Sun, UserPlus } from "lucide-react";
import { useStartSync } from "@/components/sync/use-sync";
import { CommandGroup, CommandItem } from "@/components/ui/command";
import { notify } from "@/lib/notify";
import { setTheme, shownTheme, useTheme } from "@/lib/use-theme";
import { useCurrentUser } from "@/session/session";
import { matches } from "./matches";

type CommandActionsProps = ActionTargets & {
  text: string;
  onClose: () => void;
};

/** What can be done from anywhere, by the words that people type for it. */
export function CommandActions({ text, onClose, ...targets }: CommandActionsProps) {
  const actions = useActions(targets);
  const shown = actions.filter(
    ({ isAllowed, label, words }) => isAllowed && matches(text, label, words),
  );
  if (shown.length === 0) return null;

  return (
    <CommandGroup heading="操作">
      {shown.map(({ label, icon: Icon, run }) => (
        <CommandItem
          key={label}
          value={label}
          icon={<Icon />}
          onSelect={() => {
            onClose();
            run();
          }}
        >
          {label}
        </CommandItem>
      ))}
    </CommandGroup>
  );
}

type ActionTargets = {
  onGo: (href: string) => void;
  onCreateUser: () => void;
  onExplain: () => void;
};

interface Action {
  readonly label: string;
  /** Found by these as well. */
  readonly words: string;
  readonly icon: LucideIcon;
  readonly isAllowed: boolean;
  readonly run: () => void;
}

function useActions({ onGo, onCreateUser, onExplain }: ActionTargets): readonly Action[] {
  const { role } = useCurrentUser();
  const { start } = useStartSync(
    () => void notify.info("已开始同步", { message: "可在顶部查看进度" }),
  );
  // Draws the action anew when the theme changes.
  useTheme();
  const otherTheme = shownTheme() === "dark" ? "light" : "dark";

  return [
    {
      label: "同步全部主机",
      words: "sync tongbu",
      icon: RefreshCw,
      isAllowed: hasPermission(role, "hosts:sync"),
      run: () => start(),
    },
    {
      label: "创建用户",
      words: "user yonghu chuangjian",
      icon: UserPlus,
      isAllowed: hasPermission(role, "users:create"),
      run: onCreateUser,
    },
    {
      label: "新增配置",
      words: "config peizhi 云账号 密钥",
      icon: KeyRound,
      isAllowed: hasPermission(role, "configs:create"),
      run: () => onGo("/configs?new=true"),
    },
    {
      label: otherTheme === "dark" ? "切换主题：深色" : "切换主题：浅色",
      words: "theme zhuti",
      icon: otherTheme === "dark" ? Moon : Sun,
      isAllowed: true,
      run: () => setTheme(otherTheme),
    },
    {
      label: "查看快捷键",
      words: "keys kuaijiejian ?",
      icon: Keyboard,
      isAllowed: true,
      run: onExplain,
    },
  ];
}
