import { NativeSelect, type NativeSelectProps } from "@/components/ui/native-select";

type FilterSelectProps<Value extends string> = Pick<NativeSelectProps<Value>, "options" | "className"> & {
  label: string;
  all: string;
  value: Value | undefined;
  onValueChange: (value: Value | undefined) => void;
};

/** A filter of a list: one of the options, or all. */
export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, all, value, onValueChange, options, className = "" } = props;
  return (
    <NativeSelect
      aria-label={label}
      className={className}
      value={value ?? "all"}
      onValueChange={(chosen) => onValueChange(chosen === "all" ? undefined : chosen)}
      options={[{ value: "all", label: all }, ...options]}
    />
  );
}
