import type { Config } from "@shared/configs.ts";
import { type Control, useController, useFormState } from "react-hook-form";
import { FormField } from "@/components/form-field";
import { PasswordInput } from "@/components/password-input";
import { Alert } from "@/components/ui/alert";
import { CheckboxField } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import type { ConfigValues } from "./config-dialog";
import { ProjectIdsInput } from "./project-ids-input";
import { RegionPicker } from "./region-picker";

type ConfigFieldsProps = { control: Control<ConfigValues>; config: Config | null; isFirst: boolean };

export function ConfigFields({ control, config, isFirst }: ConfigFieldsProps) {
  const isNew = config === null;
  return (
    <div className="grid gap-4">
      <FormField control={control} name="name" label="配置名称" required>
        {(field) => <Input maxLength={100} autoComplete="off" placeholder="例如：生产账号" {...field} />}
      </FormField>
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField
          control={control}
          name="publicKey"
          label="公钥"
          required={isNew}
          help={isNew ? undefined : `留空保持不变（${config.publicKey}）`}
        >
          {({ value, ...field }) => (
            <Input className="font-mono" autoComplete="off" spellCheck={false} {...field} value={value ?? ""} />
          )}
        </FormField>
        <FormField
          control={control}
          name="privateKey"
          label="私钥"
          required={isNew}
          help={isNew ? "加密保存，之后不再显示" : "留空保持不变"}
        >
          {({ value, ...field }) => <PasswordInput autoComplete="new-password" {...field} value={value ?? ""} />}
        </FormField>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField control={control} name="apiUrl" label="API地址" required>
          {(field) => (
            <Input
              type="url"
              inputMode="url"
              className="font-mono"
              maxLength={255}
              autoComplete="off"
              spellCheck={false}
              {...field}
            />
          )}
        </FormField>
        <FormField control={control} name="defaultRegion" label="默认地域" required>
          {({ value, onChange, ref }) => <RegionPicker ref={ref} value={value} onValueChange={onChange} />}
        </FormField>
      </div>
      <ProjectIdsField control={control} config={config} />
      <FormField control={control} name="remark" label="备注">
        {({ value, ...field }) => <Textarea rows={2} maxLength={500} {...field} value={value ?? ""} />}
      </FormField>
      <Switches control={control} config={config} isFirst={isFirst} />
    </div>
  );
}

/** The error is of the whole list or of one of its ids. */
function ProjectIdsField({ control, config }: Omit<ConfigFieldsProps, "isFirst">) {
  const { field } = useController({ control, name: "projectIds" });
  const { errors } = useFormState({ control, name: "projectIds" });
  const error = errors.projectIds;
  const message = error?.message ?? error?.find?.((one) => one !== undefined)?.message;
  const projectIds = field.value ?? [];
  return (
    <div className="grid gap-2">
      <Field label="项目 ID" help="主账号留空即可读取全部项目；子账号必须填写有权限的项目" error={message}>
        <ProjectIdsInput ref={field.ref} value={projectIds} onValueChange={field.onChange} onBlur={field.onBlur} />
      </Field>
      {config !== null && isNarrowed(config.projectIds, projectIds) ? (
        <Alert tone="warning" live>
          保存后，未列出的项目中的主机将标记为“已消失”，分配和历史记录保留；重新加入项目并同步后会自动恢复。
        </Alert>
      ) : null}
    </div>
  );
}

/** Whether hosts of projects that were read until now would be released. */
function isNarrowed(before: readonly string[], after: readonly string[]): boolean {
  if (after.length === 0) return false;
  return before.length === 0 || before.some((id) => !after.includes(id));
}

function Switches({ control, config, isFirst }: ConfigFieldsProps) {
  const isActive = useController({ control, name: "isActive" }).field;
  const isDefault = useController({ control, name: "isDefault" }).field;
  const staysDefault = config?.isDefault === true;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <CheckboxField
        label="启用"
        description="停用后不再参与同步"
        checked={isActive.value ?? true}
        onCheckedChange={(checked) => isActive.onChange(checked === true)}
      />
      <CheckboxField
        label="设为默认配置"
        description={defaultHint({ isFirst, staysDefault })}
        checked={isFirst || (isDefault.value ?? false)}
        disabled={isFirst || staysDefault}
        onCheckedChange={(checked) => isDefault.onChange(checked === true)}
      />
    </div>
  );
}

function defaultHint({ isFirst, staysDefault }: { isFirst: boolean; staysDefault: boolean }): string {
  if (isFirst) return "第一个配置自动成为默认配置";
  return staysDefault ? "如需更换，请把另一个配置设为默认" : "原来的默认配置会被替换";
}
