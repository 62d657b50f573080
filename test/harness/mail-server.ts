import { once } from "node:events";
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { portOf } from "./ports.ts";
import { type ReadMail, readMail } from "./read-mail.ts";

export interface ReceivedMail extends ReadMail {
  readonly source: string;
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly isEncrypted: boolean;
  /** Who has signed in. */
  readonly user: string | null;
}

export interface Refusal {
  readonly code: number;
  readonly text: string;
}

interface MailServerOptions {
  /** Without one there is no encryption. */
  readonly certificate?: { readonly key: string; readonly cert: string };
  /** From the first byte on, and not by STARTTLS. */
  readonly isTls?: boolean;
  readonly account?: { readonly user: string; readonly password: string };
  /** The answer to a recipient, `number` counting from 1; null accepts it. */
  readonly refuse?: (address: string, number: number) => Refusal | null;
  readonly onMail?: (mail: ReceivedMail) => void;
}

/** A real SMTP server on a free loopback port that keeps what it receives. */
export async function startMailServer(options: MailServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    ...encryptionOf(options),
    ...accountOf(options),
    ...recipientsOf(options),
    logger: false,
    closeTimeout: 100,
    onData(stream, { envelope, secure, user }, callback) {
      const receive = async () => {
        const source = await text(stream);
        const mail = {
          ...readMail(source),
          source,
          sender: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
          recipients: envelope.rcptTo.map(({ address }) => address),
          isEncrypted: secure,
          user: user ?? null,
        };
        mails.push(mail);
        options.onMail?.(mail);
      };
      receive().then(() => callback(null, "queued as 4Zx1"), callback);
    },
  });
  // A client that refuses the certificate is no failure of the server.
  server.on("error", () => {});
  await once(server.listen(0, "127.0.0.1"), "listening");

  return {
    port: portOf(server.server),
    mails,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}

function encryptionOf({ certificate, isTls = false }: MailServerOptions): SMTPServerOptions {
  if (certificate === undefined) return { disabledCommands: ["STARTTLS"] };
  return { ...certificate, secure: isTls };
}

function accountOf({ account }: MailServerOptions): SMTPServerOptions {
  if (account === undefined) return { authOptional: true };

  return {
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, callback) {
      if (username === account.user && password === account.password) {
        callback(null, { user: username });
      } else {
        callback(refusal({ code: 535, text: `wrong password ${password} of ${username}` }));
      }
    },
  };
}

function recipientsOf({ refuse }: MailServerOptions): SMTPServerOptions {
  let number = 0;
  return {
    onRcptTo({ address }, _session, callback) {
      number += 1;
      const refused = refuse?.(address, number) ?? null;
      callback(refused === null ? null : refusal(refused));
    },
  };
}

function refusal({ code, text: message }: Refusal): Error {
  return Object.assign(new Error(message), { responseCode: code });
}
