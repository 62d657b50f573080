import { Switch as RadixSwitch } from "radix-ui";
import { type ComponentProps, type ReactNode, useId } from "react";
import { useFieldControl } from "@/components/ui/field";
import { cn } from "@/lib/cn";

type SwitchProps = ComponentProps<typeof RadixSwitch.Root>;

export function Switch({ className, ...rest }: SwitchProps) {
  const control = useFieldControl(rest);
  return (
    <RadixSwitch.Root
      data-slot="switch"
      {...rest}
      {...control}
      className={cn(
        "relative inline-flex h-5 w-9 shrink-0 items-center rounded-full border border-transparent bg-input transition-colors after:absolute after:-inset-1",
        "data-[state=checked]:bg-primary disabled:cursor-not-allowed disabled:opacity-50",
        className,
      )}
    >
      <RadixSwitch.Thumb className="pointer-events-none block size-4 translate-x-px rounded-full bg-white shadow-xs transition-transform data-[state=checked]:translate-x-[17px]" />
    </RadixSwitch.Root>
  );
}

type SwitchFieldProps = Omit<SwitchProps, "id"> & { label: ReactNode; description?: ReactNode };

/** Words left, switch right: a row of a settings card. */
export function SwitchField({ label, description, className, ...rest }: SwitchFieldProps) {
  const id = useId();
  return (
    <div className={cn("flex items-start justify-between gap-6", className)}>
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {description ? (
          <p id={`${id}-more`} className="mt-0.5 text-sm text-muted-foreground">
            {description}
          </p>
        ) : null}
      </div>
      <Switch
        id={id}
        aria-describedby={description ? `${id}-more` : undefined}
        {...rest}
        className="mt-px"
      />
    </div>
  );
}
