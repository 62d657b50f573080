import { type ComponentProps, type SubmitEvent, useRef } from "react";
import { useHoldUnsaved } from "@/components/unsaved-guard";
import { cn } from "@/lib/cn";

export type FormProps = Omit<ComponentProps<"form">, "onSubmit"> & {
  /** A returned promise stands for all of the work: until it settles, further submits are ignored. */
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => unknown;
};

/**
 * Sends once however often it is clicked. The form library checks the fields asynchronously, so a second click comes before any
 * button looks busy: a ref, not state, holds it off. Let the handler return `mutateAsync`, not call `mutate`.
 */
export function Form({ onSubmit, ...rest }: FormProps) {
  const inFlight = useRef(false);
  function submit(event: SubmitEvent<HTMLFormElement>): void {
    // A dialog that fades out has had its answer; for a moment it can still be clicked.
    if (inFlight.current || event.currentTarget.closest("[role='dialog'][data-state='closed']") !== null) {
      event.preventDefault();
      return;
    }
    const result = onSubmit(event);
    if (!(result instanceof Promise)) return;
    inFlight.current = true;
    const settle = () => {
      inFlight.current = false;
    };
    // A failure is told by whoever made the promise (the mutation's toast); here it only ends the wait.
    result.then(settle, settle);
  }
  return <form noValidate {...rest} onSubmit={submit} />;
}

/** Lets a form span body and footer without breaking the scroll between them. `isDirty`: there is something to lose. */
export function DialogForm({ isDirty = false, className, ...rest }: FormProps & { isDirty?: boolean }) {
  useHoldUnsaved(isDirty);
  return <Form className={cn("flex min-h-0 flex-1 flex-col", className)} {...rest} />;
}
