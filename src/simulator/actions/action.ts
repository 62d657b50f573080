import type { Account } from "../accounts.ts";
import { type Outcome, refuse } from "../outcome.ts";
import type { Project, World } from "../world.ts";

/** What every action is given. */
export interface ActionCall {
  params: ReadonlyMap<string, string>;
  account: Account;
  world: World;
  /** How far a listing shifts after each page. */
  pageDrift: number;
}

/** The project named, or the account's default one; a sub-account has no default. */
export function resolveProject({ params, account, world }: ActionCall): Project | Outcome {
  const wanted = params.get("ProjectId");
  if (!wanted) {
    const fallback = account.projects.find((project) => project.isDefault);
    return account.isSub || fallback === undefined ? refuse(220, "Missing params [ProjectId]") : fallback;
  }
  const project = world.projects.find(({ id }) => id === wanted);
  if (project === undefined) return refuse(292, `Project [${wanted}] not exists`);
  return account.projects.includes(project) ? project : denied();
}

/** The access control of a sub-account said no. */
export function denied(): Outcome {
  return refuse(299, "IAM permission denied");
}
