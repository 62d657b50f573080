import type { ChannelType, NoticeChannel } from "@shared/notice-channels.ts";
import { ExternalLink } from "lucide-react";
import { useController, useFormContext } from "react-hook-form";
import { FormField } from "@/components/form-field";
import { PasswordInput } from "@/components/password-input";
import { Alert } from "@/components/ui/alert";
import { Input } from "@/components/ui/input";
import { SwitchField } from "@/components/ui/switch";
import { halfWidthCode } from "@/lib/half-width";
import type { ChannelValues } from "./channel-form";
import { CHANNEL_GUIDES } from "./channel-guides";
import { EmailFields } from "./email-fields";
import { TypesField } from "./types-field";
import { WebhookSecretField } from "./webhook-secret-field";

type ChannelFieldsProps = {
  type: ChannelType;
  /** Undefined for a new one. */
  channel?: NoticeChannel | undefined;
};

/** For a form that has the fields of `ChannelValues`. */
export function ChannelFields({ type, channel }: ChannelFieldsProps) {
  const { control } = useFormContext<ChannelValues>();
  const isActive = useController({ control, name: "isActive" }).field;

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Guide type={type} />
      <FormField control={control} name="name" label="渠道名称" required>
        {(field) => (
          <Input autoComplete="off" placeholder={CHANNEL_GUIDES[type].namePlaceholder} {...field} />
        )}
      </FormField>
      {type === "email" ? (
        <EmailFields channel={channel} />
      ) : (
        <AddressFields type={type} channel={channel} />
      )}
      <TypesField />
      <SwitchField
        className="rounded-md border px-3.5 py-3"
        label="启用"
        description="停用后不再发送，等待发送的消息也不再发送"
        checked={isActive.value}
        onCheckedChange={isActive.onChange}
      />
    </div>
  );
}

function Guide({ type }: { type: ChannelType }) {
  const { whereToFind, docs } = CHANNEL_GUIDES[type];
  return (
    <Alert>
      {whereToFind}
      {docs === undefined ? null : (
        <a
          href={docs.href}
          target="_blank"
          rel="noreferrer"
          className="ml-1 inline-flex items-center gap-1 rounded-sm text-primary-ink underline underline-offset-2"
        >
          {docs.label}
          <ExternalLink className="size-3.5" />
        </a>
      )}
    </Alert>
  );
}

/** Of a robot or receiver. */
function AddressFields({ type, channel }: ChannelFieldsProps) {
  const { control } = useFormContext<ChannelValues>();
  const isNew = channel === undefined;

  return (
    <>
      <FormField
        control={control}
        name="config.url"
        label="地址"
        required={isNew}
        help={isNew ? "加密保存，之后只显示一部分" : `留空保持不变（${channel.config.url}）`}
      >
        {(field) => (
          <Input
            type="url"
            inputMode="url"
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
            placeholder={CHANNEL_GUIDES[type].urlPlaceholder}
            rewrite={halfWidthCode}
            {...field}
          />
        )}
      </FormField>
      {type === "webhook" ? <WebhookSecretField isNew={isNew} /> : null}
      {type === "dingtalk" || type === "feishu" ? <RobotSecretField isNew={isNew} /> : null}
    </>
  );
}

function RobotSecretField({ isNew }: { isNew: boolean }) {
  const { control } = useFormContext<ChannelValues>();
  return (
    <FormField
      control={control}
      name="config.secret"
      label="密钥"
      required={isNew}
      help={isNew ? "加密保存，之后不再显示" : "留空保持不变"}
    >
      {(field) => (
        <PasswordInput
          secret="密钥"
          className="font-mono"
          autoComplete="new-password"
          rewrite={halfWidthCode}
          {...field}
        />
      )}
    </FormField>
  );
}
