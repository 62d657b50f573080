import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { Role } from "../../shared/roles.ts";
import { answerTogether } from "../core/answer-together.ts";
import type { Caller } from "../core/ports.ts";
import type { PresenterDeps } from "./presenters.ts";

/** Callers of one role, at a moment in Unix seconds. */
export interface Viewers {
  readonly ids: readonly string[];
  readonly role: Role;
  readonly now: number;
}

/** Those of the viewers whom the subject of an event concerns, by id. */
type FindConcerned<Subject> = (em: SqlEntityManager, subject: Subject, viewers: Viewers) => Promise<readonly string[]>;

type IsConcerned = (userId: string) => Promise<boolean | undefined>;

/**
 * Whether an event concerns a caller now: asked by everybody who hears of it, answered for all of a role at once. The subject is
 * what the event holds, the same object for all who hear of it.
 */
export function createAudience<Subject extends object>(
  { openEm, clock }: PresenterDeps,
  findConcerned: FindConcerned<Subject>,
): (subject: Subject, caller: Pick<Caller, "id" | "role">) => Promise<boolean> {
  const questions = new WeakMap<Subject, Map<Role, IsConcerned>>();

  function questionOf(subject: Subject, role: Role): IsConcerned {
    const ofRoles = questions.get(subject) ?? new Map<Role, IsConcerned>();
    questions.set(subject, ofRoles);
    const question = ofRoles.get(role) ?? answerTogether((ids) => answer(subject, role, ids));
    ofRoles.set(role, question);
    return question;
  }

  async function answer(subject: Subject, role: Role, ids: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
    const concerned = await findConcerned(openEm(), subject, { ids, role, now: clock.now() });
    return new Map(concerned.map((id) => [id, true]));
  }

  return async (subject, { id, role }) => (await questionOf(subject, role)(id)) ?? false;
}
