import type { ComponentProps, ReactNode } from "react";
import { FilterSelect } from "@/components/list-filters";
import { Field } from "@/components/ui/field";

type FilterFieldProps = {
  label: string;
  /** How wide it is in a row, where it has no label in sight; elsewhere it has one above. */
  inRow?: string | undefined;
  children: ReactNode;
};

export function FilterField({ label, inRow, children }: FilterFieldProps) {
  if (inRow === undefined) return <Field label={label}>{children}</Field>;
  return <div className={inRow}>{children}</div>;
}

type HostFilterProps<Value extends string> = Omit<
  ComponentProps<typeof FilterSelect<Value>>,
  "className"
> &
  Pick<FilterFieldProps, "inRow">;

/** One of a few values, or all. */
export function HostFilter<Value extends string>({ inRow, ...select }: HostFilterProps<Value>) {
  return (
    <FilterField label={select.label} inRow={inRow}>
      <FilterSelect {...select} />
    </FilterField>
  );
}
