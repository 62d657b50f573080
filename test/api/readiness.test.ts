import { sql } from "kysely";
import { expect, it } from "vitest";
import { useApp } from "../harness/app.ts";
import { HAS_CONCURRENT_SESSIONS } from "../harness/database.ts";

const app = useApp();
/**
 * Together they keep the pool busy for longer than the two seconds that a readiness check may take.
 */
const READERS = 40;
const READER_SECONDS = HAS_CONCURRENT_SESSIONS ? 0.75 : 0.065;

it("a process whose pool is full of slow readers is ready", async () => {
  const db = app.orm.em.fork().getKysely();
  const read = () => sql`select pg_sleep(${READER_SECONDS})`.execute(db);
  const readers = Promise.all(Array.from({ length: READERS }, read));

  const answers = await Promise.all(Array.from({ length: 5 }, () => fetch(`${app.url}/readyz`)));

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  await readers;
});
