import type { MikroORM } from "@mikro-orm/postgresql";
import type { CallingActor } from "../actor.ts";
import type { AuditTrail, RecordCallOutcome } from "../audit-trail.ts";
import type { Deps } from "../deps.ts";
import type { OpenEventStream } from "../events/stream.ts";
import type { FindCaller, FindLiveSessions } from "./caller.ts";
import type { Download } from "./download.ts";
import type { ExportSlots } from "./export-slots.ts";
import type { ImportTurns } from "./import-turns.ts";

/** What every call and socket of a process shares. */
export type App = Omit<Deps, "em" | "actor" | "auditTrail"> & {
  readonly orm: MikroORM;
  readonly findCaller: FindCaller;
  readonly findLiveSessions: FindLiveSessions;
  readonly recordCallOutcome: RecordCallOutcome;
  readonly openEventStream: OpenEventStream;
  readonly exportSlots: ExportSlots;
  readonly importTurns: ImportTurns;
  /** A caller who takes nothing of a file for so long is cut off. Milliseconds. */
  readonly stallMs: number;
  /** Of the newest event that this process knows; a stream that begins after it resumes. */
  readonly lastEventId: () => string;
};

/** Of a call: somebody made it. */
export interface CallDeps extends Deps {
  readonly actor: CallingActor;
  readonly auditTrail: AuditTrail;
}

export interface RequestContext {
  readonly app: App;
  readonly token: string | null;
  readonly ip: string;
  readonly userAgent: string;
  readonly requestId: string;
  /** Null where a file cannot be the answer: over tRPC, and for calls that answer none. */
  readonly download: Download | null;
  /** Whether a file can be the body of the request: not over tRPC. */
  readonly canUpload: boolean;
}
