import { zodResolver } from "@hookform/resolvers/zod";
import { LayoutList, Search, Table2 } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from "@/components/ui/card";
import { CheckboxField } from "@/components/ui/checkbox";
import { Combobox } from "@/components/ui/combobox";
import { DateTimePicker } from "@/components/ui/date-time-picker";
import { Field } from "@/components/ui/field";
import { FormField } from "@/components/ui/form-field";
import { Input } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { RadioGroup } from "@/components/ui/radio-group";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Select } from "@/components/ui/select";
import { SwitchField } from "@/components/ui/switch";
import { Textarea } from "@/components/ui/textarea";
import { currentSeconds, formatDateTime } from "@/lib/format";
import { notify } from "@/lib/notify";
import { Section } from "./section";

const roles = [
  { value: "admin", label: "管理员" },
  { value: "client", label: "C端用户" },
  { value: "super_admin", label: "超级管理员", disabled: true },
] as const;

const clients = [
  { value: "1", label: "张伟", description: "zhangwei · zhangwei@example.com" },
  { value: "2", label: "李娜", description: "lina · lina@example.com" },
  { value: "3", label: "王芳（已停用）", description: "wangfang", disabled: true },
];

export function FormExamples() {
  return (
    <Section title="表单">
      <div className="grid gap-4 lg:grid-cols-2">
        <LiveForm />
        <FieldStates />
      </div>
      <Choices />
    </Section>
  );
}

const NewUser = z.object({
  username: z.string().min(3, "用户名至少3个字符"),
  password: z.string().min(8, "密码至少8个字符"),
  phone: z.string().regex(/^(1[3-9]\d{9})?$/, "手机号格式不正确"),
  role: z.enum(["admin", "client", "super_admin"]),
  adminId: z.string().nullable(),
  remark: z.string().max(500, "备注最多500个字符"),
});

function LiveForm() {
  const form = useForm({
    resolver: zodResolver(NewUser),
    defaultValues: { username: "", password: "", phone: "", role: "client", adminId: null, remark: "" },
  });
  const remark = form.watch("remark");
  return (
    <Card>
      <form
        noValidate
        onSubmit={form.handleSubmit(async (user) => {
          await new Promise((resolve) => setTimeout(resolve, 800));
          notify.success("创建成功", `用户 ${user.username} 已创建`);
        })}
      >
        <CardHeader>
          <CardTitle level={3}>创建用户</CardTitle>
          <CardDescription>空着提交可以看到错误提示</CardDescription>
        </CardHeader>
        <CardContent className="grid gap-4 sm:grid-cols-2">
          <FormField control={form.control} name="username" label="用户名" required>
            {(field) => <Input {...field} autoComplete="off" placeholder="字母、数字或下划线" />}
          </FormField>
          <FormField control={form.control} name="password" label="密码" required>
            {(field) => <PasswordInput {...field} autoComplete="new-password" />}
          </FormField>
          <FormField control={form.control} name="phone" label="手机号" help="用于续费通知，可不填">
            {(field) => <Input {...field} type="tel" inputMode="tel" />}
          </FormField>
          <FormField control={form.control} name="role" label="角色" required>
            {({ onChange, ...field }) => <Select {...field} onValueChange={onChange} options={roles} />}
          </FormField>
          <FormField control={form.control} name="adminId" label="所属管理员" className="sm:col-span-2">
            {({ onChange, ...field }) => (
              <Combobox {...field} onValueChange={onChange} options={clients} clearable placeholder="未分配管理员" />
            )}
          </FormField>
          <FormField
            control={form.control}
            name="remark"
            label="备注"
            aside={`${remark.length} / 500`}
            className="sm:col-span-2"
          >
            {(field) => <Textarea {...field} />}
          </FormField>
        </CardContent>
        <CardFooter className="justify-end">
          <Button variant="outline" onClick={() => form.reset()}>
            重置
          </Button>
          <Button type="submit" loading={form.formState.isSubmitting}>
            创建
          </Button>
        </CardFooter>
      </form>
    </Card>
  );
}

function FieldStates() {
  const [start, setStart] = useState(formatDateTime(currentSeconds()));
  return (
    <Card>
      <CardHeader>
        <CardTitle level={3}>各种状态</CardTitle>
      </CardHeader>
      <CardContent className="grid gap-4 sm:grid-cols-2">
        <Field label="普通" help="一句说明">
          <Input defaultValue="web-01" />
        </Field>
        <Field label="出错" error="邮箱格式不正确" required>
          <Input defaultValue="zhang@" />
        </Field>
        <Field label="停用">
          <Input disabled defaultValue="zhangwei" />
        </Field>
        <Field label="只读">
          <Input readOnly defaultValue="uhost-2x9k4m" className="font-mono text-sm" />
        </Field>
        <Field label="搜索" labelHidden>
          <Input type="search" leading={<Search />} placeholder="搜索主机名或资源 ID" />
        </Field>
        <Field label="天数" labelHidden>
          <Input type="number" defaultValue={30} trailing={<span className="pr-2">天</span>} />
        </Field>
        <Field label="生效时间">
          <DateTimePicker value={start} onValueChange={setStart} />
        </Field>
        <Field label="区域" error="请选择区域">
          <Select value={undefined} onValueChange={() => undefined} options={roles} placeholder="请选择区域" />
        </Field>
        <Field label="用户" error="请选择用户" className="sm:col-span-2">
          <Combobox value={null} onValueChange={() => undefined} options={[]} placeholder="请选择用户" />
        </Field>
        <Field label="小" className="sm:col-span-2">
          <Input size="sm" defaultValue="小号输入框" />
        </Field>
        <Field label="大" className="sm:col-span-2">
          <Input size="lg" defaultValue="大号输入框" />
        </Field>
      </CardContent>
    </Card>
  );
}

function Choices() {
  const [status, setStatus] = useState<"approved" | "rejected" | "completed">("approved");
  const [view, setView] = useState<"tabs" | "table">("table");
  const [days, setDays] = useState<"30" | "90" | "180" | "365">("30");
  return (
    <div className="grid gap-4 lg:grid-cols-3">
      <Card>
        <CardContent className="grid gap-3">
          <CheckboxField label="记住筛选条件" description="只保存在这个浏览器" defaultChecked />
          <CheckboxField label="部分选中" checked="indeterminate" />
          <CheckboxField label="未选中" />
          <CheckboxField label="停用" disabled defaultChecked />
        </CardContent>
      </Card>
      <Card>
        <CardContent className="grid gap-4">
          <SwitchField label="向客户显示网络信息" description="开启后，客户可以看到自己主机的 IP 地址" defaultChecked />
          <SwitchField label="已关闭" />
          <SwitchField label="停用" disabled />
          <SegmentedControl
            aria-label="视图"
            value={view}
            onValueChange={setView}
            segments={[
              { value: "tabs", label: "标签页", icon: <LayoutList aria-hidden="true" /> },
              { value: "table", label: "表格", icon: <Table2 aria-hidden="true" /> },
            ]}
          />
          <SegmentedControl
            aria-label="续费天数"
            size="sm"
            className="w-full"
            value={days}
            onValueChange={setDays}
            segments={[
              { value: "30", label: "30 天" },
              { value: "90", label: "90 天" },
              { value: "180", label: "180 天" },
              { value: "365", label: "365 天" },
            ]}
          />
        </CardContent>
      </Card>
      <Card>
        <CardContent>
          <RadioGroup
            aria-label="处理结果"
            look="cards"
            value={status}
            onValueChange={setStatus}
            options={[
              { value: "approved", label: "批准", description: "等待客户付款" },
              { value: "completed", label: "直接完成", description: "到期时间顺延至 2026-12-31" },
              { value: "rejected", label: "拒绝", description: "必须填写备注说明" },
            ]}
          />
        </CardContent>
      </Card>
    </div>
  );
}
