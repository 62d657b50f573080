import dns, { type LookupAddress } from "node:dns";
import { syncBuiltinESMExports } from "node:module";

/** A resolver whose answers for one name a test sets; other names resolve normally. */
export interface NameService extends Disposable {
  answer(...addresses: string[]): void;
}

/** Replaces the resolver for one name, as the owner of a name can change its address at any time. */
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
