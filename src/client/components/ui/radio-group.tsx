import { RadioGroup as RadixRadioGroup } from "radix-ui";
import { type ReactNode, use, useId } from "react";
import { FieldContext } from "@/components/ui/field";
import { cn } from "@/lib/cn";

type RadioOption<Value extends string> = {
  value: Value;
  label: ReactNode;
  description?: ReactNode;
};

type RadioGroupProps<Value extends string> = {
  value: Value | undefined;
  onValueChange: (value: Value) => void;
  options: readonly RadioOption<Value>[];
  /** A dialog that opens puts the focus on the chosen option, or on the first. */
  focusFirst?: boolean;
  className?: string;
};

/** Each option in a box of its own. */
export function RadioGroup<Value extends string>({
  value,
  onValueChange,
  options,
  focusFirst = false,
  className,
}: RadioGroupProps<Value>) {
  const field = use(FieldContext);
  const focused = focusFirst ? value || options[0]?.value : undefined;
  return (
    <RadixRadioGroup.Root
      data-slot="radio-group"
      value={value ?? null}
      aria-labelledby={field?.labelId}
      aria-describedby={field?.describedBy}
      aria-invalid={field?.isInvalid || undefined}
      className={cn("grid gap-2", className)}
      onValueChange={(chosen) => {
        const option = options.find((candidate) => candidate.value === chosen);
        if (option !== undefined) onValueChange(option.value);
      }}
    >
      {options.map((option) => (
        <RadioItem key={option.value} option={option} isFocused={option.value === focused} />
      ))}
    </RadixRadioGroup.Root>
  );
}

type RadioItemProps = { option: RadioOption<string>; isFocused: boolean };

function RadioItem({ option, isFocused }: RadioItemProps) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className="flex items-start gap-2.5 rounded-md border border-border-strong bg-card px-3 py-2.5 transition-colors hover:bg-accent has-data-[state=checked]:border-primary has-data-[state=checked]:bg-primary-soft"
    >
      <RadixRadioGroup.Item
        data-slot="radio-group-item"
        data-autofocus={isFocused || undefined}
        id={id}
        value={option.value}
        className="mt-[3px] grid size-4 shrink-0 place-items-center rounded-full border border-input bg-card data-[state=checked]:border-primary data-[state=checked]:bg-primary"
      >
        <RadixRadioGroup.Indicator className="size-1.5 rounded-full bg-primary-foreground" />
      </RadixRadioGroup.Item>
      <span className="min-w-0">
        <span className="block">{option.label}</span>
        {option.description ? (
          <span className="block text-sm text-muted-foreground">{option.description}</span>
        ) : null}
      </span>
    </label>
  );
}
