import { isSuperAdmin, type Role } from "@shared/roles.ts";
import { Link } from "wouter";
import { Dialog, DialogBody, DialogContent, DialogHeader } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import type { DialogProps } from "@/lib/use-dialog";
import { useCurrentUser } from "@/session/session";
import { useSingleKeys } from "@/session/single-keys";

/** By `keys` pressed together; a single one acts unless it is switched off. */
interface Shortcut {
  readonly keys: readonly string[];
  readonly act: string;
}

/** There the command key does what Ctrl does elsewhere. */
const IS_MAC = /mac|iphone|ipad/i.test(navigator.userAgent);

const MOD = IS_MAC ? "⌘" : "Ctrl";
const ALT = IS_MAC ? "⌥" : "Alt";

const EVERYWHERE: readonly Shortcut[] = [
  { keys: [MOD, "K"], act: "查找页面、主机、IP、用户或手机号" },
  { keys: ["/"], act: "在本页搜索" },
  { keys: ["B"], act: "勾选之后，移到批量操作" },
  { keys: ["?"], act: "显示快捷键" },
  { keys: ["Esc"], act: "关闭最上面的窗口" },
  { keys: [MOD, "Enter"], act: "提交打开的表单" },
  { keys: [ALT, "T"], act: "移到提示" },
];
const RENEWALS: readonly Shortcut[] = [
  { keys: ["J"], act: "下一个申请" },
  { keys: ["K"], act: "上一个申请" },
  { keys: ["A"], act: "批准" },
  { keys: ["R"], act: "拒绝" },
  { keys: ["Enter"], act: "提交打开的处理窗口" },
];

/** The keys that work on a page, by `?`. */
export function ShortcutsDialog(dialog: DialogProps) {
  return (
    <Dialog {...dialog}>
      <DialogContent size="sm">
        <DialogHeader title="快捷键" description="输入文字时不起作用" />
        <ShortcutList onLeave={() => dialog.onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

/** Drawn each time that the dialog opens: the single keys may have been switched meanwhile. */
function ShortcutList({ onLeave }: { onLeave: () => void }) {
  const { role } = useCurrentUser();
  const [areSingleKeysOn] = useSingleKeys();

  return (
    <DialogBody className="grid gap-5">
      {groupsOf(role, areSingleKeysOn).map(({ heading, shortcuts }) => (
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
      <p className="text-sm text-muted-foreground">
        {areSingleKeysOn ? "不需要单键快捷键时，可以在" : "单键快捷键已关闭，可以在"}
        <Link
          href="/account"
          className="mx-1 rounded-sm text-primary-ink underline"
          onClick={onLeave}
        >
          个人设置
        </Link>
        {areSingleKeysOn ? "中关闭。" : "中打开。"}
      </p>
    </DialogBody>
  );
}

function groupsOf(role: Role, areSingleKeysOn: boolean) {
  if (!areSingleKeysOn) {
    return [{ heading: "所有页面", shortcuts: EVERYWHERE.filter((each) => !isSingleKey(each)) }];
  }

  const everywhere = { heading: "所有页面", shortcuts: EVERYWHERE };
  if (!isSuperAdmin(role)) return [everywhere];
  return [everywhere, { heading: "续费管理", shortcuts: RENEWALS }];
}

/** One that writes a character: Esc does not. */
function isSingleKey({ keys: [key = "", ...others] }: Shortcut): boolean {
  return others.length === 0 && key.length === 1;
}
