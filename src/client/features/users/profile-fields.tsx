import type { User } from "@shared/users.ts";
import { useFormContext } from "react-hook-form";
import { FormField } from "@/components/form-field";
import { Input } from "@/components/ui/input";
import { UserPicker } from "@/components/user-picker";
import { halfWidthCode, phoneDigits } from "@/lib/half-width";

type Profile = { name: string; email: string; phone: string; adminId: string | null };

/** Name and contact, for a form that has the fields of `Profile`. */
export function ProfileFields() {
  const { control } = useFormContext<Profile>();
  return (
    <>
      <FormField control={control} name="name" label="姓名" required>
        {(field) => <Input autoComplete="off" placeholder="例如：张三" {...field} />}
      </FormField>
      <FormField control={control} name="email" label="邮箱">
        {(field) => (
          <Input
            type="email"
            inputMode="email"
            autoComplete="off"
            placeholder="选填"
            rewrite={halfWidthCode}
            {...field}
          />
        )}
      </FormField>
      <FormField control={control} name="phone" label="手机号">
        {(field) => (
          <Input
            type="tel"
            inputMode="numeric"
            autoComplete="off"
            placeholder="选填，11 位手机号"
            rewrite={phoneDigits}
            {...field}
          />
        )}
      </FormField>
    </>
  );
}

/** Who is responsible for a client. */
export function AdminField({ help, selected }: { help?: string; selected?: User["admin"] }) {
  const { control } = useFormContext<Profile>();
  return (
    <FormField control={control} name="adminId" label="负责管理员" help={help}>
      {({ value, onChange, ref }) => (
        <UserPicker
          only="admin"
          ref={ref}
          clearable
          placeholder="未分配管理员"
          value={value}
          onValueChange={onChange}
          selectedName={selected ? `${selected.name} · @${selected.username}` : undefined}
        />
      )}
    </FormField>
  );
}
