import { setTimeout as sleep } from "node:timers/promises";
import type { StreamEvent } from "../../../src/shared/events.ts";
import { DAY_SECONDS } from "../../../src/shared/time.ts";
import { follow } from "../../harness/raw-client.ts";
import { type RestAnswer, type RestClient, restClient } from "../../harness/rest.ts";
import { within } from "../../harness/time-limits.ts";

const PAUSE_MS = 60;
/** After a 503, which says 5 s. */
const RETRY_MS = 200;
/** A stream hangs up so often, and resumes. */
const STREAM_MS = 1_500;
/** How often a stream looks what has come. */
const HEAR_MS = 20;
/** For the last acts, after a slow machine had more of them than its streams could follow. */
const HEAR_LIMIT_MS = 30_000;
const RENEWED_DAYS = 30;
const RENEWALS_OF_CLIENT = 45;

export type Client = RestClient & { readonly id: string };

interface LoadOptions {
  readonly urls: readonly string[];
  readonly root: RestClient;
  /** Signs in again and again, so that its sessions end. */
  readonly visitor: { readonly username: string; readonly password: string };
  /** Each requests no more renewals than a client may in a day. */
  readonly clients: readonly Client[];
  /** Each is assigned once. */
  readonly hostIds: readonly string[];
}

interface Assigned {
  readonly hostId: string;
  /** When it was first tried. Milliseconds, as `performance.now()`. */
  readonly begunAt: number;
  readonly end: number;
  readonly isRenewed: boolean;
}

/** What one follower of the events has heard. */
interface Heard {
  readonly hostIds: Set<string>;
  /** When it was told to read everything again. */
  readonly refetchedAt: number[];
}

/**
 * Acts of several callers at two replicas, and streams that resume, until it is stopped. An act
 * that is answered with 503 is repeated until it is acknowledged.
 */
export class Load {
  readonly assigned: Assigned[] = [];
  readonly heard: Heard[] = [];
  /** What no call may answer. */
  readonly problems: string[] = [];
  readonly #options: LoadOptions;
  readonly #hostIds: string[];
  /** One for each renewal that may be requested. */
  readonly #applicants: Client[];
  readonly #loops: Promise<void>[] = [];
  /** When each loop last had what it wanted. */
  readonly #succeededAt = new Map<string, number>();
  #longestMs = 0;
  #isStopped = false;
  readonly #streams: Promise<void>[] = [];
  #areStreamsOver = false;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#hostIds = [...options.hostIds];
    this.#applicants = options.clients.flatMap((client) =>
      Array.from({ length: RENEWALS_OF_CLIENT }, () => client),
    );
    for (const url of options.urls) this.#start(url);
  }

  /** Loops that have not succeeded since then. */
  failingSince(at: number): string[] {
    return [...this.#succeededAt].flatMap(([name, succeededAt]) =>
      succeededAt < at ? [name] : [],
    );
  }

  /** How long a call took at most since this was last asked. */
  takeLongestMs(): number {
    const longest = this.#longestMs;
    this.#longestMs = 0;
    return longest;
  }

  /**
   * Acknowledged assignments that a follower neither heard of nor was told to read again. An act
   * whose answer is lost may be done long before it is acknowledged, so the reading counts that
   * comes after it was first tried.
   */
  missed(): string[] {
    return this.heard.flatMap(({ hostIds, refetchedAt }) =>
      this.assigned
        .filter(({ hostId }) => !hostIds.has(hostId))
        .filter(({ begunAt }) => !refetchedAt.some((at) => at > begunAt))
        .map(({ hostId }) => hostId),
    );
  }

  /** The acts end first; the streams then hear of the last ones. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#loops);
    const until = performance.now() + within(HEAR_LIMIT_MS);
    while (!this.#areStreamsOver && this.missed().length > 0 && performance.now() < until) {
      await sleep(HEAR_MS);
    }
    this.#areStreamsOver = true;
    await Promise.all(this.#streams);
  }

  #start(url: string): void {
    const { root, visitor } = this.#options;
    const asRoot = at(url, root);
    const heard = { hostIds: new Set<string>(), refetchedAt: [] };
    this.heard.push(heard);

    this.#repeat(`assign ${url}`, () => this.#assignNext(asRoot));
    this.#repeat(`renew ${url}`, () => this.#renewNext(url, asRoot));
    this.#repeat(`settings ${url}`, () => this.#change(asRoot));
    this.#repeat(`read ${url}`, () => this.#ask(() => asRoot.get("/api/hosts?limit=100"), [200]));
    this.#repeat(`sign in ${url}`, () =>
      this.#ask(() => asRoot.post("/api/auth/login", visitor), [200]),
    );
    this.#streams.push(this.#follow(url, heard));
  }

  #repeat(name: string, act: () => Promise<unknown>): void {
    this.#succeededAt.set(name, 0);
    const loop = async () => {
      while (!this.#isStopped) {
        await act();
        this.#succeededAt.set(name, performance.now());
        await sleep(PAUSE_MS);
      }
    };
    this.#loops.push(
      loop().catch((error: Error) => {
        this.problems.push(`${name}: ${error.message} ${String(error.cause ?? "")}`);
      }),
    );
  }

  /** Repeats a call until it is answered with one of these, and measures it. */
  async #ask(call: () => Promise<RestAnswer>, wanted: readonly number[]): Promise<RestAnswer> {
    for (;;) {
      const began = performance.now();
      const answer = await call();
      this.#longestMs = Math.max(this.#longestMs, performance.now() - began);
      if (wanted.includes(answer.status)) return answer;

      if (answer.status !== 503 || this.#isStopped) {
        throw new Error(`answered ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      await sleep(RETRY_MS);
    }
  }

  async #change(root: RestClient): Promise<void> {
    const show_network_info_to_client = Math.random() < 0.5;
    const write = () => root.put("/api/system-config", { show_network_info_to_client });
    await this.#ask(write, [200]);
  }

  async #assignNext(root: RestClient): Promise<void> {
    const [client] = this.#options.clients;
    const hostId = this.#hostIds.pop();
    if (client === undefined || hostId === undefined) return;

    const begunAt = performance.now();
    const end = await this.#assign(root, hostId, client.id);
    this.assigned.push({ hostId, begunAt, end, isRenewed: false });
  }

  async #renewNext(url: string, root: RestClient): Promise<void> {
    const client = this.#applicants.pop();
    const hostId = this.#hostIds.pop();
    if (client === undefined || hostId === undefined) return;

    const begunAt = performance.now();
    const end = await this.#assign(root, hostId, client.id);
    await this.#renew(root, at(url, client), hostId);
    this.assigned.push({ hostId, begunAt, end, isRenewed: true });
  }

  /** A host that nobody has. Returns the end. */
  async #assign(root: RestClient, hostId: string, userId: string): Promise<number> {
    const assignedExpireTime = Math.floor(Date.now() / 1_000) + 50 * DAY_SECONDS;
    const assignment = { hostId, userId, assignedExpireTime };
    await this.#ask(() => root.post("/api/hosts/assign", assignment), [200, 201]);
    return assignedExpireTime;
  }

  /** Every step may have been done by an attempt whose answer was lost. */
  async #renew(root: RestClient, client: RestClient, hostId: string): Promise<void> {
    const request = { hostId, requestedDuration: RENEWED_DAYS };
    await this.#ask(() => client.post("/api/renewals", request), [201, 409]);
    const host = await this.#ask(() => client.get(`/api/hosts/${hostId}`), [200]);
    const { id } = host.data.openRenewal;
    const completed = { status: "completed" };
    await this.#ask(() => root.put(`/api/renewals/${id}/process`, completed), [200, 409]);
  }

  /** Hangs up and resumes, as long as the load lasts. */
  async #follow(url: string, heard: Heard): Promise<void> {
    let lastEventId: string | undefined;
    while (!this.#areStreamsOver) {
      try {
        await using stream = await follow(url, this.#options.root.token, lastEventId);
        const hangUpAt = performance.now() + STREAM_MS;
        const { socket, events } = stream;
        while (performance.now() < hangUpAt && socket.readyState === socket.OPEN) {
          for (const { id, event } of events.splice(0)) {
            lastEventId = id;
            note(event, heard);
          }
          await sleep(HEAR_MS);
        }
      } catch {
        await sleep(RETRY_MS);
      }
    }
  }
}

function note(event: StreamEvent, { hostIds, refetchedAt }: Heard): void {
  if (event.type === "assignment.changed") hostIds.add(event.data.hostId);
  if (event.type === "stream.ready" && !event.data.resumed) refetchedAt.push(performance.now());
}

/** The same session at another replica. */
function at(url: string, { token }: RestClient): RestClient {
  return restClient(url, token);
}
