import { Copy, LayoutDashboard, LogOut, RefreshCw, Server, Settings, Trash2, User } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Combobox } from "@/components/ui/combobox";
import { CommandGroup, CommandItem, CommandPalette } from "@/components/ui/command";
import {
  Dialog,
  DialogBody,
  DialogClose,
  DialogContent,
  DialogFooter,
  DialogForm,
  DialogHeader,
  DialogTrigger,
} from "@/components/ui/dialog";
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
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Kbd } from "@/components/ui/kbd";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { Select } from "@/components/ui/select";
import { Sheet, SheetContent, SheetTrigger } from "@/components/ui/sheet";
import { Tooltip } from "@/components/ui/tooltip";
import { notify } from "@/lib/notify";
import { useConfirm } from "@/lib/use-confirm";
import { useHotkey } from "@/lib/use-hotkey";
import { Row, Section } from "./section";

const sizes = ["sm", "md", "lg", "xl", "2xl"] as const;
const manyFields = Array.from({ length: 12 }, (_, index) => `字段 ${index + 1}`);
const regions = [
  { value: "cn-bj2", label: "华北（北京）" },
  { value: "cn-sh2", label: "华东（上海）" },
  { value: "hk", label: "香港" },
];

export function OverlayExamples() {
  return (
    <Section title="浮层">
      <Row label="对话框">
        {sizes.map((size) => (
          <ExampleDialog key={size} size={size} />
        ))}
        <ExampleConfirm />
      </Row>
      <Row label="抽屉">
        {(["left", "right", "bottom"] as const).map((side) => (
          <Sheet key={side}>
            <SheetTrigger asChild>
              <Button variant="outline">抽屉 {side}</Button>
            </SheetTrigger>
            <SheetContent side={side}>
              <DialogHeader title="筛选" />
              <DialogBody className="grid content-start gap-4">
                <ExampleFields />
              </DialogBody>
            </SheetContent>
          </Sheet>
        ))}
      </Row>
      <Row label="菜单与提示">
        <ExampleMenu />
        <Popover>
          <PopoverTrigger asChild>
            <Button variant="outline">弹出层</Button>
          </PopoverTrigger>
          <PopoverContent aria-label="同步进度">
            <p className="font-medium">同步进度</p>
            <p className="mt-1 text-sm text-muted-foreground">已同步 546 / 1302 台，用时 01:12</p>
          </PopoverContent>
        </Popover>
        <Tooltip content="复制资源 ID">
          <Button variant="outline" icon aria-label="复制资源 ID">
            <Copy aria-hidden="true" />
          </Button>
        </Tooltip>
        <ExamplePalette />
      </Row>
    </Section>
  );
}

function ExampleFields() {
  const [region, setRegion] = useState<string | undefined>("cn-bj2");
  const [user, setUser] = useState<string | null>(null);
  return (
    <>
      <Field label="配置名称" required>
        <Input defaultValue="华北主账号" />
      </Field>
      <Field label="默认区域">
        <Select value={region} onValueChange={setRegion} options={regions} />
      </Field>
      <Field label="用户" help="只列出已启用的客户">
        <Combobox
          value={user}
          onValueChange={setUser}
          options={Array.from({ length: 30 }, (_, index) => ({
            value: String(index),
            label: `客户 ${index + 1}`,
            description: `client_${index + 1}`,
          }))}
        />
      </Field>
    </>
  );
}

function ExampleDialog({ size }: { size: (typeof sizes)[number] }) {
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button variant="outline">对话框 {size}</Button>
      </DialogTrigger>
      <DialogContent size={size}>
        <DialogHeader title="编辑配置" description="密钥留空则保留原来的值" />
        <DialogForm onSubmit={(event) => event.preventDefault()}>
          <DialogBody className="grid content-start gap-4">
            <ExampleFields />
            {size === "lg"
              ? manyFields.map((label) => (
                  <Field key={label} label={label}>
                    <Input />
                  </Field>
                ))
              : null}
          </DialogBody>
          <DialogFooter>
            <DialogClose asChild>
              <Button variant="outline">取消</Button>
            </DialogClose>
            <Button type="submit">保存</Button>
          </DialogFooter>
        </DialogForm>
      </DialogContent>
    </Dialog>
  );
}

function ExampleConfirm() {
  const { confirm, confirmDialog } = useConfirm();
  return (
    <>
      <Button
        variant="danger"
        onClick={() =>
          confirm({
            title: "删除用户",
            description: (
              <>
                将删除用户 <strong>张伟（zhangwei）</strong>：登录立即失效，2 台主机的分配结束，1
                个待处理的续费申请被取消。
              </>
            ),
            confirmLabel: "删除",
            onConfirm: async () => {
              await new Promise((resolve) => setTimeout(resolve, 900));
              notify.success("删除成功", "用户 zhangwei 已删除");
            },
          })
        }
      >
        <Trash2 aria-hidden="true" />
        删除用户
      </Button>
      {confirmDialog}
    </>
  );
}

function ExampleMenu() {
  const [theme, setTheme] = useState("system");
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="outline">用户菜单</Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="w-56">
        <DropdownMenuLabel>张伟 · 超级管理员</DropdownMenuLabel>
        <DropdownMenuItem icon={<User />}>个人设置</DropdownMenuItem>
        <DropdownMenuItem icon={<Settings />} trailing={<Kbd>S</Kbd>}>
          系统配置
        </DropdownMenuItem>
        <DropdownMenuItem icon={<RefreshCw />} disabled>
          同步主机
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuRadioGroup value={theme} onValueChange={setTheme}>
          <DropdownMenuRadioItem value="light">浅色</DropdownMenuRadioItem>
          <DropdownMenuRadioItem value="dark">深色</DropdownMenuRadioItem>
          <DropdownMenuRadioItem value="system">跟随系统</DropdownMenuRadioItem>
        </DropdownMenuRadioGroup>
        <DropdownMenuSeparator />
        <DropdownMenuItem icon={<LogOut />} tone="danger">
          退出登录
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function ExamplePalette() {
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  useHotkey("mod+k", () => setOpen(true));
  return (
    <>
      <Button variant="outline" onClick={() => setOpen(true)}>
        命令面板 <Kbd>Ctrl K</Kbd>
      </Button>
      <CommandPalette open={isOpen} onOpenChange={setOpen} search={search} onSearchChange={setSearch}>
        <CommandGroup heading="页面">
          <CommandItem value="dashboard" keywords={["控制台"]} icon={<LayoutDashboard />}>
            控制台
          </CommandItem>
          <CommandItem value="hosts" keywords={["主机管理"]} icon={<Server />} trailing="转到">
            主机管理
          </CommandItem>
        </CommandGroup>
        <CommandGroup heading="操作">
          <CommandItem value="sync" keywords={["同步主机"]} icon={<RefreshCw />}>
            同步全部主机
          </CommandItem>
        </CommandGroup>
      </CommandPalette>
    </>
  );
}
