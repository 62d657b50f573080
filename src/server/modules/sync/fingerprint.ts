import { createHash } from "node:crypto";
import type { ProviderHost } from "../../provider/schemas.ts";

/**
 * What the database computes as `hosts.fingerprint` (see the entity) once this description is
 * stored: two descriptions with one fingerprint are the same. Where a host was found is compared by
 * itself.
 *
 * The lengths before the texts keep two hosts from being written alike. The addresses are written
 * as PostgreSQL writes jsonb: shorter keys first, a blank after each colon and comma. If the two
 * ever differed, each host would be compared field by field, which is slower and finds the same.
 */
export function fingerprintOf(host: ProviderHost): string {
  const { zone, name, osName, osType, status, providerStatus, chargeType } = host;
  const texts = [zone, name, osName, osType, status, providerStatus, chargeType];
  const numbers = [host.cpu, host.memory, host.disk, host.createTime, host.expireTime];

  const written = texts.map((text) => `${Buffer.byteLength(text)}:${text}`).join("");
  const counted = numbers.map((number) => `${number ?? ""},`).join("");
  const addresses = host.ipSet.map(
    ({ Type, IP }) => `{"IP": ${JSON.stringify(IP)}, "Type": ${JSON.stringify(Type)}}`,
  );
  const text = `${written}${counted}[${addresses.join(", ")}]`;
  return createHash("sha256").update(text).digest("hex");
}
