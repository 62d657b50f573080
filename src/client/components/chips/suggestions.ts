/** What a field of chips offers while somebody types. */
export interface Suggestion {
  readonly text: string;
  /** Behind it, as `12 台`. */
  readonly detail: string;
}

/**
 * Those that hold what is typed, without regard to case, and that are not chosen yet; first those
 * that begin with it.
 */
export function matchingSuggestions(
  suggestions: readonly Suggestion[],
  typed: string,
  chosen: readonly string[],
): readonly Suggestion[] {
  const wanted = typed.trim().toLowerCase();
  const taken = new Set(chosen.map((text) => text.toLowerCase()));

  const found = suggestions.filter(({ text }) => {
    const name = text.toLowerCase();
    return name.includes(wanted) && !taken.has(name);
  });
  const isBegun = ({ text }: Suggestion) => text.toLowerCase().startsWith(wanted);

  return [...found.filter(isBegun), ...found.filter((one) => !isBegun(one))];
}

/** Of an option, for the `aria-activedescendant` of its field. */
export function suggestionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}
