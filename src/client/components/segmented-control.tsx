import { RadioGroup as RadixRadioGroup } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

export type Segment<Value extends string> = { value: Value; label: ReactNode; icon?: ReactNode; disabled?: boolean };

type SegmentedControlProps<Value extends string> = {
  value: Value | undefined;
  onValueChange: (value: Value) => void;
  segments: readonly Segment<Value>[];
  "aria-label": string;
  size?: "sm" | "md";
  /** Shows the icons alone; the labels stay for screen readers. */
  iconsOnly?: boolean;
  disabled?: boolean;
  className?: string;
};

/** A choice between a few, all in sight: views, presets, theme. It is a radio group: the arrow keys move it. */
export function SegmentedControl<Value extends string>({
  value,
  onValueChange,
  segments,
  size = "md",
  iconsOnly = false,
  disabled = false,
  className,
  "aria-label": ariaLabel,
}: SegmentedControlProps<Value>) {
  return (
    <RadixRadioGroup.Root
      value={value ?? null}
      disabled={disabled}
      orientation="horizontal"
      aria-label={ariaLabel}
      className={cn("inline-flex w-fit max-w-full gap-0.5 rounded-md border bg-muted p-0.5", className)}
      onValueChange={(chosen) => {
        const segment = segments.find((candidate) => candidate.value === chosen);
        if (segment !== undefined) onValueChange(segment.value);
      }}
    >
      {segments.map((segment) => (
        <RadixRadioGroup.Item
          key={segment.value}
          value={segment.value}
          disabled={segment.disabled ?? false}
          className={cn(
            "inline-flex min-w-0 flex-auto items-center justify-center gap-1.5 rounded-sm font-medium whitespace-nowrap text-muted-foreground transition-colors hover:text-foreground [&_svg]:size-4 [&_svg]:shrink-0",
            "data-[state=checked]:bg-card data-[state=checked]:text-foreground data-[state=checked]:shadow-sm dark:data-[state=checked]:bg-secondary-hover",
            "disabled:cursor-not-allowed disabled:opacity-50",
            size === "sm" ? "h-6 px-2 text-sm" : "h-7 px-2.5 text-sm max-[22.5rem]:px-1.5",
          )}
        >
          {segment.icon}
          <span className={cn("truncate", iconsOnly && "sr-only")}>{segment.label}</span>
        </RadixRadioGroup.Item>
      ))}
    </RadixRadioGroup.Root>
  );
}
