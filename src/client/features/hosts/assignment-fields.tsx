import { ASSIGNMENT_DAYS, type HostUser } from "@shared/hosts.ts";
import { useState } from "react";
import { type Control, useFormState, useWatch } from "react-hook-form";
import { FormField } from "@/components/form-field";
import { SegmentedControl } from "@/components/segmented-control";
import { Alert } from "@/components/ui/alert";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { UserPicker } from "@/features/users/user-picker";
import { currentSeconds, formatDateTime } from "@/lib/format";
import { type AssignmentForm, assignmentValues, validityDays, validityPeriod } from "./assignment";

type AssignmentFieldsProps = {
  control: Control<AssignmentForm>;
  /** Who it is and from when to when, when that is settled already. */
  present?: HostUser | undefined;
  /** What to think of before `userId` ("" while nobody is chosen) gets the hosts until `end`, in Unix seconds. */
  warningsFor: (userId: string, end: number) => readonly string[];
};

export function AssignmentFields({ control, present, warningsFor }: AssignmentFieldsProps) {
  return (
    <div className="grid gap-4">
      <FormField control={control} name="userId" label="用户" required>
        {({ value, onChange, ref }) => (
          <UserPicker
            only="client"
            ref={ref}
            placeholder="选择用户"
            value={value === "" ? null : value}
            onValueChange={(userId) => onChange(userId ?? "")}
            selectedName={present === undefined ? undefined : `${present.name}（${present.username}）`}
            disabled={present !== undefined}
          />
        )}
      </FormField>
      <ValidityFields control={control} present={present} />
      <Preview control={control} present={present} warningsFor={warningsFor} />
      <FormField
        control={control}
        name="remark"
        label="备注"
        help={present === undefined ? undefined : "不填写则保留原来的备注"}
      >
        {(field) => <Textarea rows={2} maxLength={500} placeholder="选填，最多 500 个字符" {...field} />}
      </FormField>
    </div>
  );
}

function ValidityFields({ control, present }: Pick<AssignmentFieldsProps, "control" | "present">) {
  const preset = useWatch({ control, name: "preset" });
  const { errors } = useFormState({ control, name: "customDays" });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="有效期" required error={preset === "custom" ? undefined : errors.customDays?.message}>
        <FormChoice control={control} />
        {preset === "custom" ? (
          <FormField
            control={control}
            name="customDays"
            label="自定义天数"
            labelHidden
            help={`${ASSIGNMENT_DAYS.min}-${ASSIGNMENT_DAYS.max} 天`}
          >
            {(field) => (
              <Input
                inputMode="numeric"
                autoFocus
                maxLength={4}
                trailing={<span className="px-2">天</span>}
                {...field}
              />
            )}
          </FormField>
        ) : null}
      </Field>
      <FormField
        control={control}
        name="start"
        label="开始时间"
        help={present === undefined ? "默认从现在开始" : undefined}
      >
        {(field) => <Input type="datetime-local" max="9999-12-31T23:59" className="tabular-nums" {...field} />}
      </FormField>
    </div>
  );
}

function FormChoice({ control }: Pick<AssignmentFieldsProps, "control">) {
  return (
    <FormField control={control} name="preset" label="有效期" labelHidden>
      {({ value, onChange }) => (
        <SegmentedControl
          aria-label="有效期"
          value={value}
          onValueChange={onChange}
          className="w-full"
          segments={[
            { value: "365", label: "365 天" },
            { value: "90", label: "90 天" },
            { value: "custom", label: "自定义" },
          ]}
        />
      )}
    </FormField>
  );
}

/** The dates that will be stored, before anything is stored. */
function Preview({ control, present, warningsFor }: AssignmentFieldsProps) {
  const values = useWatch({ control });
  const [now] = useState(currentSeconds);
  const filled = { ...assignmentValues(present), ...values };
  const days = validityDays(filled, present);
  const period = validityPeriod(filled, now, present);
  const warnings = period === null ? [] : warningsFor(filled.userId, period.end);
  return (
    <div className="grid gap-2" aria-live="polite">
      <p className="rounded-md bg-muted px-3.5 py-2.5 text-sm text-muted-foreground tabular-nums">
        {days === null ? (
          "填写有效期后显示到期时间"
        ) : period === null ? (
          "填写有效的开始时间后显示到期时间"
        ) : (
          <>
            将于 <span className="font-medium text-foreground">{formatDateTime(period.end)}</span> 到期，自{" "}
            {formatDateTime(period.start)} 起共 {days} 天
          </>
        )}
      </p>
      {warnings.map((warning) => (
        <Alert key={warning} tone="warning">
          {warning}
        </Alert>
      ))}
    </div>
  );
}
