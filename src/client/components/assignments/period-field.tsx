import { ASSIGNMENT_DAYS } from "@shared/hosts.ts";
import { useState } from "react";
import { useController, useFormContext } from "react-hook-form";
import { DateInput } from "@/components/date-input";
import { CustomDays } from "@/components/days-field";
import { FormField } from "@/components/form-field";
import { SegmentedControl } from "@/components/segmented-control";
import { Field } from "@/components/ui/field";
import { ZONE_SUFFIX } from "@/lib/browser-zone";
import { useNow } from "@/lib/use-now";
import { endDateLimits } from "./period";

interface PeriodForm {
  ends: "keep" | "days" | "date";
  days: string;
  endDate: string;
}

const QUICK_DAYS = [365, 90];

type PeriodFieldProps = {
  /** When it begins, in Unix seconds; undefined while that is not known. */
  start: number | undefined;
  /** The end of before may be kept as well. */
  canKeep?: boolean;
};

/**
 * How long a host is assigned: some quick choices of days, any other number, or the last day. For a
 * form that has the fields of `PeriodForm`.
 */
export function PeriodField({ start, canKeep = false }: PeriodFieldProps) {
  const { control, setValue } = useFormContext<PeriodForm>();
  const now = useNow();
  const ends = useController({ control, name: "ends" }).field;
  const days = useController({ control, name: "days" });
  const [isCustom, setCustom] = useState(() => !QUICK_DAYS.includes(Number(days.field.value)));
  const chosenDays = isCustom ? "custom" : days.field.value;

  function choose(choice: string): void {
    if (choice === "keep" || choice === "date") {
      ends.onChange(choice);
      return;
    }
    ends.onChange("days");
    setCustom(choice === "custom");
    setValue("days", choice === "custom" ? "" : choice, { shouldDirty: true });
  }

  return (
    <Field label="有效期" required>
      <SegmentedControl
        aria-label="有效期"
        className="w-full"
        value={ends.value === "days" ? chosenDays : ends.value}
        onValueChange={choose}
        segments={[
          ...(canKeep ? [{ value: "keep", label: "保持原到期" }] : []),
          ...QUICK_DAYS.map((count) => ({ value: String(count), label: `${count} 天` })),
          { value: "custom", label: "自定义" },
          { value: "date", label: "到期日" },
        ]}
      />
      {ends.value === "days" && isCustom ? (
        <CustomDays {...days} help={`${ASSIGNMENT_DAYS.min}-${ASSIGNMENT_DAYS.max} 天`} />
      ) : null}
      {ends.value === "date" ? (
        <FormField
          control={control}
          name="endDate"
          label={`到期日${ZONE_SUFFIX}`}
          labelHidden
          help="当天结束时到期"
        >
          {(field) => <DateInput type="date" {...endDateLimits(start ?? now, now)} {...field} />}
        </FormField>
      ) : null}
    </Field>
  );
}
