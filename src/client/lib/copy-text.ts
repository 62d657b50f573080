/**
 * Puts text on the clipboard; false when the browser will not. Over plain http there is no
 * clipboard API, so a selected textarea is copied; it goes beside `near`, inside a dialog's focus
 * trap.
 */
export async function copyText(text: string, near: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, near);
  }
}

function copyBySelection(text: string, near: HTMLElement): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "sr-only";
  near.parentElement?.append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
    near.focus();
  }
}
