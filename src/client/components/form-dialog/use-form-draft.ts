import { useEffect, useLayoutEffect, useState } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { type DraftKey, readDraft, writeDraft } from "@/lib/drafts";

type DraftState = "unread" | "none" | "restored";

/**
 * Keeps what is typed, and puts back what was typed before the session ended. That happens before
 * the fields are first drawn (`unread`), since some of them choose by their first value how they
 * look. Without a key nothing is kept.
 */
export function useFormDraft<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  key: DraftKey | null,
  title: string,
): DraftState {
  const [state, setState] = useState<DraftState>("unread");
  const [firstKey] = useState(key);

  useLayoutEffect(() => {
    const values = firstKey === null ? undefined : readDraft(firstKey)?.values;
    if (values === undefined || !fits(values, form.getValues())) {
      setState("none");
      return;
    }

    form.reset({ ...form.getValues(), ...values }, { keepDefaultValues: true });
    setState("restored");
  }, [form, firstKey]);

  useEffect(() => {
    if (firstKey === null) return undefined;

    return form.subscribe({
      formState: { values: true },
      callback: ({ values }) =>
        writeDraft(firstKey, title, values, form.formState.defaultValues ?? {}),
    });
  }, [form, firstKey, title]);

  return state;
}

/** False for the draft of a form that looked different, before an update of the console. */
function fits<Values extends FieldValues>(draft: object, values: Values): draft is Partial<Values> {
  const present = new Map<string, unknown>(Object.entries(values));

  return Object.entries(draft).every(([name, value]) => {
    const shown = present.get(name);
    const isSameType = shown === null || value === null || typeof shown === typeof value;
    return present.has(name) && isSameType;
  });
}
