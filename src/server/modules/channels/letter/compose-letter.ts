import type { Message, Recipient } from "../message.ts";
import { renderHtml } from "./html.ts";
import { writeLetter } from "./letter.ts";
import { renderText } from "./text.ts";

export interface ComposedLetter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The subject of an e-mail and its body in both forms, in Chinese. */
export function composeLetter(message: Message, recipient: Recipient): ComposedLetter {
  const letter = writeLetter(message, recipient);
  return { subject: letter.title, text: renderText(letter), html: renderHtml(letter) };
}
