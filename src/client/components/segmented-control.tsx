import { RadioGroup as RadixRadioGroup } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

type SegmentedControlProps<Value extends string> = {
  value: Value | undefined;
  onValueChange: (value: Value) => void;
  segments: readonly { value: Value; label: ReactNode; icon?: ReactNode }[];
  "aria-label": string;
  iconsOnly?: boolean;
  className?: string;
};

/**
 * A choice between a few, all in sight: views, presets, theme. It is a radio group: the arrow keys
 * move it.
 */
export function SegmentedControl<Value extends string>({
  value,
  onValueChange,
  segments,
  iconsOnly = false,
  className,
  "aria-label": ariaLabel,
}: SegmentedControlProps<Value>) {
  return (
    <RadixRadioGroup.Root
      value={value ?? null}
      orientation="horizontal"
      aria-label={ariaLabel}
      className={cn(
        "inline-flex w-fit max-w-full gap-0.5 rounded-md border bg-muted p-0.5",
        className,
      )}
      onValueChange={(chosen) => {
        const segment = segments.find((candidate) => candidate.value === chosen);
        if (segment !== undefined) onValueChange(segment.value);
      }}
    >
      {segments.map((segment) => (
        <RadixRadioGroup.Item
          key={segment.value}
          value={segment.value}
          data-slot="segment"
          className={cn(
            "inline-flex h-7 min-w-0 flex-auto items-center justify-center gap-1.5 rounded-sm px-2.5 text-sm font-medium whitespace-nowrap text-muted-foreground transition-colors hover:text-foreground max-[22.5rem]:px-1.5 [&_svg]:size-4 [&_svg]:shrink-0",
            "data-[state=checked]:bg-card data-[state=checked]:text-foreground data-[state=checked]:shadow-sm dark:data-[state=checked]:bg-secondary-hover",
          )}
        >
          {segment.icon}
          <span className={cn("truncate", iconsOnly && "sr-only")}>{segment.label}</span>
        </RadixRadioGroup.Item>
      ))}
    </RadixRadioGroup.Root>
  );
}
