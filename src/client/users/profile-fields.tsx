import type { Control, FieldValues, Path } from "react-hook-form";
import { FormField } from "@/components/ui/form-field";
import { Input } from "@/components/ui/input";

type Profile = { name: string; email?: string | null | undefined; phone?: string | null | undefined };

type ProfileFieldsProps<Values extends FieldValues & Profile> = {
  control: Control<Values>;
  names: { name: Path<Values>; email: Path<Values>; phone: Path<Values> };
};

/** What the create and the edit dialog both ask for. */
export function ProfileFields<Values extends FieldValues & Profile>({ control, names }: ProfileFieldsProps<Values>) {
  return (
    <>
      <FormField control={control} name={names.name} label="姓名" required>
        {(field) => <Input maxLength={100} autoComplete="off" placeholder="例如：张三" {...field} />}
      </FormField>
      <FormField control={control} name={names.email} label="邮箱">
        {({ value, ...field }) => (
          <Input
            type="email"
            inputMode="email"
            autoComplete="off"
            placeholder="选填"
            maxLength={255}
            {...field}
            value={value ?? ""}
          />
        )}
      </FormField>
      <FormField control={control} name={names.phone} label="手机号">
        {({ value, ...field }) => (
          <Input
            type="tel"
            inputMode="numeric"
            autoComplete="off"
            placeholder="选填，11 位手机号"
            maxLength={11}
            {...field}
            value={value ?? ""}
          />
        )}
      </FormField>
    </>
  );
}
