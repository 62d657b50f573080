import { type CreatedApiToken, MAX_API_TOKEN_DAYS } from "@shared/api-tokens.ts";
import { localDate } from "@shared/shanghai.ts";
import { DAY_SECONDS } from "@shared/time.ts";
import { useController, useFormContext, useFormState } from "react-hook-form";
import { trpc } from "@/api/trpc";
import { DateInput } from "@/components/date-input";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { FormField } from "@/components/form-field";
import { SegmentedControl } from "@/components/segmented-control";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { RadioGroup } from "@/components/ui/radio-group";
import { ZONE_SUFFIX } from "@/lib/browser-zone";
import { formatExpiry } from "@/lib/format";
import { halfWidthCode } from "@/lib/half-width";
import type { DialogProps } from "@/lib/use-dialog";
import { useNow } from "@/lib/use-now";
import {
  NEW_TOKEN_VALUES,
  readEnd,
  TOKEN_ENDS,
  TokenForm,
  type TokenValues,
  tokenInput,
} from "./token-form";

type CreateTokenDialogProps = DialogProps & { onCreated: (created: CreatedApiToken) => void };

/** Another dialog shows the token. */
export function CreateTokenDialog({ onCreated, ...dialog }: CreateTokenDialogProps) {
  // The answer is a secret: it is kept by who shows it.
  const create = trpc.auth.createToken.useMutation({ gcTime: 0 });

  return (
    <FormDialog
      {...dialog}
      title="新建 API 令牌"
      draft="auth.createToken"
      schema={TokenForm}
      defaultValues={NEW_TOKEN_VALUES}
      submitLabel="创建令牌"
      errorTitle="创建令牌失败"
      onSubmit={async (form) => onCreated(await create.mutateAsync(tokenInput(form)))}
    >
      {() => <TokenFields />}
    </FormDialog>
  );
}

const SCOPES = [
  { value: "read", label: "只读", description: "查询，以及接收实时事件" },
  { value: "full", label: "读写", description: "您能做的修改也能做，密码和安全设置除外" },
] as const;

function TokenFields() {
  const { control } = useFormContext<TokenValues>();
  return (
    <div className="grid gap-4">
      <FormField control={control} name="name" label="名称" required help="用途，便于以后辨认">
        {(field) => <Input autoComplete="off" placeholder="例如：月度报表" {...field} />}
      </FormField>
      <FormField control={control} name="scope" label="权限" required>
        {({ value, onChange }) => (
          <RadioGroup
            className="sm:grid-cols-2"
            value={value}
            onValueChange={onChange}
            options={SCOPES}
          />
        )}
      </FormField>
      <EndField />
      <AddressesField />
    </div>
  );
}

const END_LABELS = { "30": "30 天", "90": "90 天", "365": "365 天", date: "到期日" } as const;

function EndField() {
  const { control } = useFormContext<TokenValues>();
  const now = useNow();
  const ends = useController({ control, name: "ends" }).field;
  const endDate = useController({ control, name: "endDate" }).field;
  const end = readEnd({ ends: ends.value, endDate: endDate.value }, now);

  return (
    <Field
      label="有效期"
      required
      help={end.kind === "end" ? `到期 ${formatExpiry(end.at, now)}` : undefined}
    >
      <SegmentedControl
        aria-label="有效期"
        className="w-full"
        value={ends.value}
        onValueChange={ends.onChange}
        segments={TOKEN_ENDS.map((value) => ({ value, label: END_LABELS[value] }))}
      />
      {ends.value === "date" ? (
        <FormField
          control={control}
          name="endDate"
          label={`到期日${ZONE_SUFFIX}`}
          labelHidden
          help="当天结束时到期，最长 366 天"
        >
          {(field) => (
            <DateInput
              type="date"
              min={localDate(now)}
              max={localDate(now + MAX_API_TOKEN_DAYS * DAY_SECONDS)}
              {...field}
            />
          )}
        </FormField>
      ) : null}
    </Field>
  );
}

function AddressesField() {
  const { control } = useFormContext<TokenValues>();
  const { field } = useController({ control, name: "allowedAddresses" });
  const { errors } = useFormState({ control, name: "allowedAddresses" });
  // Of the whole list, or of the first of its addresses that has one.
  const error = [errors.allowedAddresses].flat().find((one) => one !== undefined);

  return (
    <Field
      label="允许的地址"
      help="IP 地址或网段，用逗号或空格分隔，例如 203.0.113.0/24；不填则可从任何地址使用"
      error={error?.message}
    >
      <Input
        className="font-mono"
        autoComplete="off"
        spellCheck={false}
        rewrite={halfWidthCode}
        {...field}
      />
    </Field>
  );
}
