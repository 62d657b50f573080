import { ChevronDown } from "lucide-react";
import { useFieldControl } from "@/components/ui/field";
import {
  activeFilterClass,
  type ControlSize,
  controlClass,
  controlSizes,
} from "@/components/ui/input";
import { cn } from "@/lib/cn";

export type NativeSelectProps<Value extends string> = {
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly { value: Value; label: string }[];
  size?: ControlSize;
  /** Drawn as a filter that narrows its list. */
  isActive?: boolean;
  className?: string;
  "aria-label"?: string;
};

/**
 * The browser's own select, so phones show theirs; where the browser lets us (`appearance:
 * base-select`) its list has our styles.
 */
export function NativeSelect<Value extends string>({
  value,
  onValueChange,
  options,
  size = "md",
  isActive = false,
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
        value={value}
        onChange={(event) => {
          const option = options.find((candidate) => candidate.value === event.target.value);
          if (option !== undefined) onValueChange(option.value);
        }}
        className={cn(
          controlClass,
          controlSizes[size],
          "truncate pr-8",
          isActive && activeFilterClass,
        )}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-4 text-muted-foreground" />
    </div>
  );
}
