import { forget, recall, recallAll, remember } from "./tab-memory";

/**
 * What somebody has typed into a form that was not sent, kept in this tab until the form is sent or
 * discarded or the person signs out: a session may end in mid-sentence. Secrets are never kept.
 */
type Draft = { title: string; values: Record<string, unknown> };
export type DraftKey = { userId: string; form: string };

const SECRET = /password|key|secret|token/i;

export function readDraft(key: DraftKey): Draft | null {
  const draft = recall(memoryKey(key));
  return isDraft(draft) ? draft : null;
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
  remember(memoryKey(key), { title, values: Object.fromEntries(changed) });
}

export function removeDraft(key: DraftKey): void {
  forget(memoryKey(key));
}

/** The titles of the forms that the user has left unfinished in this tab. */
export function draftTitles(userId: string): string[] {
  const drafts = recallAll({ userId, kind: "draft" }).filter(isDraft);
  return drafts.map(({ title }) => title);
}

function memoryKey({ userId, form }: DraftKey) {
  return { userId, kind: "draft", name: form } as const;
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== "object" || value === null || !("title" in value) || !("values" in value)) {
    return false;
  }
  return (
    typeof value.title === "string" && typeof value.values === "object" && value.values !== null
  );
}
