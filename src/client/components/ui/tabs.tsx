import { Tabs as RadixTabs } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";

/** Drawn for `orientation="vertical"`: a list of rows, each a tab. */
export const Tabs = RadixTabs.Root;

export function TabsList({ className, ...rest }: ComponentProps<typeof RadixTabs.List>) {
  return <RadixTabs.List data-slot="tabs-list" className={cn("flex flex-col", className)} {...rest} />;
}

export function TabsTrigger({ className, ...rest }: ComponentProps<typeof RadixTabs.Trigger>) {
  return (
    <RadixTabs.Trigger
      data-slot="tabs-trigger"
      className={cn(
        "relative flex shrink-0 flex-col items-start justify-center gap-0.5 border-b px-3.5 text-left transition-colors [content-visibility:auto]",
        "before:absolute before:inset-y-0 before:left-0 before:w-0.5 hover:bg-accent focus-visible:-outline-offset-2",
        "data-[state=active]:bg-primary-soft data-[state=active]:before:bg-primary dark:data-[state=active]:before:bg-primary-ink",
        className,
      )}
      {...rest}
    />
  );
}

export function TabsContent({ className, ...rest }: ComponentProps<typeof RadixTabs.Content>) {
  return (
    <RadixTabs.Content
      data-slot="tabs-content"
      className={cn("min-w-0 focus-visible:outline-offset-4", className)}
      {...rest}
    />
  );
}
