/** The LIKE pattern that finds the text anywhere and literally: `%`, `_` and `\` in it are ordinary characters. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
