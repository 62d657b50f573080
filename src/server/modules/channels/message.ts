import type { NoticeSeverity, NoticeType } from "../../../shared/notices.ts";

export interface MessageHost {
  readonly hostId: string;
  readonly name: string;
  /** In Unix seconds; null where nothing ends. */
  readonly expireTime: number | null;
  readonly daysLeft: number | null;
  /** Who has it; empty in a message to a client. */
  readonly userNames: readonly string[];
}

/** What one delivery says, as its recipient may know it at the moment of sending. */
export interface Message {
  /** Of the delivery: the same for every try. */
  readonly id: string;
  readonly type: NoticeType | "test";
  readonly severity: NoticeSeverity;
  readonly title: string;
  readonly message: string;
  /** When it happened, in Unix seconds. */
  readonly createdAt: number;
  /** Those that end first. */
  readonly hosts: readonly MessageHost[];
  /** How many more it is about. */
  readonly moreHosts: number;
  /** The page of the console; null while the console does not know its own address. */
  readonly url: string | null;
}

/** Of an e-mail. */
export interface Recipient {
  readonly name: string;
  readonly address: string;
}

/** What became of one try. The texts are sentences for people. */
export type SendOutcome =
  | { readonly kind: "sent"; readonly answer: string }
  /** Another try may succeed. For `pauseSeconds` the whole channel sends nothing. */
  | { readonly kind: "retry"; readonly error: string; readonly pauseSeconds?: number }
  /** The recipient's address is not accepted; no further try would change that. */
  | { readonly kind: "undeliverable"; readonly error: string }
  /**
   * No further try would change anything. `isBug`: what we sent was wrong, whoever set it up. With
   * `pauseSeconds` the channel itself is refused: all its other messages would be, too.
   */
  | {
      readonly kind: "refused";
      readonly error: string;
      readonly isBug?: true;
      readonly pauseSeconds?: number;
    };
