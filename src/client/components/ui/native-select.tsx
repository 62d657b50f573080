import { ChevronDown } from "lucide-react";
import type { Ref } from "react";
import { useFieldControl } from "@/components/ui/field";
import { type ControlSize, controlClass, controlSizes } from "@/components/ui/input";
import { cn } from "@/lib/cn";

export type NativeSelectOption<Value extends string> = { value: Value; label: string; disabled?: boolean };

type NativeSelectProps<Value extends string> = {
  /** Undefined shows the placeholder. */
  value: Value | undefined;
  onValueChange: (value: Value) => void;
  options: readonly NativeSelectOption<Value>[];
  placeholder?: string;
  size?: ControlSize;
  disabled?: boolean | undefined;
  name?: string;
  className?: string;
  "aria-label"?: string;
  onBlur?: () => void;
  ref?: Ref<HTMLSelectElement>;
};

/** The browser's own select, so phones show theirs; where the browser lets us (`appearance: base-select`) its list has our styles. */
export function NativeSelect<Value extends string>({
  value,
  onValueChange,
  options,
  placeholder = "请选择",
  size = "md",
  disabled = false,
  className,
  ...rest
}: NativeSelectProps<Value>) {
  const control = useFieldControl({});
  return (
    <div className={cn("relative w-full min-w-0", className)}>
      <select
        {...rest}
        {...control}
        data-slot="native-select"
        value={value ?? ""}
        disabled={disabled}
        onChange={(event) => {
          const option = options.find((candidate) => candidate.value === event.target.value);
          if (option !== undefined) onValueChange(option.value);
        }}
        className={cn(controlClass, controlSizes[size], "truncate pr-8")}
      >
        {value === undefined ? (
          <option value="" disabled hidden>
            {placeholder}
          </option>
        ) : null}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-4 text-muted-foreground"
      />
    </div>
  );
}
