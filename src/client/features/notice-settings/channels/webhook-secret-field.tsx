import { KeyRound } from "lucide-react";
import { useFormContext } from "react-hook-form";
import { CopyButton } from "@/components/copyable-text";
import { FormField } from "@/components/form-field";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { halfWidthCode } from "@/lib/half-width";
import type { ChannelValues } from "./channel-form";

/**
 * Typed, or generated here. In sight until it is saved: the receiver needs it, and nobody can read
 * it afterwards.
 */
export function WebhookSecretField({ isNew }: { isNew: boolean }) {
  const { control, setValue } = useFormContext<ChannelValues>();

  function generate(): void {
    setValue("config.secret", newWebhookSecret(), { shouldDirty: true, shouldValidate: true });
  }

  return (
    <FormField
      control={control}
      name="config.secret"
      label="密钥"
      required={isNew}
      help={`${isNew ? "" : "留空保持不变。"}请复制到接收程序，保存后不再显示`}
    >
      {(field) => (
        <div className="flex gap-2">
          <Input
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
            placeholder="whsec_…"
            rewrite={halfWidthCode}
            trailing={
              field.value === "" ? undefined : <CopyButton text={field.value} label="密钥" />
            }
            {...field}
          />
          <Button variant="outline" onClick={generate}>
            <KeyRound />
            生成
          </Button>
        </div>
      )}
    </FormField>
  );
}

/** Of Standard Webhooks: 24 to 64 bytes. */
const SECRET_BYTES = 32;

function newWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
