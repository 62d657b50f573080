/**
 * What somebody has typed into a form that was not sent, kept in this tab until the form is sent or
 * discarded or the person signs out: a session may end in mid-sentence. Each draft belongs to one
 * user and one form; nobody else gets it back. Secrets are never kept.
 */
type Draft = { title: string; values: Record<string, unknown> };
export type DraftKey = { userId: string; form: string };

const PREFIX = "ucloud_draft:";
const SECRET = /password|key|secret|token/i;

export function readDraft(key: DraftKey): Draft | null {
  return parseDraft(storage()?.getItem(nameOf(key)) ?? null);
}

/** Keeps the values that differ from the defaults. Without any there is no draft. */
export function writeDraft(key: DraftKey, title: string, values: object, defaults: object): void {
  const before = new Map<string, unknown>(Object.entries(defaults));
  const changed = Object.entries(values).filter(
    ([name, value]) =>
      !SECRET.test(name) && JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  if (changed.length === 0) {
    removeDraft(key);
    return;
  }
  try {
    storage()?.setItem(nameOf(key), JSON.stringify({ title, values: Object.fromEntries(changed) }));
  } catch {
    // Full.
  }
}

export function removeDraft(key: DraftKey): void {
  storage()?.removeItem(nameOf(key));
}

/** The titles of the forms that the user has left unfinished in this tab. */
export function draftTitles(userId: string): string[] {
  const own = draftNames().filter((name) => name.startsWith(nameOf({ userId, form: "" })));
  return own.flatMap((name) => parseDraft(storage()?.getItem(name) ?? null)?.title ?? []);
}

/** Removes every draft, or those of everybody but this user. */
export function removeDrafts(exceptUserId?: string): void {
  const kept = exceptUserId === undefined ? null : nameOf({ userId: exceptUserId, form: "" });
  for (const name of draftNames()) {
    if (kept === null || !name.startsWith(kept)) storage()?.removeItem(name);
  }
}

function nameOf({ userId, form }: DraftKey): string {
  return `${PREFIX}${userId}:${form}`;
}

function draftNames(): string[] {
  const all = storage();
  return all === null ? [] : Object.keys(all).filter((name) => name.startsWith(PREFIX));
}

function parseDraft(text: string | null): Draft | null {
  try {
    const draft: unknown = JSON.parse(text ?? "");
    return isDraft(draft) ? draft : null;
  } catch {
    return null;
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== "object" || value === null || !("title" in value) || !("values" in value)) {
    return false;
  }
  return (
    typeof value.title === "string" && typeof value.values === "object" && value.values !== null
  );
}

/** Null where the browser closes its storage to the page. */
function storage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
