const NEWLINE = 10;
/** Far above any row; a file without line ends must not fill the memory. Bytes. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** Lines without their ends; what comes after the last end is a line only when it is not empty. */
export async function* splitLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let held: Buffer[] = [];
  let heldSize = 0;
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...held, chunk.subarray(start, end)]);
      held = [];
      heldSize = 0;
      start = end + 1;
    }
    held.push(chunk.subarray(start));
    heldSize += chunk.length - start;
    if (heldSize > LONGEST_LINE) throw new RangeError("a line of the file is too long");
  }
  if (heldSize > 0) yield Buffer.concat(held);
}
