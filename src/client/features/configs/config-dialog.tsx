import {
  type Config,
  CreateConfigInput,
  DEFAULT_API_URL,
  DEFAULT_SYNC_INTERVAL,
  UpdateConfigInput,
} from "@shared/configs.ts";
import { DEFAULT_REGION, knownRegions, regionName } from "@shared/regions.ts";
import { type Ref, useRef, useState } from "react";
import { useController, useFormContext, useFormState } from "react-hook-form";
import { z } from "zod";
import { trpc } from "@/api/trpc";
import { Combobox } from "@/components/combobox";
import { FormDialog } from "@/components/form-dialog";
import { FormField } from "@/components/form-field";
import { PasswordInput } from "@/components/password-input";
import { Alert } from "@/components/ui/alert";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { SwitchField } from "@/components/ui/switch";
import { Textarea } from "@/components/ui/textarea";
import { formatNumber } from "@/lib/format-number";
import { halfWidthCode } from "@/lib/half-width";
import { notify } from "@/lib/notify";
import { useDebounced } from "@/lib/use-debounced";
import type { DialogProps } from "@/lib/use-dialog";
import { IntervalSelect } from "./sync-schedule";

type ConfigDialogProps = DialogProps & {
  /** Left out to add one. */
  subject?: Config;
  /** The first one becomes the default, whatever is chosen. */
  isFirst?: boolean;
  onSaved?: () => void;
  onCreated?: (config: Config, thenTest: boolean) => void;
};

export function ConfigDialog({
  subject: config,
  isFirst = false,
  onSaved,
  onCreated,
  ...dialog
}: ConfigDialogProps) {
  const thenTest = useRef(false);
  const create = trpc.configs.create.useMutation();
  const update = trpc.configs.update.useMutation();

  async function save(values: ConfigOutput, edited: Partial<ConfigOutput>): Promise<void> {
    if (config === undefined) {
      const keys = { publicKey: values.publicKey ?? "", privateKey: values.privateKey ?? "" };
      const created = await create.mutateAsync({ ...values, ...keys });
      notify.success("创建成功", {
        message: thenTest.current
          ? `配置“${created.name}”已保存，正在测试连接`
          : `配置“${created.name}”已保存，可以先测试连接再同步主机`,
      });
      onCreated?.(created, thenTest.current);
    } else {
      const { name } = await update.mutateAsync({ ...edited, id: config.id });
      onSaved?.();
      notify.success("更新成功", { message: `配置“${name}”已更新` });
    }
  }

  return (
    <FormDialog
      {...dialog}
      size="lg"
      title={config === undefined ? "新增配置" : "编辑配置"}
      draft={config === undefined ? "configs.create" : `configs.update:${config.id}`}
      description={config === undefined ? "填写云账号的 API 密钥，用于读取主机信息" : config.name}
      schema={configSchema(config === undefined)}
      defaultValues={{
        name: config?.name ?? "",
        publicKey: "",
        privateKey: "",
        apiUrl: config?.apiUrl ?? DEFAULT_API_URL,
        defaultRegion: config?.defaultRegion ?? DEFAULT_REGION,
        projectIds: config?.projectIds.join(", ") ?? "",
        isDefault: config?.isDefault ?? false,
        isActive: config?.isActive ?? true,
        remark: config?.remark ?? "",
        syncIntervalMinutes:
          config === undefined ? DEFAULT_SYNC_INTERVAL : config.syncIntervalMinutes,
      }}
      submitLabel={config === undefined ? "创建" : "保存"}
      {...(config === undefined
        ? {
            otherSubmit: {
              label: "创建并测试",
              onChoose: (isChosen: boolean) => {
                thenTest.current = isChosen;
              },
            },
          }
        : {})}
      errorTitle={config === undefined ? "创建失败" : "更新失败"}
      onSubmit={save}
    >
      {() => <ConfigFields config={config} isFirst={isFirst} />}
    </FormDialog>
  );
}

/**
 * The shared rules; the keys of a configuration that exists may stay empty, which keeps the stored
 * ones.
 */
function configSchema(isNew: boolean) {
  const { publicKey, privateKey } = isNew ? CreateConfigInput.shape : UpdateConfigInput.shape;
  const projectIds = z
    .string()
    .transform(splitIds)
    .pipe(CreateConfigInput.shape.projectIds.unwrap());
  return z.strictObject({ ...CreateConfigInput.shape, publicKey, privateKey, projectIds });
}

function splitIds(text: string): string[] {
  return text.split(/[\s,，;；、]+/).filter((id) => id !== "");
}

type ConfigOutput = z.output<ReturnType<typeof configSchema>>;
type ConfigValues = z.input<ReturnType<typeof configSchema>>;

type ConfigFieldsProps = { config: Config | undefined; isFirst: boolean };

function ConfigFields({ config, isFirst }: ConfigFieldsProps) {
  const { control } = useFormContext<ConfigValues>();
  const isNew = config === undefined;

  return (
    <div className="grid gap-4">
      <FormField control={control} name="name" label="配置名称" required>
        {(field) => <Input autoComplete="off" placeholder="例如：生产账号" {...field} />}
      </FormField>
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField
          control={control}
          name="publicKey"
          label="公钥"
          required={isNew}
          help={isNew ? undefined : `留空保持不变（${config.publicKey}）`}
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
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField control={control} name="apiUrl" label="API地址" required>
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
      <ProjectIdsField config={config} />
      <FormField
        control={control}
        name="syncIntervalMinutes"
        label="自动同步"
        help="到时由系统自己同步；关闭后，只在有人点击同步时读取"
      >
        {({ value, onChange }) => <IntervalSelect value={value ?? null} onValueChange={onChange} />}
      </FormField>
      <FormField control={control} name="remark" label="备注">
        {(field) => <Textarea rows={2} {...field} />}
      </FormField>
      <Switches config={config} isFirst={isFirst} />
    </div>
  );
}

/** The error is of the whole list or of one of its ids. */
function ProjectIdsField({ config }: Pick<ConfigFieldsProps, "config">) {
  const { control } = useFormContext<ConfigValues>();
  const { field } = useController({ control, name: "projectIds" });
  const { errors } = useFormState({ control, name: "projectIds" });
  const error = [errors.projectIds].flat().find((one) => one !== undefined);
  const projectIds = splitIds(field.value);
  const narrowed = config && isNarrowed(config.projectIds, projectIds) ? config : undefined;
  const outsideProjects = projectIds.join();
  const isTyping = useDebounced(outsideProjects) !== outsideProjects;
  const leaving = trpc.hosts.list.useQuery(
    { configId: narrowed?.id, outsideProjects, limit: 1 },
    { enabled: narrowed !== undefined && !isTyping },
  ).data?.pagination.total;

  return (
    <div className="grid gap-2">
      <Field
        label="项目 ID"
        help="用逗号或空格分隔。主账号留空即可读取全部项目；子账号必须填写有权限的项目"
        error={error?.message}
      >
        <Input
          className="font-mono"
          placeholder="org-xxxxxx"
          autoComplete="off"
          spellCheck={false}
          rewrite={halfWidthCode}
          // It ends an id here; saving must wait until the warning was read.
          onKeyDown={(event) => {
            if (event.key === "Enter") event.preventDefault();
          }}
          {...field}
        />
      </Field>
      {narrowed ? (
        <Alert tone="warning" live>
          {`保存后，未列出的项目中的${leaving === undefined ? "" : ` ${formatNumber(leaving)} 台`}主机`}
          将标记为“已消失”，分配和历史记录保留；重新加入项目并同步后会自动恢复。
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

type RegionPickerProps = {
  value: string;
  onValueChange: (region: string) => void;
  ref: Ref<HTMLButtonElement>;
};

/**
 * A code that we do not know may be typed: the provider opens regions faster than we learn of them.
 */
function RegionPicker({ value, onValueChange, ref }: RegionPickerProps) {
  const [search, setSearch] = useState("");
  const term = search.trim().toLowerCase();
  const matching = knownRegions().filter((region) =>
    regionLabel(region).toLowerCase().includes(term),
  );
  const typed = /^[a-z0-9-]{2,50}$/.test(term) && !knownRegions().includes(term) ? [term] : [];

  return (
    <Combobox
      ref={ref}
      value={value}
      selectedLabel={regionLabel(value)}
      onValueChange={(region) => onValueChange(region ?? "")}
      onSearchChange={setSearch}
      options={[
        ...matching.map((region) => ({ value: region, label: regionLabel(region) })),
        ...typed.map((region) => ({
          value: region,
          label: region,
          description: "使用输入的地域代码",
        })),
      ]}
      searchPlaceholder="搜索地域名称或代码"
      emptyText="没有匹配的地域"
    />
  );
}

/** `华北（北京2） cn-bj2` */
export function regionLabel(region: string): string {
  const name = regionName(region);
  return name === region ? region : `${name} ${region}`;
}
