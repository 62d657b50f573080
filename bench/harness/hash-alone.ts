import argon2 from "argon2";

/**
 * What sign-ins cost at least: passwords verified, so many at once, and nothing else:
 * node bench/harness/hash-alone.ts DIGEST PASSWORD AT-ONCE SECONDS
 */
const [digest, password, atOnce, seconds] = process.argv.slice(2);
if (digest === undefined || password === undefined) {
  throw new Error("usage: node bench/harness/hash-alone.ts DIGEST PASSWORD AT-ONCE SECONDS");
}

const startedAt = performance.now();
const elapsed = () => (performance.now() - startedAt) / 1000;
let verified = 0;
await Promise.all(Array.from({ length: Number(atOnce) }, () => keepVerifying(digest, password)));
console.log(`verified ${verified / elapsed()} a second`);

async function keepVerifying(storedDigest: string, typed: string): Promise<void> {
  while (elapsed() < Number(seconds)) {
    if (!(await argon2.verify(storedDigest, typed))) throw new Error("the password is not that of the digest");
    verified++;
  }
}
