import pg from "pg";
import { pino } from "pino";
import { openEmbeddedDatabase } from "../../src/server/embedded-database/open.ts";

// A process that writes rows until it is killed, and tells its parent of each one that was acknowledged.
const dataDir = process.argv[2];
if (dataDir === undefined || process.send === undefined) throw new Error("started by embedded-database.test.ts only");
const database = await openEmbeddedDatabase({ dataDir, log: pino({ level: "silent" }) });
const client = new pg.Client(database.connection);
await client.connect();
await client.query("create table written (n int primary key, text text not null)");
process.send(0);
for (let n = 1; ; n += 1) {
  await client.query("insert into written values ($1, $2)", [n, `row ${n}`.repeat(100)]);
  process.send(n);
}
