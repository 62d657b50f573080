import type { ComponentProps, ReactNode } from "react";
import { FilterSelect } from "@/components/list-filters";
import { Field } from "@/components/ui/field";
import { useIsMediumScreen } from "@/lib/use-media";

type FilterFieldProps = { label: string; className: string; children: ReactNode };

/** In the row of wide screens without its label, in the sheet of phones below it. */
export function FilterField({ label, className, children }: FilterFieldProps) {
  const isMedium = useIsMediumScreen();
  if (!isMedium) return <Field label={label}>{children}</Field>;
  return <div className={className}>{children}</div>;
}

/** One of a few values, or all. */
export function HostFilter<Value extends string>(
  props: ComponentProps<typeof FilterSelect<Value>> & { className: string },
) {
  const { className, ...select } = props;
  return (
    <FilterField label={props.label} className={className}>
      <FilterSelect {...select} />
    </FilterField>
  );
}
