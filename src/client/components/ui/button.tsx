import { cva, type VariantProps } from "class-variance-authority";
import { LoaderCircle } from "lucide-react";
import { Slot } from "radix-ui";
import { type ComponentProps, type MouseEvent, useState } from "react";
import { cn } from "@/lib/cn";
import { wrapText } from "@/lib/wrap-text";

const buttonVariants = cva(
  [
    "relative inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border border-transparent font-medium whitespace-nowrap select-none",
    "transition-[background-color,border-color,color,box-shadow] [&_svg]:shrink-0",
    "disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-busy:[&>svg:first-child+svg]:hidden",
  ],
  {
    variants: {
      variant: {
        primary: "bg-primary text-primary-foreground shadow-xs hover:bg-primary-hover",
        secondary: "bg-secondary text-secondary-foreground hover:bg-secondary-hover",
        success: "bg-success text-success-foreground shadow-xs hover:bg-success-hover",
        warning: "bg-warning text-warning-foreground shadow-xs hover:bg-warning-hover",
        danger: "bg-danger text-danger-foreground shadow-xs hover:bg-danger-hover",
        outline: "border-border-strong bg-card text-foreground shadow-xs hover:bg-accent",
        ghost: "text-foreground hover:bg-accent aria-expanded:bg-accent",
      },
      size: {
        sm: "h-7 px-3 text-sm has-[>svg]:px-2.5 [&_svg]:size-3.5",
        md: "h-8.5 px-4 text-base has-[>svg]:px-3 [&_svg]:size-4",
        lg: "h-10 px-5 text-lg has-[>svg]:px-4 [&_svg]:size-4.5",
      },
      icon: { true: "px-0 has-[>svg]:px-0", false: "" },
    },
    compoundVariants: [
      { icon: true, size: "sm", className: "w-7" },
      { icon: true, size: "md", className: "w-8.5" },
      { icon: true, size: "lg", className: "w-10" },
    ],
    defaultVariants: { variant: "primary", size: "md", icon: false },
  },
);

export type ButtonProps = Omit<ComponentProps<"button">, "onClick"> &
  VariantProps<typeof buttonVariants> & {
    /** Draws the spinner and swallows clicks and submits, keeping the focus. */
    loading?: boolean;
    /** A returned promise keeps the button in its loading state until it settles. */
    onClick?: ((event: MouseEvent<HTMLButtonElement>) => unknown) | undefined;
    /** Styles the only child (a link) instead of a `<button>`. */
    asChild?: boolean;
  };

/** An icon-only button (`icon`) needs an `aria-label`. `type` is "button" unless said otherwise. */
export function Button({
  variant,
  size,
  icon,
  loading = false,
  asChild = false,
  className,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  const action = useAction(onClick, loading);
  const classes = cn(buttonVariants({ variant, size, icon }), className);
  if (asChild) {
    return (
      <Slot.Root
        data-slot="button"
        className={classes}
        {...rest}
        {...(onClick ? { onClick: action.run } : {})}
      >
        {children}
      </Slot.Root>
    );
  }

  return (
    <button
      data-slot="button"
      type={type}
      className={classes}
      {...rest}
      onClick={action.run}
      aria-busy={action.isBusy || undefined}
      aria-disabled={action.isBusy || rest["aria-disabled"]}
    >
      {action.isBusy ? (
        // In the icon's place, else smaller in the padding, so that the button keeps its width.
        <LoaderCircle className="animate-spin only-of-type:-mx-1.25 only-of-type:size-3!" />
      ) : null}
      {wrapText(children)}
    </button>
  );
}

function useAction(onClick: ButtonProps["onClick"], loading: boolean) {
  const [isPending, setPending] = useState(false);
  const isBusy = loading || isPending;
  function run(event: MouseEvent<HTMLButtonElement>): void {
    if (isBusy) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }

    const result = onClick?.(event);
    if (!(result instanceof Promise)) return;

    setPending(true);
    const settle = () => setPending(false);
    // The mutation shows its own toast for a failure; here it only ends the wait.
    result.then(settle, settle);
  }
  return { isBusy, run };
}
