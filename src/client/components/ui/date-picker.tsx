import { Input, type InputProps } from "./input";

type DatePickerProps = Omit<InputProps, "type" | "value" | "onChange"> & {
  /** `2026-12-01`, or `2026-12-01T08:30` with `withTime`; "" for none. `toDateInput` and `fromDateInput` in lib/format.ts convert. */
  value: string;
  onValueChange: (value: string) => void;
  withTime?: boolean;
};

/** The browser's own picker: it knows the keyboard, the locale and the phone better than any we could draw. */
export function DatePicker({ value, onValueChange, withTime = false, className, ...rest }: DatePickerProps) {
  return (
    <Input
      {...rest}
      type={withTime ? "datetime-local" : "date"}
      value={value}
      onChange={(event) => onValueChange(event.target.value)}
      className={`tabular-nums ${className ?? ""}`}
    />
  );
}
