/** A field of an answer by its path, such as `hosts[].users[].id`. */
export interface Field {
  readonly path: string;
  readonly isNull: boolean;
}

/** Every field with a value, listed separately as null and not null. */
export function fieldsOf(value: unknown, path = ""): Field[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOf(item, `${path}[]`));
  if (typeof value !== "object" || value === null) return [{ path, isNull: value === null }];
  return Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, path === "" ? name : `${path}.${name}`));
}

/** The entry that allows the field; `path=null` allows only null, `path` allows null too. */
export function allowing({ path, isNull }: Field, allowed: readonly string[]): string | undefined {
  const exact = allowed.find((entry) => entry === path || (isNull && entry === `${path}=null`));
  return exact ?? (isNull ? allowed.find((entry) => entry.startsWith(`${path}.`)) : undefined);
}
