import { SharedPostgres } from "./shared-postgres.ts";

// The process that initialise.ts starts: one new database directory, then the end.
const directory = process.argv[2];
if (directory === undefined) throw new Error("usage: create-directory.ts <directory>");
const postgres = await SharedPostgres.open({
  directory,
  onCrash: (error) => console.error(error),
  onLogLine: (line) => console.error(line),
});
await postgres.close();
