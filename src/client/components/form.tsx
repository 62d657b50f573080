import { type ComponentProps, type SubmitEvent, useRef } from "react";
import { useReportDirty } from "@/components/unsaved-guard";
import { cn } from "@/lib/cn";

type FormProps = Omit<ComponentProps<"form">, "onSubmit"> & {
  /** Further submits are ignored until the returned promise settles. */
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => unknown;
};

/**
 * Submits once at a time. The form library validates asynchronously, so a second click comes before `isSubmitting` renders: a ref, not
 * state, guards it. Let the handler return `mutateAsync`, not call `mutate`.
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
    // The caller shows the failure.
    result.then(settle, settle);
  }
  return <form noValidate {...rest} onSubmit={submit} />;
}

/** A form around the body and the footer of a dialog. `isDirty`: closing the dialog would lose input. */
export function DialogForm({ isDirty = false, className, ...rest }: FormProps & { isDirty?: boolean }) {
  useReportDirty(isDirty);
  return <Form className={cn("flex min-h-0 flex-1 flex-col", className)} {...rest} />;
}
