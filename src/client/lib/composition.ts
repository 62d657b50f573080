/**
 * An input method composes a text (the pinyin "zhong") before it hands one over (中). Until then
 * the text is nobody's input: it is not searched for, and the keys that choose or cancel a
 * candidate belong to the input method.
 */

/**
 * Keyboards of Android compose every word, Latin ones too, and end a composition only with a blank
 * or when the field is left. There what is typed counts at once, and no key chooses a candidate.
 */
const COMPOSES_EVERY_WORD = /Android/.test(navigator.userAgent);

/** Whether the event belongs to a composition whose text is still to come. */
export function isComposing(event: Event): boolean {
  if (COMPOSES_EVERY_WORD) return false;
  return "isComposing" in event && event.isComposing === true;
}

/**
 * What browsers give as the code of a key that an input method has taken. Safari says only this of
 * the last one.
 */
const TAKEN_BY_INPUT_METHOD = 229;

/**
 * Keeps the keys of a composition from everything that listens for keys: dialogs and popovers that
 * close on Escape, lists that follow the arrows, shortcuts. At the window, on the way down, it
 * comes before all of them. What the browser itself does on Enter and Escape (send the form, empty
 * a search field) is prevented; the input method has had the key before the page.
 */
export function keepKeysOfCompositions(): void {
  if (COMPOSES_EVERY_WORD) return;
  window.addEventListener(
    "keydown",
    (event) => {
      if (!event.isComposing && event.keyCode !== TAKEN_BY_INPUT_METHOD) return;
      event.stopImmediatePropagation();
      if (event.key === "Enter" || event.key === "Escape") event.preventDefault();
    },
    { capture: true },
  );
}
