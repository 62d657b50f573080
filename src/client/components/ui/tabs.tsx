import { Tabs as RadixTabs } from "radix-ui";
import type { ComponentProps } from "react";
import { Link } from "wouter";
import { navigate } from "wouter/use-browser-location";
import { cn } from "@/lib/cn";

/** Drawn for `orientation="vertical"`: a list of rows, each a tab. */
export const Tabs = RadixTabs.Root;

export function TabsList({ className, ...rest }: ComponentProps<typeof RadixTabs.List>) {
  return (
    <RadixTabs.List data-slot="tabs-list" className={cn("flex flex-col", className)} {...rest} />
  );
}

type TabLinkProps = ComponentProps<"a"> & { value: string; href: string };

/**
 * A tab that is a link as well, to the page with this tab open. Radix chooses a tab when the mouse
 * is pressed on it, too early for dragging the link or for a new tab of the browser: it does not
 * see that event, and `activationMode` is "manual". So the mouse chooses by a click, and the
 * keyboard by the focus.
 */
export function TabLink({ value, href, className, children }: TabLinkProps) {
  return (
    <RadixTabs.Trigger
      asChild
      value={value}
      onMouseDownCapture={(event) => event.stopPropagation()}
      onFocus={({ currentTarget }) => {
        const isChosen = currentTarget.dataset.state === "active";
        if (!isChosen && currentTarget.matches(":focus-visible")) navigate(href, { replace: true });
      }}
    >
      <Link
        href={href}
        replace
        data-slot="tabs-trigger"
        // Radix means the type of a button.
        type={undefined}
        className={cn(
          "relative flex shrink-0 flex-col items-start justify-center gap-0.5 border-b px-3.5 text-left transition-colors [content-visibility:auto] print:[content-visibility:visible]",
          "before:absolute before:inset-y-0 before:left-0 before:w-0.5 hover:bg-accent focus-visible:-outline-offset-2",
          "not-print:data-[state=active]:bg-primary-soft not-print:data-[state=active]:before:bg-primary not-print:dark:data-[state=active]:before:bg-primary-ink",
          className,
        )}
      >
        {children}
      </Link>
    </RadixTabs.Trigger>
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
