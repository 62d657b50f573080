import { isSuperAdmin, type Role } from "@shared/roles.ts";
import { Dialog, DialogBody, DialogContent, DialogHeader } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import type { DialogProps } from "@/lib/use-dialog";
import { useCurrentUser } from "@/session/session";

interface Shortcut {
  readonly keys: readonly string[];
  readonly act: string;
}

const EVERYWHERE: readonly Shortcut[] = [
  { keys: ["Ctrl", "K"], act: "查找页面、主机、IP 或用户（Mac 上是 ⌘ K）" },
  { keys: ["/"], act: "在本页搜索" },
  { keys: ["?"], act: "显示快捷键" },
  { keys: ["Esc"], act: "关闭最上面的窗口" },
  { keys: ["Alt", "T"], act: "移到通知" },
];
const RENEWALS: readonly Shortcut[] = [
  { keys: ["J"], act: "下一个申请" },
  { keys: ["K"], act: "上一个申请" },
  { keys: ["A"], act: "批准" },
  { keys: ["R"], act: "拒绝" },
];

/** The keys that work on a page, by `?`. */
export function ShortcutsDialog(dialog: DialogProps) {
  const { role } = useCurrentUser();
  return (
    <Dialog {...dialog}>
      <DialogContent size="sm">
        <DialogHeader title="快捷键" description="输入文字时不起作用" />
        <DialogBody className="grid gap-5">
          {groupsOf(role).map(({ heading, shortcuts }) => (
            <section key={heading} aria-label={heading}>
              <h3 className="mb-1 text-sm font-medium text-muted-foreground">{heading}</h3>
              <dl className="divide-y">
                {shortcuts.map(({ keys, act }) => (
                  <div key={act} className="flex min-h-9 items-center justify-between gap-4">
                    <dt>{act}</dt>
                    <dd className="flex shrink-0 gap-1">
                      {keys.map((key) => (
                        <Kbd key={key}>{key}</Kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}

function groupsOf(role: Role) {
  const everywhere = { heading: "所有页面", shortcuts: EVERYWHERE };
  if (!isSuperAdmin(role)) return [everywhere];
  return [everywhere, { heading: "续费管理", shortcuts: RENEWALS }];
}
