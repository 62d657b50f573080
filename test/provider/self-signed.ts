import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

const SHA256_WITH_ECDSA = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const DAY_MS = 86_400_000;

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate for 127.0.0.1 that nothing is wrong with but that nobody vouches for it, unless its days are over. */
export function selfSigned({ daysLeft = 1 } = {}): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from("127.0.0.1")))));
  const end = Date.now() + daysLeft * DAY_MS;
  const subjectAltName = sequence(oid(0x55, 0x1d, 0x11), der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1])))));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    SHA256_WITH_ECDSA,
    name,
    sequence(time(end - 30 * DAY_MS), time(end)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(subjectAltName)),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]));
  const text = sequence(body, SHA256_WITH_ECDSA, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(content: Buffer): Buffer {
  return der(0x31, content);
}

function oid(...bytes: number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

function time(ms: number): Buffer {
  return der(
    0x17,
    Buffer.from(new Date(ms).toISOString().replace(/^..(..)-(..)-(..)T(..):(..):(..).*/, "$1$2$3$4$5$6Z")),
  );
}
