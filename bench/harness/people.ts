import type { BenchDatabase } from "./databases.ts";

/** So many people, named `console1`, `console2`, …. `role`: SQL, of the number `n`. By SQL, because a call for each would take minutes. */
export async function addPeople(database: BenchDatabase, count: number, role: string): Promise<void> {
  await database.query(`
    insert into users (id, username, password_hash, name, role, created_at)
    select gen_random_uuid(), 'console' || n, '', 'console' || n, ${role}, extract(epoch from now())::bigint
    from generate_series(1, ${count}) n`);
}

/** A session for each of the first so many. It is as any other: the server holds the hash of the token. */
export async function signInPeople(database: BenchDatabase, count: number): Promise<void> {
  await database.query(`
    insert into sessions (id, token_hash, user_id, created_at, last_used_at, expires_at, ip, user_agent)
    select gen_random_uuid(), sha256(convert_to('console-' || n, 'UTF8')), id, created_at, created_at, created_at + 7200, '', ''
    from generate_series(1, ${count}) n join users on username = 'console' || n`);
}

export function tokenOf(number: number): string {
  return `console-${number}`;
}
