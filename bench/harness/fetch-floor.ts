import { join } from "node:path";
import { z } from "zod";
import { startProgram } from "../../scripts/processes.ts";

const PROGRAM = join(import.meta.dirname, "fetch-alone.ts");

/** What fetching everything once cost, without a server and a database. Times in seconds. */
export type FetchFloor = z.infer<typeof FetchFloor>;
const FetchFloor = z.object({ seconds: z.number(), calls: z.int(), hosts: z.int(), firstHosts: z.number() });

/** Each round's cost, in one process: the first is cold, the later ones are not. */
export async function fetchAlone(providerUrl: string, rounds: number): Promise<[FetchFloor, ...FetchFloor[]]> {
  await using program = await startProgram([PROGRAM, providerUrl, String(rounds)], {}, /^fetched (.*)$/);
  await program.exited;
  return z.tuple([FetchFloor], FetchFloor).parse(JSON.parse(program.announced));
}
