import { KeyRound, type LucideIcon, ShieldCheck, UserCog, Wifi } from "lucide-react";
import type { ReactNode } from "react";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";

type Note = { title: string; icon: LucideIcon; text: ReactNode };

const notes: readonly Note[] = [
  {
    title: "在哪里获取密钥",
    icon: KeyRound,
    text: "登录 UCloud 控制台，进入“账号 → API 密钥”，复制公钥和私钥填入配置。复制时请勿带上首尾空格。",
  },
  {
    title: "需要哪些权限",
    icon: ShieldCheck,
    text: "只读即可：列出地域、列出项目、查询云主机。建议使用专门的子账号并只授予云主机只读权限，本系统不会对云主机做任何修改。",
  },
  {
    title: "IP 白名单",
    icon: Wifi,
    text: "如果主账号设置了 API 访问白名单，请把本系统服务器的公网 IP 加入白名单。白名单对所有子账号同时生效。",
  },
  {
    title: "使用子账号密钥",
    icon: UserCog,
    text: "子账号必须在配置中填写有权限的项目 ID；如果它也无权列出地域，则只读取默认地域。",
  },
];

export function UsageNotes() {
  return (
    <Card>
      <CardHeader>
        <CardTitle>使用说明</CardTitle>
      </CardHeader>
      <CardContent>
        <ul className="grid gap-x-8 gap-y-4 sm:grid-cols-2 xl:grid-cols-4">
          {notes.map(({ title, icon: Icon, text }) => (
            <li key={title} className="flex gap-3">
              <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
              <div>
                <h3 className="text-sm font-medium">{title}</h3>
                <p className="mt-0.5 text-sm text-muted-foreground">{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </CardContent>
    </Card>
  );
}
