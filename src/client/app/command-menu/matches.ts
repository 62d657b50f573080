/** Whether one of the words holds what was typed, in whatever case. */
export function matches(text: string, ...words: readonly string[]): boolean {
  return words.some((word) => word.toLowerCase().includes(text.toLowerCase()));
}
