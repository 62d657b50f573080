import { z } from "zod";

/** A letter as a mail program shows it. */
export interface ReadMail {
  /** By the name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
}

const Encoding = z.enum(["7bit", "base64", "quoted-printable"]);

/** Reads letters as nodemailer writes them: a text and an HTML part, or one of them alone. */
export function readMail(source: string): ReadMail {
  const { headers, body } = split(source);
  const parts = readParts(headers, body);
  const bodyOf = (type: string) => parts.find((part) => part.type === type)?.body ?? "";
  return { headers, text: bodyOf("text/plain"), html: bodyOf("text/html") };
}

interface Part {
  readonly type: string;
  readonly body: string;
}

function readParts(headers: ReadonlyMap<string, string>, body: string): Part[] {
  const contentType = headers.get("content-type") ?? "";
  const boundary = /boundary="([^"]+)"/.exec(contentType)?.[1];
  if (boundary === undefined) {
    const encoding = Encoding.parse(headers.get("content-transfer-encoding") ?? "7bit");
    return [{ type: contentType.split(";", 1)[0] ?? "", body: decodeBody(body, encoding) }];
  }

  const sources = body.split(`--${boundary}`).slice(1, -1);
  return sources.flatMap((source) => {
    const part = split(source.replace(/^\r\n|\r\n$/g, ""));
    return readParts(part.headers, part.body);
  });
}

function split(source: string) {
  const end = source.indexOf("\r\n\r\n");
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.set(line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim()));
  }
  return { headers, body: source.slice(end + 4) };
}

function decodeBody(body: string, encoding: z.infer<typeof Encoding>): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding === "quoted-printable") return decodeQuoted(body.replace(/=\r\n/g, ""));
  return body;
}

/** Encoded words of a header (RFC 2047). Blanks between two of them are no part of the text. */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_word, encoding: string, text: string) =>
      encoding.toUpperCase() === "B"
        ? Buffer.from(text, "base64").toString("utf8")
        : decodeQuoted(text.replaceAll("_", " ")),
    );
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_code, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
