import { createHash, timingSafeEqual } from "node:crypto";
import { MAIN_KEYS, OTHER_KEYS, SUB_KEYS } from "./options.ts";
import { type Outcome, refuse } from "./outcome.ts";
import type { Project } from "./world.ts";

/** The owner of a key pair and what the key may see. */
export interface Account {
  publicKey: string;
  privateKey: string;
  /** A sub-account may not list regions or projects and has to name its project. */
  isSub: boolean;
  projects: readonly Project[];
}

/** The owner sees every project, the sub-account the first, the others one each, from the last on. */
export function createAccounts(projects: readonly Project[]): readonly Account[] {
  const others = OTHER_KEYS.map((keys, index) => {
    return { ...keys, isSub: false, projects: projects.toReversed().slice(index, index + 1) };
  });

  return [
    { ...MAIN_KEYS, isSub: false, projects },
    { ...SUB_KEYS, isSub: true, projects: projects.slice(0, 1) },
    ...others,
  ];
}

/**
 * Checks in the order of the real gateway: action, signature present, key known, signature right.
 */
export function authenticate(
  accounts: readonly Account[],
  params: ReadonlyMap<string, string>,
): { account: Account } | { refused: Outcome } {
  const signature = params.get("Signature");
  if (!params.get("Action")) return { refused: refuse(160, "MISSING_ACTION") };
  if (!signature) return { refused: refuse(170, "Missing signature") };
  const account = accounts.find(({ publicKey }) => publicKey === params.get("PublicKey"));
  if (account === undefined) return { refused: refuse(172, "User Not Exists") };
  const given = Buffer.from(signature);
  const expected = Buffer.from(signatureOf(params, account.privateKey));
  const isRight = given.length === expected.length && timingSafeEqual(given, expected);
  return isRight ? { account } : { refused: refuse(171, "Signature VerifyAC Error") };
}

/** SHA-1 of the sorted names and values without separators and then the private key, in hex. */
export function signatureOf(
  params: Iterable<readonly [string, string]>,
  privateKey: string,
): string {
  const signed = [...params]
    .filter(([name]) => name !== "Signature")
    .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return createHash("sha1")
    .update(signed.flat().join("") + privateKey, "utf8")
    .digest("hex");
}
