import { type Config, CreateConfigInput, DEFAULT_API_URL, UpdateConfigInput } from "@shared/configs.ts";
import { DEFAULT_REGION } from "@shared/regions.ts";
import { z } from "zod";
import { trpc } from "@/api/trpc";
import { FormDialog } from "@/components/form-dialog";
import { notify } from "@/lib/notify";
import { ConfigFields } from "./config-fields";

type ConfigDialogProps = {
  /** Null to add one. */
  config: Config | null;
  /** The first one becomes the default, whatever is chosen. */
  isFirst?: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** After a save of another address, other keys or projects. */
  onConnectionChange?: () => void;
};

export function ConfigDialog({ config, isFirst = false, open, onOpenChange, onConnectionChange }: ConfigDialogProps) {
  const create = trpc.configs.create.useMutation();
  const update = trpc.configs.update.useMutation();

  async function save(values: ConfigOutput, edited: Partial<ConfigOutput>): Promise<void> {
    if (config === null) {
      const { publicKey, privateKey } = values;
      const { name } = await create.mutateAsync({
        ...values,
        publicKey: publicKey ?? "",
        privateKey: privateKey ?? "",
      });
      notify.success("创建成功", `配置 ${name} 已保存，可以先测试连接再同步主机`);
    } else {
      const { name } = await update.mutateAsync({ ...edited, id: config.id });
      if (CONNECTION_FIELDS.some((field) => edited[field] !== undefined)) onConnectionChange?.();
      notify.success("更新成功", `配置 ${name} 已更新`);
    }
  }

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={config === null ? "新增配置" : "编辑配置"}
      description={config === null ? "填写云服务商的 API 密钥，用于读取主机信息" : config.name}
      schema={configSchema(config === null)}
      defaultValues={{
        name: config?.name ?? "",
        publicKey: "",
        privateKey: "",
        apiUrl: config?.apiUrl ?? DEFAULT_API_URL,
        defaultRegion: config?.defaultRegion ?? DEFAULT_REGION,
        projectIds: config?.projectIds ?? [],
        isDefault: config?.isDefault ?? false,
        isActive: config?.isActive ?? true,
        remark: config?.remark ?? "",
      }}
      submitLabel={config === null ? "创建" : "保存"}
      errorTitle={config === null ? "创建失败" : "更新失败"}
      onSubmit={save}
    >
      {({ control }) => <ConfigFields control={control} config={config} isFirst={isFirst} />}
    </FormDialog>
  );
}

/** What the provider is called with. */
const CONNECTION_FIELDS = ["publicKey", "privateKey", "apiUrl", "projectIds"] as const;

/** The shared rules; the keys of a configuration that exists may stay empty, which keeps the stored ones. */
function configSchema(isNew: boolean) {
  const { publicKey, privateKey } = isNew ? CreateConfigInput.shape : UpdateConfigInput.shape;
  return z.strictObject({ ...CreateConfigInput.shape, publicKey, privateKey });
}

type ConfigOutput = z.output<ReturnType<typeof configSchema>>;
export type ConfigValues = z.input<ReturnType<typeof configSchema>>;
