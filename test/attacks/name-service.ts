import dns, { type LookupAddress } from "node:dns";
import { syncBuiltinESMExports } from "node:module";

/** The system's resolver for one name, with answers that a test decides; every other name resolves as ever. */
export interface NameService extends Disposable {
  answer(...addresses: string[]): void;
}

/** Whoever owns a name may change its address whenever he likes, which no resolver at hand can be told to do. */
export function ownName(name: string): NameService {
  const system = dns.lookup;
  let addresses: LookupAddress[] = [];
  const lookup = (hostname: string, options: object, done: (error: Error | null, found: LookupAddress[]) => void) =>
    hostname === name
      ? queueMicrotask(() => done(null, addresses))
      : Reflect.apply(system, dns, [hostname, options, done]);
  Object.assign(dns, { lookup });
  syncBuiltinESMExports();
  return {
    answer(...given) {
      addresses = given.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
    [Symbol.dispose]() {
      Object.assign(dns, { lookup: system });
      syncBuiltinESMExports();
    },
  };
}
