import type { Config } from "@shared/configs.ts";
import { useController, useFormContext } from "react-hook-form";
import { FormField } from "@/components/form-field";
import { PasswordInput } from "@/components/password-input";
import { Input } from "@/components/ui/input";
import { SwitchField } from "@/components/ui/switch";
import { Textarea } from "@/components/ui/textarea";
import { halfWidthCode } from "@/lib/half-width";
import type { ConfigValues, KeyValues } from "./config-form";
import { ProjectIdsField } from "./project-ids-field";
import { RegionPicker } from "./region-picker";
import { IntervalSelect } from "./sync-schedule";

type ConfigFieldsProps = {
  /** Undefined for a new one. */
  config: Config | undefined;
  /** The first one becomes the default, whatever is chosen. */
  isFirst: boolean;
};

/** For a form that has the fields of `ConfigValues`. */
export function ConfigFields({ config, isFirst }: ConfigFieldsProps) {
  const { control } = useFormContext<ConfigValues>();

  return (
    <div className="grid gap-4">
      <FormField control={control} name="name" label="配置名称" required>
        {(field) => <Input autoComplete="off" placeholder="例如：生产账号" {...field} />}
      </FormField>
      <KeyFields storedKey={config?.publicKey ?? null} />
      <AddressFields />
      <ProjectIdsField config={config} />
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField
          control={control}
          name="syncIntervalMinutes"
          label="自动同步"
          help="关闭后，只在有人点击同步时读取"
        >
          {({ value, onChange }) => (
            <IntervalSelect value={value ?? null} onValueChange={onChange} />
          )}
        </FormField>
        <FormField
          control={control}
          name="balanceAlert"
          label="余额预警"
          help="可用余额低于它时提醒，留空关闭"
        >
          {(field) => (
            <Input
              inputMode="decimal"
              autoComplete="off"
              placeholder="例如：1000"
              rewrite={halfWidthCode}
              trailing={<span className="px-2">元</span>}
              {...field}
            />
          )}
        </FormField>
      </div>
      <FormField control={control} name="remark" label="备注">
        {(field) => <Textarea rows={2} {...field} />}
      </FormField>
      <Switches config={config} isFirst={isFirst} />
    </div>
  );
}

type KeyFieldsProps = {
  /** Masked. The stored keys stay when the fields are left empty; null where they must be given. */
  storedKey: string | null;
};

/** For a form that has the fields of `KeyValues`. */
export function KeyFields({ storedKey }: KeyFieldsProps) {
  const { control } = useFormContext<KeyValues>();
  const isNew = storedKey === null;

  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <FormField
        control={control}
        name="publicKey"
        label="公钥"
        required={isNew}
        help={isNew ? undefined : `留空保持不变（${storedKey}）`}
      >
        {(field) => (
          <Input
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
            rewrite={halfWidthCode}
            {...field}
          />
        )}
      </FormField>
      <FormField
        control={control}
        name="privateKey"
        label="私钥"
        required={isNew}
        help={isNew ? "加密保存，之后不再显示" : "留空保持不变"}
      >
        {(field) => (
          <PasswordInput
            secret="私钥"
            autoComplete="new-password"
            rewrite={halfWidthCode}
            {...field}
          />
        )}
      </FormField>
    </div>
  );
}

function AddressFields() {
  const { control } = useFormContext<ConfigValues>();
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <FormField control={control} name="apiUrl" label="API 地址" required>
        {(field) => (
          <Input
            type="url"
            inputMode="url"
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
            rewrite={halfWidthCode}
            {...field}
          />
        )}
      </FormField>
      <FormField control={control} name="defaultRegion" label="默认地域" required>
        {({ value, onChange, ref }) => (
          <RegionPicker ref={ref} value={value} onValueChange={onChange} />
        )}
      </FormField>
    </div>
  );
}

function Switches({ config, isFirst }: ConfigFieldsProps) {
  const { control } = useFormContext<ConfigValues>();
  const isActive = useController({ control, name: "isActive" }).field;
  const isDefault = useController({ control, name: "isDefault" }).field;
  const staysDefault = config?.isDefault === true;
  const keptHint = staysDefault ? "如需更换，请把另一个配置设为默认" : "原来的默认配置会被替换";

  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SwitchField
        className="rounded-md border px-3.5 py-3"
        label="启用"
        description="停用后不再参与同步"
        checked={isActive.value ?? true}
        onCheckedChange={isActive.onChange}
      />
      <SwitchField
        className="rounded-md border px-3.5 py-3"
        label="设为默认配置"
        description={isFirst ? "第一个配置自动成为默认配置" : keptHint}
        checked={isFirst || (isDefault.value ?? false)}
        disabled={isFirst || staysDefault}
        onCheckedChange={isDefault.onChange}
      />
    </div>
  );
}
