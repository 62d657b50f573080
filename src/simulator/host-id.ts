import { hash32 } from "./random.ts";

const INDEX_BITS = 20;
const INDEX_MASK = 2 ** INDEX_BITS - 1;
const SPREAD = 0x9e3779b1;
/** SPREAD × UNSPREAD ≡ 1 (mod 2³²) */
const UNSPREAD = 0x0e8b2f51;

/** A host's place in the world: which (project, region) cell (< 4,096), and which number in it (< 1,048,576). */
export interface HostPlace {
  cell: number;
  index: number;
}

/** Translates places to ids and back without a table, so 100,000 hosts cost no memory. */
export interface HostIds {
  encode(place: HostPlace): string;
  /** undefined for a text that no `encode` of this seed can have produced. */
  decode(id: string): HostPlace | undefined;
}

export function createHostIds(seed: number): HostIds {
  const salt = hash32("host-id", seed);
  return {
    // multiplying by an odd number is a bijection on 32 bits: ids look random and never collide
    encode: ({ cell, index }) =>
      `uhost-1${(Math.imul(((cell << INDEX_BITS) | index) ^ salt, SPREAD) >>> 0).toString(36).padStart(7, "0")}`,
    decode: (id) => {
      const digits = /^uhost-1([0-9a-z]{7})$/.exec(id)?.[1];
      if (digits === undefined) return undefined;
      const value = Number.parseInt(digits, 36);
      if (value > 0xffff_ffff) return undefined;
      const place = (Math.imul(value, UNSPREAD) ^ salt) >>> 0;
      return { cell: place >>> INDEX_BITS, index: place & INDEX_MASK };
    },
  };
}
