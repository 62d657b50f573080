/**
 * What somebody has left unfinished in this tab: it outlives a reload and the end of a session, and
 * goes when the person signs out. Each entry belongs to one user; nobody else gets it back.
 */
export interface MemoryKey {
  readonly userId: string;
  readonly kind: keyof typeof PREFIXES;
  readonly name: string;
}

const PREFIXES = { draft: "ucloud_draft:", batch: "ucloud_batch:" } as const;

/** As JSON; null where nothing is kept. */
export function recall(key: MemoryKey): unknown {
  return parse(storage()?.getItem(nameOf(key)) ?? "null");
}

export function remember(key: MemoryKey, value: object): void {
  try {
    storage()?.setItem(nameOf(key), JSON.stringify(value));
  } catch {
    // Full.
  }
}

export function forget(key: MemoryKey): void {
  storage()?.removeItem(nameOf(key));
}

/** Everything of one kind that the user has left. */
export function recallAll({ userId, kind }: Omit<MemoryKey, "name">): unknown[] {
  const start = nameOf({ userId, kind, name: "" });
  const own = names().filter((name) => name.startsWith(start));
  return own.map((name) => parse(storage()?.getItem(name) ?? "null"));
}

/** Of everybody, or of everybody but this user. */
export function forgetAll(exceptUserId?: string): void {
  const isKept = (name: string) =>
    exceptUserId !== undefined &&
    Object.values(PREFIXES).some((prefix) => name.startsWith(`${prefix}${exceptUserId}:`));
  for (const name of names()) {
    if (!isKept(name)) storage()?.removeItem(name);
  }
}

function nameOf({ userId, kind, name }: MemoryKey): string {
  return `${PREFIXES[kind]}${userId}:${name}`;
}

function names(): string[] {
  const all = storage();
  if (all === null) return [];
  return Object.keys(all).filter((name) =>
    Object.values(PREFIXES).some((prefix) => name.startsWith(prefix)),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Null where the browser closes its storage to the page. */
function storage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
