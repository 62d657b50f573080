import { ASSIGNMENT_DAYS, type Host, type HostUser } from "@shared/hosts.ts";
import type { ReactNode } from "react";
import { useFormContext } from "react-hook-form";
import { AssigneeField } from "@/components/assignments/assignee-field";
import { daysOf, endDateLimits, readPeriod } from "@/components/assignments/period";
import { PeriodField } from "@/components/assignments/period-field";
import { DateInput } from "@/components/date-input";
import { FormField } from "@/components/form-field";
import { GapWarnings } from "@/components/hosts/gap-warnings";
import { Alert } from "@/components/ui/alert";
import { Textarea } from "@/components/ui/textarea";
import { ZONE_SUFFIX } from "@/lib/browser-zone";
import { dateTimeInput, formatDateTime } from "@/lib/format";
import { serverNow } from "@/lib/server-time";
import { useNow } from "@/lib/use-now";
import { type AssignmentForm, periodFields, replacementWarning } from "./assignment";
import { SharingField } from "./sharing-field";

type AssignmentFieldsProps = {
  hosts: readonly Host[];
  /** Those of them whose period changes; all by default. */
  changed?: readonly Host[];
  /** Who it is and from when to when, when that is settled already. */
  present?: HostUser | undefined;
  /** What else there is to say or choose about the period. */
  children?: ReactNode;
};

/** For a form that has the fields of `AssignmentForm`. */
export function AssignmentFields(props: AssignmentFieldsProps) {
  const { hosts, changed = hosts, present, children } = props;
  const { control, watch } = useFormContext<AssignmentForm>();
  const values = watch();
  const isTransfer = values.sharing === "transfer";
  const period = readPeriod(periodFields(values), present, useNow());
  const start = period.kind === "period" ? period.start : undefined;

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <AssigneeField present={present} />
      {present === undefined && values.userId !== "" ? (
        <SharingField hosts={hosts} userId={values.userId} />
      ) : null}
      <PeriodField start={start} />
      {isTransfer ? null : <StartField isChange={present !== undefined} />}
      <Preview hosts={changed} present={present} />
      {children}
      {isTransfer ? null : (
        <FormField
          control={control}
          name="remark"
          label="备注"
          help={present === undefined ? undefined : "不填写则保留原来的备注"}
        >
          {(field) => <Textarea rows={2} placeholder="选填，最多 500 个字符" {...field} />}
        </FormField>
      )}
    </div>
  );
}

function StartField({ isChange }: { isChange: boolean }) {
  const { control } = useFormContext<AssignmentForm>();
  return (
    <FormField
      control={control}
      name="start"
      label={`开始时间${ZONE_SUFFIX}`}
      help={isChange ? <StartNow /> : "默认从现在开始"}
    >
      {(field) => (
        <DateInput
          type="datetime-local"
          max="9999-12-31T23:59"
          className="tabular-nums sm:w-60"
          {...field}
        />
      )}
    </FormField>
  );
}

/** Begins a present assignment anew; an end that is then too far away comes nearer. */
function StartNow() {
  const { getValues, setValue } = useFormContext<AssignmentForm>();

  function startNow(): void {
    const now = serverNow();
    const { max } = endDateLimits(now, now);
    setValue("start", dateTimeInput(now), { shouldDirty: true });

    if (getValues("endDate") > max) setValue("endDate", max, { shouldDirty: true });
    if (Number(getValues("days")) > ASSIGNMENT_DAYS.max) {
      setValue("days", String(ASSIGNMENT_DAYS.max), { shouldDirty: true });
    }
  }

  return (
    <button
      type="button"
      className="min-h-6 rounded-sm text-primary-ink hover:underline"
      onClick={startNow}
    >
      从现在起算
    </button>
  );
}

/** The dates that will be stored, before anything is stored. */
function Preview({ hosts, present }: Pick<AssignmentFieldsProps, "hosts" | "present">) {
  const values = useFormContext<AssignmentForm>().watch();
  const fields = periodFields(values);
  const period = readPeriod(fields, present, useNow());
  const replaced = present === undefined ? replacementWarning(hosts, values.userId) : null;

  return (
    <div className="grid gap-2" aria-live="polite">
      <p className="rounded-md bg-muted px-3.5 py-2.5 text-sm text-muted-foreground tabular-nums">
        {period.kind === "period" ? (
          <PeriodText
            key="period"
            period={period}
            isFromNow={fields.start === "" && present === undefined}
          />
        ) : (
          <span key="problem">{MISSING[period.field]}</span>
        )}
      </p>
      {period.kind === "problem" || replaced === null ? null : (
        <Alert tone="warning">{replaced}</Alert>
      )}
      {period.kind === "problem" ? null : (
        <GapWarnings promised={hosts.map((host) => ({ host, until: period.end }))} />
      )}
    </div>
  );
}

const MISSING = {
  days: "填写有效期后显示到期时间",
  endDate: "选择有效的到期日后显示到期时间",
  start: "填写有效的开始时间后显示到期时间",
} as const;

type PeriodTextProps = { period: { start: number; end: number }; isFromNow: boolean };

function PeriodText({ period, isFromNow }: PeriodTextProps) {
  const start = isFromNow ? "从现在" : `自 ${formatDateTime(period.start)} `;

  return (
    <span>
      将于 <span className="font-medium text-foreground">{formatDateTime(period.end)}</span>{" "}
      <span>{`到期，${start}起共 ${daysOf(period)} 天`}</span>
    </span>
  );
}
