import { Check, Minus } from "lucide-react";
import { Checkbox as RadixCheckbox } from "radix-ui";
import type { ComponentProps } from "react";
import { useFieldControl } from "@/components/ui/field";
import { cn } from "@/lib/cn";

type CheckboxProps = ComponentProps<typeof RadixCheckbox.Root> & {
  /** The whole of the nearest positioned ancestor, a cell of a table, takes the clicks. */
  fillsParent?: boolean;
};

/** `checked` may be "indeterminate". Needs a label: a `Field` or an `aria-label`. */
export function Checkbox({ className, fillsParent = false, ...rest }: CheckboxProps) {
  const control = useFieldControl(rest);
  return (
    <RadixCheckbox.Root
      data-slot="checkbox"
      {...rest}
      {...control}
      className={cn(
        "group/box grid size-4 shrink-0 place-items-center rounded-sm border border-input bg-card text-primary-foreground transition-colors",
        fillsParent ? "after:absolute after:inset-0" : "relative after:absolute after:-inset-1",
        "data-[state=checked]:border-primary data-[state=checked]:bg-primary data-[state=indeterminate]:border-primary data-[state=indeterminate]:bg-primary",
        "aria-invalid:border-danger disabled:cursor-not-allowed disabled:opacity-50",
        className,
      )}
    >
      <RadixCheckbox.Indicator className="grid place-items-center">
        <Check strokeWidth={3} className="size-3 group-data-[state=indeterminate]/box:hidden" />
        <Minus
          strokeWidth={3}
          className="hidden size-3 group-data-[state=indeterminate]/box:block"
        />
      </RadixCheckbox.Indicator>
    </RadixCheckbox.Root>
  );
}
