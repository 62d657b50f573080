import { type SyntheticEvent, useEffect, useRef } from "react";
import { Input, type InputProps } from "@/components/ui/input";

/**
 * The value of a date field of which only a part was typed, such as a day without its time. The
 * browser shows the part but reports an empty value, which must not pass for "nothing chosen":
 * refuse it with `incompleteDate`.
 */
export const INCOMPLETE = "incomplete";

/** `开始时间不完整` */
export function incompleteDate(label: string): string {
  return `${label}不完整`;
}

type DateInputProps = Omit<InputProps, "type" | "value" | "onChange" | "ref"> & {
  type: "date" | "datetime-local";
  /** `2026-12-01` or `2026-12-01T08:30`, "" or INCOMPLETE. */
  value: string;
  onChange: (value: string) => void;
  ref?: (input: HTMLInputElement | null) => void;
};

/** A date, typed or picked, as it is in Shanghai: `<DateInput type="date" {...field} />`. */
export function DateInput({ value, onChange, ref, onBlur, ...rest }: DateInputProps) {
  const input = useRef<HTMLInputElement | null>(null);

  function report(target: HTMLInputElement): void {
    const present = target.validity.badInput ? INCOMPLETE : target.value;
    if (present !== value) onChange(present);
  }
  // While a part is typed the value stays empty, and there is no event of a change: the keys tell of
  // it, on their way down too, because Enter submits before it comes up.
  const onKey = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => report(currentTarget);

  // A form that is shown again has lost the part, while its value still says INCOMPLETE.
  useEffect(() => {
    if (input.current !== null) report(input.current);
  });

  return (
    <Input
      {...rest}
      ref={(element) => {
        input.current = element;
        ref?.(element);
      }}
      // Setting the empty value that the browser reports anyway leaves the part as it is.
      value={value === INCOMPLETE ? "" : value}
      onChange={onKey}
      onKeyDown={onKey}
      onKeyUp={onKey}
      onBlur={(event) => {
        report(event.currentTarget);
        onBlur?.(event);
      }}
    />
  );
}
