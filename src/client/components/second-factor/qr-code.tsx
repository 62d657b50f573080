import { encode } from "uqr";

type QrCodeProps = { text: string; label: string };

/** Black on white in every theme, with the quiet border that cameras need. */
export function QrCode({ text, label }: QrCodeProps) {
  const { size, data } = encode(text, { border: 4 });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-56 rounded-md border bg-white forced-color-adjust-none"
    >
      <path fill="black" d={pathOf(data)} />
    </svg>
  );
}

/** A square of one unit for each dark module. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  const squares = rows.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")),
  );
  return squares.join("");
}
