import { join } from "node:path";
import { z } from "zod";
import { startProgram } from "../../scripts/processes.ts";

const PROGRAM = join(import.meta.dirname, "fetch-alone.ts");

/** What fetching everything once cost, without a server and a database. Times in seconds. */
export type FetchFloor = z.infer<typeof FetchFloor>;
const FetchFloor = z.object({ seconds: z.number(), calls: z.int(), hosts: z.int(), firstHosts: z.number() });

/**
 * A round's cost in a process that has done one before. To be asked for right before what is held against it: this machine's speed
 * changes within minutes.
 */
export async function fetchAloneWarm(providerUrl: string): Promise<FetchFloor> {
  const [cold, warm = cold] = await fetchAlone(providerUrl, 2);
  return warm;
}

/** Each round's cost, in one process: the first is cold, the later ones are not. */
export async function fetchAlone(providerUrl: string, rounds: number): Promise<[FetchFloor, ...FetchFloor[]]> {
  await using program = await startProgram([PROGRAM, providerUrl, String(rounds)], {}, /^fetched (.*)$/);
  await program.exited;
  return z.tuple([FetchFloor], FetchFloor).parse(JSON.parse(program.announced));
}
