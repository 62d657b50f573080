import { dropInvisible } from "../../../../shared/invisible-text.ts";

/** One line of at most `max` characters, without what nobody sees. */
export function shortLine(text: string, max: number): string {
  const line = dropInvisible(text.replace(/\s+/g, " ")).trim();
  const characters = [...line];
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join("")}…`;
}

/**
 * What another side answered, as text to show: shortened, and without the secrets sent to it. Of
 * these the longest are hidden first, so that no rest of a longer one stays.
 */
export function shownAnswer(answer: string, secrets: readonly string[]): string {
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  let shown = answer;
  for (const secret of longestFirst) {
    for (const form of [secret, secret.toLowerCase()]) shown = shown.replaceAll(form, "••••");
  }
  return shortLine(shown, 200);
}

/**
 * What of an address must not be shown: a robot's address is its password, which is in its query or
 * at the end of its path.
 */
export function secretsOfRobot({
  url,
  secret,
}: {
  readonly url: string;
  readonly secret?: string;
}) {
  const { href, pathname, search, searchParams } = new URL(url);
  const parts = [url, href, search, ...pathname.split("/"), ...searchParams.values()];
  // A shorter one is no secret, but a word such as `robot` or `send`.
  const secrets = parts.filter((part) => part.length > 8);
  if (secret !== undefined) secrets.push(secret);
  return secrets;
}
