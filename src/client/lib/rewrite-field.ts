import type { ChangeEventHandler, CompositionEventHandler } from "react";
import { isComposing } from "@/lib/composition";

type Rewrite = (typed: string) => string;
type Handlers = {
  onChange?: ChangeEventHandler<HTMLInputElement> | undefined;
  onCompositionEnd?: CompositionEventHandler<HTMLInputElement> | undefined;
};

/**
 * The handlers of an input that writes what is typed or pasted in its own way. A text that is being
 * composed is left alone until it is complete: to touch it would end the composition.
 */
export function rewritingHandlers(
  rewrite: Rewrite,
  { onChange, onCompositionEnd }: Handlers,
): Required<Handlers> {
  return {
    onChange(event) {
      const field = event.currentTarget;
      if (!isComposing(event.nativeEvent)) {
        rewriteField(field, rewrite, (text) => {
          field.value = text;
        });
      }
      onChange?.(event);
    },
    onCompositionEnd(event) {
      onCompositionEnd?.(event);
      const field = event.currentTarget;
      rewriteField(field, rewrite, (text) => typeInto(field, text));
    },
  };
}

/** The caret stays behind the same character. */
function rewriteField(
  field: HTMLInputElement,
  rewrite: Rewrite,
  write: (text: string) => void,
): void {
  const typed = field.value;
  const written = rewrite(typed);
  if (written === typed) return;

  // Null in a field for an e-mail address, which knows no caret.
  const caret = field.selectionStart;
  write(written);
  if (caret === null) return;

  const position = rewrite(typed.slice(0, caret)).length;
  field.setSelectionRange(position, position);
}

/**
 * No event follows the end of a composition, so this sends one. React compares the field with the
 * value that was last set through its own property; the setter of the prototype goes past that.
 */
function typeInto(field: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
