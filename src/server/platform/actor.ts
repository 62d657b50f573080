/** Where a call came from. */
interface Request {
  readonly ip: string;
  readonly userAgent: string;
  readonly requestId: string;
}

/** The API token by which a user acts. */
interface ActingToken {
  readonly id: string;
  readonly name: string;
}

interface UserActor {
  readonly type: "user";
  readonly id: string;
  readonly name: string;
  /** Null for a session. */
  readonly token: ActingToken | null;
}

/** Whoever makes a call: a user, or nobody known yet, as before a sign-in. */
export type CallingActor = Request &
  (UserActor | { readonly type: "anonymous"; readonly id: null; readonly name: null });

/** A part of the server that acts by itself, such as a job, or an operator's command. */
interface ProgramActor {
  readonly type: "system" | "command";
  readonly id: null;
  /** Of the job or the command. */
  readonly name: string;
  readonly ip: null;
  readonly userAgent: null;
  readonly requestId: null;
}

/** On whose behalf a service acts. */
export type Actor = CallingActor | ProgramActor;

export function anonymousActor({ ip, userAgent, requestId }: Request): CallingActor {
  return { type: "anonymous", id: null, name: null, ip, userAgent, requestId };
}

export function userActor(
  { ip, userAgent, requestId }: Request,
  { id, name }: { readonly id: string; readonly name: string },
  token: ActingToken | null = null,
): CallingActor {
  return { type: "user", id, name, token, ip, userAgent, requestId };
}

export function programActor(type: ProgramActor["type"], name: string): Actor {
  return { type, id: null, name, ip: null, userAgent: null, requestId: null };
}
