import { verify } from "@node-rs/argon2";
import argon2 from "argon2";

/**
 * What sign-ins cost at least: passwords verified, so many at once, and nothing else, by the reference implementation (most servers'
 * argon2) or by what the server itself uses: node bench/harness/hash-alone.ts reference|own DIGEST PASSWORD AT-ONCE SECONDS
 */
const IMPLEMENTATIONS: Readonly<Record<string, Matches>> = { reference: argon2.verify, own: verify };

type Matches = (digest: string, password: string) => Promise<boolean>;

const [implementation = "", digest, password, atOnce, seconds] = process.argv.slice(2);
const matches = IMPLEMENTATIONS[implementation];
if (matches === undefined || digest === undefined || password === undefined) {
  throw new Error("usage: node bench/harness/hash-alone.ts reference|own DIGEST PASSWORD AT-ONCE SECONDS");
}

const startedAt = performance.now();
const elapsed = () => (performance.now() - startedAt) / 1000;
let verified = 0;
await Promise.all(Array.from({ length: Number(atOnce) }, () => verifyOn(matches, { digest, password })));
console.log(`verified ${verified / elapsed()} a second`);

async function verifyOn(
  matches: Matches,
  { digest, password }: { readonly digest: string; readonly password: string },
): Promise<void> {
  while (elapsed() < Number(seconds)) {
    if (!(await matches(digest, password))) throw new Error("the password is not that of the digest");
    verified++;
  }
}
