import type { MikroORM } from "@mikro-orm/postgresql";
import type { CallingActor } from "../actor.ts";
import type { Deps } from "../deps.ts";
import type { OpenEventStream } from "../events/stream.ts";
import type { FindCaller, FindLiveSessions } from "./caller.ts";

/** What every call and socket of a process shares. */
export type App = Omit<Deps, "em" | "actor"> & {
  readonly orm: MikroORM;
  readonly findCaller: FindCaller;
  readonly findLiveSessions: FindLiveSessions;
  readonly openEventStream: OpenEventStream;
  /** Of the newest event that this process knows; a stream that begins after it resumes. */
  readonly lastEventId: () => string;
};

/** Of a call: somebody made it. */
export interface CallDeps extends Deps {
  readonly actor: CallingActor;
}

export interface RequestContext {
  readonly app: App;
  readonly token: string | null;
  readonly ip: string;
  readonly userAgent: string;
  readonly requestId: string;
}
