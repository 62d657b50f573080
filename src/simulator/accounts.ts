import { type Settings, SUB_KEYS } from "./options.ts";
import { type Outcome, refuse } from "./outcome.ts";
import type { ProviderRequest } from "./request.ts";
import { isSignedWith } from "./signature.ts";
import type { Project } from "./world.ts";

/** Who holds a key pair, and what that key may see. */
export interface Account {
  publicKey: string;
  privateKey: string;
  /** A sub-account may not list regions or projects, has no default project, and sees only its own projects. */
  isSub: boolean;
  projects: readonly Project[];
}

/** The owner sees every project; the sub-account only the first. */
export function createAccounts(settings: Settings, projects: readonly Project[]): ReadonlyMap<string, Account> {
  const { publicKey, privateKey } = settings;
  return new Map<string, Account>([
    [SUB_KEYS.publicKey, { ...SUB_KEYS, isSub: true, projects: projects.slice(0, 1) }],
    [publicKey, { publicKey, privateKey, isSub: false, projects }],
  ]);
}

/** The gateway's checks in its order: action, signature present, key known, signature right. */
export function authenticate(accounts: ReadonlyMap<string, Account>, request: ProviderRequest): Account | Outcome {
  if (!request.params.get("Action")) return refuse(160, "MISSING_ACTION");
  if (!request.params.get("Signature")) return refuse(170, "Missing signature");
  const account = accounts.get(request.params.get("PublicKey") ?? "");
  if (account === undefined) return refuse(172, "User Not Exists");
  return isSignedWith(request.received, account.privateKey) ? account : refuse(171, "Signature VerifyAC Error");
}
