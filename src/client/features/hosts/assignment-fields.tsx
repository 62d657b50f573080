import { ASSIGNMENT_DAYS, type Host, type HostUser } from "@shared/hosts.ts";
import type { ReactNode } from "react";
import { useController, useFormContext } from "react-hook-form";
import { DateInput } from "@/components/date-input";
import { DaysField } from "@/components/days-field";
import { FormField } from "@/components/form-field";
import { Alert } from "@/components/ui/alert";
import { Textarea } from "@/components/ui/textarea";
import { UserPicker } from "@/components/user-picker";
import { ZONE_SUFFIX } from "@/lib/browser-zone";
import { dateTimeInput, formatDateTime } from "@/lib/format";
import { serverNow } from "@/lib/server-time";
import { useNow } from "@/lib/use-now";
import {
  type AssignmentForm,
  assignmentWarnings,
  validityDays,
  validityPeriod,
} from "./assignment";

type AssignmentFieldsProps = {
  hosts: readonly Host[];
  /** Who it is and from when to when, when that is settled already. */
  present?: HostUser | undefined;
  /** What else there is to say or choose about the period. */
  children?: ReactNode;
};

/** For a form that has the fields of `AssignmentForm`. */
export function AssignmentFields({ hosts, present, children }: AssignmentFieldsProps) {
  const { control, getValues, setValue } = useFormContext<AssignmentForm>();
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
            selectedName={
              present === undefined ? undefined : `${present.name} · @${present.username}`
            }
            disabled={present !== undefined}
          />
        )}
      </FormField>
      <div className="grid gap-4 sm:grid-cols-2">
        <DaysField
          {...useController({ control, name: "days" })}
          label="有效期"
          choices={[365, 90]}
          help={`${ASSIGNMENT_DAYS.min}-${ASSIGNMENT_DAYS.max} 天${present === undefined ? "" : "，续费延长的不受此限"}`}
        />
        <FormField
          control={control}
          name="start"
          label={`开始时间${ZONE_SUFFIX}`}
          help={
            present === undefined ? (
              "默认从现在开始"
            ) : (
              <button
                type="button"
                className="min-h-6 rounded-sm text-primary-ink hover:underline"
                onClick={() => {
                  setValue("start", dateTimeInput(serverNow()), { shouldDirty: true });
                  if (Number(getValues("days")) > ASSIGNMENT_DAYS.max) {
                    setValue("days", String(ASSIGNMENT_DAYS.max));
                  }
                }}
              >
                从现在起算
              </button>
            )
          }
        >
          {(field) => (
            <DateInput
              type="datetime-local"
              max="9999-12-31T23:59"
              className="tabular-nums"
              {...field}
            />
          )}
        </FormField>
      </div>
      <Preview hosts={hosts} present={present} />
      {children}
      <FormField
        control={control}
        name="remark"
        label="备注"
        help={present === undefined ? undefined : "不填写则保留原来的备注"}
      >
        {(field) => <Textarea rows={2} placeholder="选填，最多 500 个字符" {...field} />}
      </FormField>
    </div>
  );
}

type PeriodTextProps = {
  /** Null while they are invalid, as the period below. */
  days: number | null;
  period: ReturnType<typeof validityPeriod>;
  isFromNow: boolean;
};

function PeriodText({ days, period, isFromNow }: PeriodTextProps) {
  // Each in an element of its own, told apart by key: React then replaces the whole element, and does
  // not look for text that a translator has replaced.
  if (days === null) return <span key="no-days">填写有效期后显示到期时间</span>;
  if (period === null) return <span key="no-start">填写有效的开始时间后显示到期时间</span>;

  const start = isFromNow ? "从现在" : `自 ${formatDateTime(period.start)} `;

  return (
    <span key="period">
      将于 <span className="font-medium text-foreground">{formatDateTime(period.end)}</span>{" "}
      <span>{`到期，${start}起共 ${days} 天`}</span>
    </span>
  );
}

/** The dates that will be stored, before anything is stored. */
function Preview({ hosts, present }: Pick<AssignmentFieldsProps, "hosts" | "present">) {
  const values = useFormContext<AssignmentForm>().watch();
  const days = validityDays(values, present);
  const period = validityPeriod(values, present, useNow());
  const isFromNow = values.start === "" && present === undefined;
  const newUserId = present === undefined ? values.userId : null;
  const warnings = period === null ? [] : assignmentWarnings(hosts, newUserId, period.end);

  return (
    <div className="grid gap-2" aria-live="polite">
      <p className="rounded-md bg-muted px-3.5 py-2.5 text-sm text-muted-foreground tabular-nums">
        <PeriodText days={days} period={period} isFromNow={isFromNow} />
      </p>
      {warnings.map((warning) => (
        <Alert key={warning} tone="warning">
          {warning}
        </Alert>
      ))}
    </div>
  );
}
