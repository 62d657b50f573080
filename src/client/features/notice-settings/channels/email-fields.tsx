import { EmailConfig, MAIL_SECURITY_LABELS, type NoticeChannel } from "@shared/notice-channels.ts";
import { useFormContext } from "react-hook-form";
import { FormField } from "@/components/form-field";
import { PasswordInput } from "@/components/password-input";
import { Input } from "@/components/ui/input";
import { NativeSelect } from "@/components/ui/native-select";
import { halfWidthCode } from "@/lib/half-width";
import { type ChannelValues, MAIL_PORTS } from "./channel-form";

const SECURITY_OPTIONS = EmailConfig.shape.security.options.map((value) => ({
  value,
  label: MAIL_SECURITY_LABELS[value],
}));

type Security = ChannelValues["config"]["security"];

/** The mail server. `channel` is undefined for a new one. */
export function EmailFields({ channel }: { channel: NoticeChannel | undefined }) {
  const { control, getValues, setValue } = useFormContext<ChannelValues>();
  const hasPassword = Boolean(channel?.config.password);

  /** A usual port follows, one that was typed stays. */
  function presetPort(security: Security): void {
    const { port } = getValues("config");
    const isUsual = port === "" || Object.values(MAIL_PORTS).includes(port);
    if (isUsual) setValue("config.port", MAIL_PORTS[security], { shouldDirty: true });
  }

  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_6rem] gap-4 sm:grid-cols-[minmax(0,1fr)_9rem_6rem]">
        <FormField
          control={control}
          name="config.host"
          label="服务器地址"
          required
          className="max-sm:col-span-2"
        >
          {(field) => (
            <Input
              className="font-mono"
              autoComplete="off"
              spellCheck={false}
              placeholder="smtp.example.com"
              rewrite={halfWidthCode}
              {...field}
            />
          )}
        </FormField>
        <FormField control={control} name="config.security" label="加密方式" required>
          {({ value, onChange }) => (
            <NativeSelect
              value={value}
              onValueChange={(security) => {
                onChange(security);
                presetPort(security);
              }}
              options={SECURITY_OPTIONS}
            />
          )}
        </FormField>
        <FormField control={control} name="config.port" label="端口" required>
          {(field) => (
            <Input inputMode="numeric" autoComplete="off" rewrite={halfWidthCode} {...field} />
          )}
        </FormField>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField control={control} name="config.user" label="用户名" help="不填表示不登录">
          {(field) => (
            <Input autoComplete="off" spellCheck={false} rewrite={halfWidthCode} {...field} />
          )}
        </FormField>
        <FormField
          control={control}
          name="config.password"
          label="密码或授权码"
          help={hasPassword ? "留空保持不变" : "加密保存，之后不再显示"}
        >
          {(field) => <PasswordInput autoComplete="new-password" {...field} />}
        </FormField>
      </div>
      <FormField
        control={control}
        name="config.sender"
        label="发件人"
        required
        help="邮箱地址，可以写成“名称 <邮箱>”，多数邮箱要求与用户名一致"
      >
        {(field) => (
          <Input autoComplete="off" placeholder="多主机管理系统 <notice@example.com>" {...field} />
        )}
      </FormField>
    </>
  );
}
