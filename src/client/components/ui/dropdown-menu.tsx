import { Check } from "lucide-react";
import { DropdownMenu as RadixMenu } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { floatingClass, itemClass } from "@/components/ui/popover";
import { cn } from "@/lib/cn";

export const DropdownMenuTrigger = RadixMenu.Trigger;
export const DropdownMenuRadioGroup = RadixMenu.RadioGroup;

/**
 * Not modal: the page behind stays readable and scrollable, the next click outside closes the menu.
 */
export function DropdownMenu(props: ComponentProps<typeof RadixMenu.Root>) {
  return <RadixMenu.Root modal={false} {...props} />;
}

/**
 * Drawn in place (fixed, so nothing clips it): inside the landmark or dialog it belongs to. No
 * ancestor may have a `transform`.
 */
export function DropdownMenuContent({
  className,
  ...rest
}: ComponentProps<typeof RadixMenu.Content>) {
  return (
    <RadixMenu.Content
      data-slot="dropdown-menu-content"
      sideOffset={4}
      align="end"
      collisionPadding={8}
      className={cn(
        floatingClass,
        "max-h-(--radix-dropdown-menu-content-available-height) min-w-44 origin-(--radix-dropdown-menu-content-transform-origin) overflow-y-auto p-1",
        className,
      )}
      {...rest}
    />
  );
}

type DropdownMenuItemProps = ComponentProps<typeof RadixMenu.Item> & {
  tone?: "neutral" | "danger";
  icon?: ReactNode;
  /** At the right end: a `Kbd`, a count. */
  trailing?: ReactNode;
};

export function DropdownMenuItem({
  tone = "neutral",
  icon,
  trailing,
  children,
  ...rest
}: DropdownMenuItemProps) {
  return (
    <RadixMenu.Item
      data-slot="dropdown-menu-item"
      className={cn(
        itemClass,
        tone === "danger" &&
          "text-danger-ink data-highlighted:bg-danger-soft data-highlighted:text-danger-ink [&_svg:not([class*='text-'])]:text-danger-ink",
      )}
      {...rest}
    >
      {icon}
      <span className="min-w-0 flex-1">{children}</span>
      {trailing ? <span className="text-xs text-muted-foreground">{trailing}</span> : null}
    </RadixMenu.Item>
  );
}

export function DropdownMenuCheckboxItem({
  children,
  ...rest
}: ComponentProps<typeof RadixMenu.CheckboxItem>) {
  return (
    <RadixMenu.CheckboxItem
      data-slot="dropdown-menu-checkbox-item"
      className={cn(itemClass, "pl-8")}
      {...rest}
    >
      <Indicator />
      <span>{children}</span>
    </RadixMenu.CheckboxItem>
  );
}

export function DropdownMenuRadioItem({
  children,
  ...rest
}: ComponentProps<typeof RadixMenu.RadioItem>) {
  return (
    <RadixMenu.RadioItem
      data-slot="dropdown-menu-radio-item"
      className={cn(itemClass, "pl-8")}
      {...rest}
    >
      <Indicator />
      <span>{children}</span>
    </RadixMenu.RadioItem>
  );
}

export function DropdownMenuLabel({ className, ...rest }: ComponentProps<typeof RadixMenu.Label>) {
  return (
    <RadixMenu.Label
      data-slot="dropdown-menu-label"
      className={cn("px-2 py-1.5 text-xs text-muted-foreground", className)}
      {...rest}
    />
  );
}

export function DropdownMenuSeparator() {
  return (
    <RadixMenu.Separator
      data-slot="dropdown-menu-separator"
      className="-mx-1 my-1 h-px bg-border"
    />
  );
}

function Indicator() {
  return (
    <RadixMenu.ItemIndicator className="absolute left-2 grid place-items-center">
      <Check className="text-primary-ink" />
    </RadixMenu.ItemIndicator>
  );
}
