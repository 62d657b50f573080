import { cn } from "@/lib/cn";

/** How much of the end is always shown, in widths of a Chinese character. */
const END_WIDTH = 3.5;

/**
 * One line of text that is cut in its middle where there is no room for it: `财务…报表-01`. Names of
 * a kind begin alike, so what tells them apart is their end.
 *
 * The box is one line high and holds two things, which stand on one line only if the whole text has
 * room there. If so it takes all the room, and the cut form beside it has none; if not it wraps out
 * of sight, and the cut form takes its place. That form is drawn and is no text: readers, searches
 * and copies meet the whole, once.
 */
export function MiddleCut({ text, className }: { text: string; className?: string }) {
  const { start, end } = splitBeforeEnd(text);
  return (
    <span
      className={cn(
        "flex h-[1lh] min-w-0 flex-wrap overflow-clip whitespace-pre print:block print:h-auto print:whitespace-normal",
        className,
      )}
    >
      <span
        aria-hidden="true"
        data-start={start}
        data-end={end}
        className="flex w-0 min-w-0 grow overflow-clip select-none before:truncate before:content-[attr(data-start)] after:shrink-0 after:content-[attr(data-end)] print:hidden"
      />
      <span className="shrink-0 grow-[99999]">{text}</span>
    </span>
  );
}

function splitBeforeEnd(text: string): { start: string; end: string } {
  const characters = Array.from(text);
  let first = characters.length;
  let width = 0;

  while (first > 0) {
    width += widthOf(characters[first - 1] ?? "");
    if (width > END_WIDTH) break;
    first -= 1;
  }
  return { start: characters.slice(0, first).join(""), end: characters.slice(first).join("") };
}

/** In widths of a Chinese character. */
function widthOf(character: string): number {
  return character > "\u2e7f" ? 1 : 0.5;
}
