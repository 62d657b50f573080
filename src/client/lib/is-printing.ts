/** Whether the browser lays the page out for paper at this moment. */
export function isPrinting(): boolean {
  return window.matchMedia("print").matches;
}
