/** Prints text alone, from a frame of its own: the page behind it stays out of the paper. */
export function printText(title: string, text: string): void {
  const frame = document.createElement("iframe");
  frame.title = title;
  // Drawn, but out of sight: Firefox prints nothing of a frame that is not.
  frame.className = "sr-only";
  document.body.append(frame);

  const page = frame.contentDocument;
  const view = frame.contentWindow;
  if (page === null || view === null) return;

  const paragraph = page.createElement("pre");
  paragraph.textContent = text;
  page.title = title;
  page.body.append(paragraph);

  view.addEventListener("afterprint", () => frame.remove(), { once: true });
  view.print();
}
