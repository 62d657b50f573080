import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

// The form of an API token: `hct_`, 43 digits of base 62 that hold 256 random bits, and 6 digits of
// base 62 that hold the CRC-32 of those 43 characters, as GitHub's tokens do. The prefix lets a
// secret scanner find tokens in source text, and the checksum lets it drop everything else that
// looks like one without a question to the server. docs/api.md describes it for such programs.

const PREFIX = "hct_";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE = BigInt(DIGITS.length);
const RANDOM_BYTES = 32;
const RANDOM_DIGITS = 43;
const CHECKSUM_DIGITS = 6;
const FORM = new RegExp(
  `^${PREFIX}([0-9A-Za-z]{${RANDOM_DIGITS}})([0-9A-Za-z]{${CHECKSUM_DIGITS}})$`,
);
const HINT_LENGTH = 4;

export function newApiToken(): string {
  const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString("hex")}`);
  const digits = toBase62(random, RANDOM_DIGITS);
  return `${PREFIX}${digits}${checksumOf(digits)}`;
}

/** Whether a bearer token has the form of an API token; it need not exist. */
export function isApiToken(token: string): boolean {
  const [, digits = "", checksum = ""] = FORM.exec(token) ?? [];
  return digits !== "" && checksum === checksumOf(digits);
}

/** What a list shows of a token, so that its owner knows which one it is. */
export function hintOf(token: string): string {
  return token.slice(-HINT_LENGTH);
}

function checksumOf(digits: string): string {
  return toBase62(BigInt(crc32(digits)), CHECKSUM_DIGITS);
}

function toBase62(value: bigint, length: number): string {
  let digits = "";
  let rest = value;
  while (digits.length < length) {
    digits = `${DIGITS[Number(rest % BASE)]}${digits}`;
    rest /= BASE;
  }
  return digits;
}
