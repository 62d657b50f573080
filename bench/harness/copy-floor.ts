import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from, to } from "pg-copy-streams";
import type { BenchDatabase } from "./databases.ts";

const CHUNK = 64 * 1024;

/** Seconds to write the hosts that are there once more, into a table like theirs: one COPY in one transaction, each round anew. */
export async function copyAlone({ env }: BenchDatabase, rounds: number): Promise<number[]> {
  const client = new pg.Client({ connectionString: String(env.DATABASE_URL) });
  await client.connect();
  try {
    const rows = await buffer(client.query(to("copy hosts to stdout")));
    await client.query("create table copied_hosts (like hosts including all)");
    const seconds: number[] = [];
    while (seconds.length < rounds) {
      await client.query("truncate copied_hosts");
      const startedAt = performance.now();
      await client.query("begin");
      await pipeline(Readable.from(chunksOf(rows)), client.query(from("copy copied_hosts from stdin")));
      await client.query("commit");
      seconds.push((performance.now() - startedAt) / 1000);
    }
    await client.query("drop table copied_hosts");
    return seconds;
  } finally {
    await client.end();
  }
}

function* chunksOf(rows: Buffer): Generator<Buffer> {
  for (let start = 0; start < rows.length; start += CHUNK) yield rows.subarray(start, start + CHUNK);
}
