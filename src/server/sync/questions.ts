import pLimit, { type LimitFunction } from "p-limit";
import { connectProvider, type ProviderDeps } from "../configs/connect-provider.ts";
import type { ConfigRow } from "../configs/entity.ts";
import { systemClock } from "../core/clock.ts";
import { type ClientLimits, DEFAULT_LIMITS, type ProviderClient } from "../provider/client.ts";
import { ProviderFailure } from "../provider/failure.ts";
import { createSilence, type Silence } from "./silence.ts";

/** Why the rest of a run is not asked for: nobody answers, or the answers have no end. */
export type Halt = "provider-silent" | "too-many-hosts";

/** What is left of a place when its run was halted. */
export class NotAsked extends ProviderFailure {
  constructor() {
    super("unexpected");
  }
}

/** The questions of a run about its places. */
export interface Questions {
  /**
   * Asks when it is this region's turn, at most five at once. While nobody seems to answer, every region is asked briefly whether it
   * does before any is asked again; what was in vain then is asked anew as soon as one does. The run is halted when nobody does, and
   * one more question with all its time and tries gets no answer either.
   * @throws ProviderFailure (NotAsked when the run was halted), or the reason of the run's signal.
   */
  ask<Answer>(region: string, question: (client: ProviderClient) => Promise<Answer>): Promise<Answer>;
  halt(why: Halt): void;
  /** Null while the run goes on. */
  readonly halted: Halt | null;
}

export interface Asking {
  readonly client: ProviderClient;
  /** The run's calls of the provider, five at once. */
  readonly calls: LimitFunction;
  readonly silence: Silence;
  /** Through `calls`, too. */
  readonly questions: Questions;
}

type AskDeps = ProviderDeps & { readonly providerLimits?: Partial<ClientLimits> };

const CALLS_AT_ONCE = 5;
/** Of a call's time: what a brief question may take, and the least that it takes where connections are refused at once. */
const BRIEF_SHARE = 1 / 4;
const BRIEF_LEAST_SHARE = 1 / 15;

/** For one run; `signal` ends it. */
export function beginAsking(deps: AskDeps, config: ConfigRow, signal: AbortSignal): Asking {
  const limits: ClientLimits = { ...DEFAULT_LIMITS, ...deps.providerLimits };
  const { attemptTimeoutMs, maxPauseMs } = limits;
  const silence = createSilence(maxPauseMs);
  const connect = (own: Partial<ClientLimits>) =>
    connectProvider(deps, config, { signal, limits: { ...limits, ...own }, onCall: silence.hear });
  const client = connect({});
  const brief = connect({ attemptTimeoutMs: attemptTimeoutMs * BRIEF_SHARE, maxRetries: 0 });
  const calls = pLimit(CALLS_AT_ONCE);
  const briefLeastMs = attemptTimeoutMs * BRIEF_LEAST_SHARE;
  return {
    client,
    calls,
    silence,
    questions: createQuestions({ client, brief, briefLeastMs, calls, silence, signal }),
  };
}

interface QuestionParts extends Omit<Asking, "questions"> {
  /** Asks once and not for long. */
  readonly brief: ProviderClient;
  readonly briefLeastMs: number;
  readonly signal: AbortSignal;
}

/** What came of a turn: an answer, or what to wait for before the next one. */
type Turn<Answer> = { readonly answer: Answer } | { readonly next: Promise<unknown> };

function createQuestions({ client, brief, briefLeastMs, calls, silence, signal }: QuestionParts): Questions {
  let halted: Halt | null = null;
  let woken = Promise.withResolvers<void>();

  function wake(): void {
    woken.resolve();
    woken = Promise.withResolvers();
  }

  function halt(why: Halt): void {
    halted ??= why;
    wake();
  }

  async function takeTurn<Answer>(
    region: string,
    question: (client: ProviderClient) => Promise<Answer>,
  ): Promise<Turn<Answer>> {
    signal.throwIfAborted();
    if (halted !== null) throw new NotAsked();
    if (!silence.isSuspected()) return { answer: await askFully(region, question) };
    if (silence.isTurnOfOthers(region)) return { next: woken.promise };
    return silence.isProven() ? await askLast(region, question) : await askBriefly(region, question);
  }

  async function askFully<Answer>(
    region: string,
    question: (client: ProviderClient) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await question(client);
    } catch (error) {
      if (error instanceof ProviderFailure) silence.giveUp(region, error);
      throw error;
    }
  }

  async function askBriefly<Answer>(
    region: string,
    question: (client: ProviderClient) => Promise<Answer>,
  ): Promise<Turn<Answer>> {
    const began = performance.now();
    silence.probe(region);
    // When all regions are being asked nobody has to wait for others any more.
    if (!silence.isTurnOfOthers(region)) wake();
    try {
      return { answer: await question(brief) };
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      silence.giveUp(region, error);
    }
    if (silence.isSuspected()) await systemClock.sleep(Math.max(1, briefLeastMs - (performance.now() - began)), signal);
    return { next: Promise.resolve() };
  }

  /** Somebody who only is slow does answer this one. */
  async function askLast<Answer>(
    region: string,
    question: (client: ProviderClient) => Promise<Answer>,
  ): Promise<Turn<Answer>> {
    try {
      return { answer: await question(client) };
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      silence.giveUp(region, error);
    }
    if (silence.isProven()) halt("provider-silent");
    return { next: Promise.resolve() };
  }

  silence.onChange(wake);
  signal.addEventListener("abort", wake, { once: true });
  return {
    async ask(region, question) {
      for (;;) {
        const turn = await calls(() => takeTurn(region, question));
        if ("answer" in turn) return turn.answer;
        await turn.next;
      }
    },
    halt,
    get halted() {
      return halted;
    },
  };
}
