import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";

const Result = z.object({
  requests: z.object({ average: z.number() }),
  latency: z.object({ p97_5: z.number(), p99: z.number() }),
  non2xx: z.int(),
  errors: z.int(),
});

export interface LoadResult {
  readonly perSecond: number;
  /** ms, of which 97.5 % and 99 % of the calls took no more. */
  readonly p97: number;
  readonly p99: number;
}

export interface Load {
  readonly url: string;
  readonly seconds: number;
  readonly connections: number;
  readonly token?: string | null;
  /** Calls a second; as many as are answered unless told. */
  readonly rate?: number;
  /** Sent as a POST, JSON. */
  readonly body?: unknown;
}

/** Asks one thing over and over, from a process of its own. Throws when anything but success was answered. */
export async function load({ url, seconds, connections, token, rate, body }: Load): Promise<LoadResult> {
  const args = [
    "--no-install",
    "autocannon",
    "--json",
    "--no-progress",
    "-c",
    String(connections),
    "-d",
    String(seconds),
  ];
  if (token !== undefined && token !== null) args.push("-H", `authorization=Bearer ${token}`);
  if (rate !== undefined) args.push("-R", String(rate));
  if (body !== undefined) args.push("-m", "POST", "-H", "content-type=application/json", "-b", JSON.stringify(body));
  const { stdout } = await promisify(execFile)("npx", [...args, url]);
  const { requests, latency, non2xx, errors } = Result.parse(JSON.parse(stdout));
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refusals, ${errors} errors`);
  return { perSecond: requests.average, p97: latency.p97_5, p99: latency.p99 };
}
