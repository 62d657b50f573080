import { zodResolver } from "@hookform/resolvers/zod";
import type { Config } from "@shared/configs.ts";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogClose,
  DialogContent,
  DialogFooter,
  DialogForm,
  DialogHeader,
} from "@/components/ui/dialog";
import { showFieldErrors } from "@/failure";
import { notifyFailure } from "@/failure-notice";
import { notify } from "@/lib/notify";
import { trpc } from "@/trpc";
import { ConfigFields } from "./config-fields";
import { CONFIG_FIELDS, changesOf, configFormSchema, isOtherConnection, startingValues } from "./config-form";

type ConfigDialogProps = {
  /** Null to add one. */
  config: Config | null;
  /** The first one becomes the default, whatever is chosen. */
  isFirst?: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** After it was saved with another address, other keys or projects. */
  onOtherConnection?: () => void;
};

export function ConfigDialog({ open, onOpenChange, ...rest }: ConfigDialogProps) {
  const { config } = rest;
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent size="lg">
        <DialogHeader
          title={config === null ? "新增配置" : "编辑配置"}
          description={config === null ? "填写云服务商的 API 密钥，用于读取主机信息" : config.name}
        />
        <ConfigForm {...rest} onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

type ConfigFormProps = Omit<ConfigDialogProps, "open" | "onOpenChange"> & { onDone: () => void };

function ConfigForm({ onDone, isFirst = false, onOtherConnection, ...rest }: ConfigFormProps) {
  const [config] = useState(rest.config);
  const form = useForm({
    resolver: zodResolver(configFormSchema(config === null)),
    defaultValues: startingValues(config),
  });
  const failed = (title: string) => (error: unknown) => {
    if (!showFieldErrors(error, form.setError, CONFIG_FIELDS)) notifyFailure(title, error);
  };
  const create = trpc.configs.create.useMutation({
    onSuccess(created) {
      notify.success("创建成功", `配置 ${created.name} 已保存，可以先测试连接再同步主机`);
      onDone();
    },
    onError: failed("创建失败"),
  });
  const update = trpc.configs.update.useMutation({
    onSuccess(updated, changes) {
      if (isOtherConnection(changes)) onOtherConnection?.();
      notify.success("更新成功", `配置 ${updated.name} 已更新`);
      onDone();
    },
    onError: failed("更新失败"),
  });
  return (
    <DialogForm
      isDirty={form.formState.isDirty}
      onSubmit={form.handleSubmit((values) => {
        const { publicKey, privateKey } = values;
        return config === null
          ? create.mutateAsync({ ...values, publicKey: publicKey ?? "", privateKey: privateKey ?? "" })
          : update.mutateAsync(changesOf(config, values));
      })}
    >
      <DialogBody>
        <ConfigFields control={form.control} config={config} isFirst={isFirst} />
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="outline">取消</Button>
        </DialogClose>
        <Button type="submit" loading={create.isPending || update.isPending}>
          {config === null ? "创建" : "保存"}
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}
