import { useState } from "react";
import type { ControllerFieldState, RefCallBack } from "react-hook-form";
import { SegmentedControl } from "@/components/segmented-control";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { halfWidthCode } from "@/lib/half-width";

type DaysFieldProps = {
  field: { value: string; onChange: (days: string) => void; ref: RefCallBack };
  fieldState: ControllerFieldState;
  label: string;
  choices: readonly number[];
  help: string;
};

/**
 * Some quick choices of days, and any other number to be typed: `<DaysField {...useController({
 * control, name: "days" })} />`.
 */
export function DaysField({ label, choices, help, field, fieldState }: DaysFieldProps) {
  const [isCustom, setCustom] = useState(() => !choices.includes(Number(field.value)));
  return (
    <Field label={label} required>
      <SegmentedControl
        aria-label={label}
        className="w-full"
        value={isCustom ? "custom" : field.value}
        onValueChange={(choice) => {
          setCustom(choice === "custom");
          field.onChange(choice === "custom" ? "" : choice);
        }}
        segments={[
          ...choices.map((days) => ({ value: String(days), label: `${days} 天` })),
          { value: "custom", label: "自定义" },
        ]}
      />
      {isCustom ? <CustomDays field={field} fieldState={fieldState} help={help} /> : null}
    </Field>
  );
}

/** Any number of days, typed. */
export function CustomDays({
  field,
  fieldState,
  help,
}: Pick<DaysFieldProps, "field" | "fieldState" | "help">) {
  return (
    <Field label="自定义天数" labelHidden help={help} error={fieldState.error?.message}>
      <Input
        inputMode="numeric"
        rewrite={halfWidthCode}
        autoComplete="off"
        // Only when 自定义 was chosen just now: a dialog that opens decides by itself what has the
        // focus.
        autoFocus={field.value === ""}
        trailing={<span className="px-2">天</span>}
        value={field.value}
        ref={field.ref}
        onChange={({ target }) => field.onChange(target.value)}
      />
    </Field>
  );
}
