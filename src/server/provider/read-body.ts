import { ProviderFailure } from "./failure.ts";

export interface BodyLimits {
  readonly maxBodyBytes: number;
  /** All answers together that are being read on one way out. */
  readonly maxReadingBytes: number;
}

/** An answer of so many bytes is never refused for the sake of the others: it is what a full page of hosts takes. */
const SMALL = 1024 * 1024;

/** Bytes that are held of answers under way, by the way out, which a process has one of. */
const reading = new WeakMap<object, { bytes: number }>();

/** The whole answer. @throws ProviderFailure `too-large` */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  { wayOut, requestId, ...limits }: BodyLimits & { readonly wayOut: object; readonly requestId: string | null },
): Promise<Uint8Array> {
  const all = reading.get(wayOut) ?? { bytes: 0 };
  reading.set(wayOut, all);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      all.bytes += chunk.length;
      const isCrowded = all.bytes > limits.maxReadingBytes && size > SMALL;
      if (size > limits.maxBodyBytes || isCrowded) throw new ProviderFailure("too-large", { requestId });
    }
    return Buffer.concat(chunks, size);
  } finally {
    all.bytes -= size;
  }
}
