import { ROLE_LABELS } from "@shared/roles.ts";
import { ChevronDown, LogOut, UserRound } from "lucide-react";
import { useLocation } from "wouter";
import { Avatar } from "@/components/ui/avatar";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { setTheme, type ThemeChoice, useTheme } from "@/lib/use-theme";
import { useCurrentUser, useSession } from "@/session/session";

const THEMES: readonly { value: ThemeChoice; label: string }[] = [
  { value: "light", label: "浅色" },
  { value: "dark", label: "深色" },
  { value: "system", label: "跟随系统" },
];

export function UserMenu() {
  const user = useCurrentUser();
  const { logout } = useSession();
  const theme = useTheme();
  const [, navigate] = useLocation();

  return (
    <DropdownMenu>
      <DropdownMenuTrigger className="flex h-10 min-w-0 items-center gap-2 rounded-md px-1.5 hover:bg-accent aria-expanded:bg-accent">
        <Avatar name={user.name} />
        <span className="sr-only">用户菜单</span>
        <span className="min-w-0 text-left max-lg:sr-only">
          <span className="block max-w-32 truncate text-sm leading-4 font-medium">{user.name}</span>
          <span className="block text-xs text-muted-foreground">{ROLE_LABELS[user.role]}</span>
        </span>
        <ChevronDown className="hidden size-4 text-muted-foreground lg:block" />
      </DropdownMenuTrigger>
      <DropdownMenuContent className="w-56">
        <DropdownMenuLabel className="flex items-center gap-2.5 py-2">
          <Avatar name={user.name} />
          <span className="min-w-0">
            <span className="block truncate text-base font-medium text-foreground">
              {user.name}
            </span>
            <span className="block truncate">
              {ROLE_LABELS[user.role]} · {user.username}
            </span>
          </span>
        </DropdownMenuLabel>
        <DropdownMenuSeparator />
        <DropdownMenuItem icon={<UserRound />} onSelect={() => navigate("/account")}>
          个人设置
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuLabel>主题</DropdownMenuLabel>
        <DropdownMenuRadioGroup
          aria-label="主题"
          value={theme}
          onValueChange={(value) =>
            setTheme(THEMES.find((choice) => choice.value === value)?.value ?? "system")
          }
        >
          {THEMES.map(({ value, label }) => (
            <DropdownMenuRadioItem
              key={value}
              value={value}
              onSelect={(event) => event.preventDefault()}
            >
              {label}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
        <DropdownMenuSeparator />
        <DropdownMenuItem icon={<LogOut />} onSelect={() => void logout()}>
          退出登录
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
